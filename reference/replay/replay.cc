// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/replay.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "reference/core/error_codes.h"
#include "reference/replay/answer_rows.h"
#include "reference/replay/bounds_finder.h"
#include "reference/replay/context_clock.h"
#include "reference/replay/distinct_times.h"
#include "reference/replay/series_store.h"
#include "reference/replay/skipping_reader.h"
#include "reference/replay/suppression.h"
#include "reference/replay/wanted_metrics.h"

namespace pmproof::replay {

using VirtualMarks = ReplayArchive::VirtualMarks;

VirtualMarks MarksOf(const ReplayRequest& request, const Rule& rule) {
  if (!rule.traits().marks_by_direction) return VirtualMarks::kReference;
  return request.direction < 0 ? VirtualMarks::kBackward : VirtualMarks::kForward;
}

class ReplayContext::Implementation {
 public:
  Implementation(const ReplayArchive& archive, ReplayRequest request, Profile profile)
      : archive_(archive),
        request_(std::move(request)),
        profile_(std::move(profile)),
        rule_(*profile_),
        metrics_(archive, request_.metrics, request_.instances),
        suppression_(metrics_.metrics().size()),
        distinct_(metrics_.metrics().size()) {
    for (const WantedCell& cell : metrics_.cells()) {
      needs_.push_back(rule_.NeedsOf(cell.type, cell.semantics));
    }
    for (const Pmid pmid : request_.metrics) positions_.push_back(metrics_.Find(pmid));
  }

  std::optional<Status> Fetch(std::span<const Timestamp> all, const AnswerSink& sink) {
    if (request_.metrics.empty()) {
      return Status{.kind = Status::Kind::kUsage,
                    .clause = "INT-405"_clause,
                    .message = "no metric is asked for",
                    .code = kErrTooSmall};
    }
    const bool again = std::exchange(fetched_, true);
    while (!all.empty()) {
      const std::size_t count = TimesFromOneMember(all);
      // Who comes back will come back again.
      if (again) {
        if (auto error = Load()) return error;
      }
      if (auto error = FetchFromOneMember(all.first(count), sink)) return error;
      all = all.subspan(count);
    }
    return std::nullopt;
  }

  const std::optional<Status>& overlap() const { return overlap_; }

 private:
  // INT-907. How many of the times have their answers from walks that begin with the same member;
  // it becomes first_. Times that follow by steps all have.
  std::size_t TimesFromOneMember(std::span<const Timestamp> times) {
    if (archive_.members().size() == 1) return times.size();
    if (!request_.seeks) {
      if (!begun_) BeginWith(archive_.FirstMember(times.front(), request_.direction));
      begun_ = true;
      return times.size();
    }
    BeginWith(FirstMember(times.front()));
    const auto other =
        std::ranges::find_if(times, [&](Timestamp time) { return FirstMember(time) != first_; });
    return static_cast<std::size_t>(other - times.begin());
  }

  // Finding it anew takes long; it changes where a member starts, and nowhere else.
  std::size_t FirstMember(Timestamp time) {
    const auto& members = archive_.members();
    const auto starts_before = [&](const archive::OpenedMember& member) {
      return member.label->start.Normalised() < time.Normalised();
    };
    const auto member = std::ranges::partition_point(members, starts_before) - members.begin();
    const auto [known, added] = first_members_.try_emplace(member);
    if (added) known->second = archive_.FirstMember(time, request_.direction);
    return known->second;
  }

  void BeginWith(std::size_t first) {
    if (first == first_) return;
    first_ = first;
    loaded_.reset();
    tried_to_load_ = false;
  }

  std::optional<Status> FetchFromOneMember(std::span<const Timestamp> all, const AnswerSink& sink) {
    constexpr std::size_t kTime = DistinctTimes::kBytes + 2 * sizeof(std::vector<AnsweredCell>);
    std::size_t most = std::max<std::size_t>(1, request_.memory / 4 / kTime);
    while (!all.empty()) {
      const std::size_t count = std::min(most, all.size());
      std::size_t given = 0;
      if (auto error = Find(all.first(count), sink, &given)) return error;
      all = all.subspan(given);
      if (given > 0) continue;
      if (count == 1) {
        return Status{.kind = Status::Kind::kBudget,
                      .message = "the values of one time do not fit the memory allowed"};
      }
      most = std::max<std::size_t>(1, count / 8);
    }
    return std::nullopt;
  }

  void NoteOverlap(const ObservationReader& reader) {
    if (first_ > 0) overlap_ = archive_.Overlap(first_);
    if (reader.overlap()) overlap_ = reader.overlap();
  }

  // All observations of the metrics.
  struct Loaded {
    Loaded(const WantedMetrics& metrics, std::size_t memory, bool believes)
        : store(metrics.cells().size(), memory), reader(metrics.metrics(), store, believes) {}
    SeriesStore store;
    ObservationReader reader;
  };

  // Finds the answers at some of the times and gives those of the first of them, as many as the
  // memory has room for.
  std::optional<Status> Find(std::span<const Timestamp> times, const AnswerSink& sink,
                             std::size_t* given) {
    const DistinctTimes distinct(times);
    if (!loaded_) {
      bool disordered = false;
      if (auto error = Walk(times, distinct, sink, given, &disordered)) return error;
      if (!disordered) return std::nullopt;
      if (auto error = Load()) return error;
      if (!loaded_) {
        return Status{.kind = Status::Kind::kBudget,
                      .clause = "INT-309"_clause,
                      .message =
                          "the times of the records go back, and the observations of these "
                          "metrics do not fit the memory allowed"};
      }
    }
    *given = FindLoaded(times, distinct, sink);
    return std::nullopt;
  }

  // INT-311: what a walk has met that no sound archive has. Answers that have met it are not given.
  std::optional<Status> Unsound(const ObservationReader& reader, bool disordered) const {
    if (!archive_.assumed_sound()) return std::nullopt;
    Status status{.kind = Status::Kind::kDamaged, .clause = "INT-311"_clause};
    if (!reader.damage().empty()) {
      status = reader.damage().front().second;
    } else if (reader.broken()) {
      status.file = archive_.FileName(*reader.broken());
      status.offset = reader.broken()->offset;
      status.message = "a value set of the record does not lie within it";
    } else if (disordered) {
      status.file = archive_.members()[first_].files.Name();
      status.message = "the times of the records go back";
    } else {
      return std::nullopt;
    }
    status.message = "the archive was taken to be sound, but " + status.message;
    return status;
  }

  std::optional<Status> Walk(std::span<const Timestamp> times, const DistinctTimes& distinct,
                             const AnswerSink& sink, std::size_t* given, bool* disordered) {
    AnswerRows rows(metrics_, rule_, distinct.ascending(), archive_.origin(), request_.reasons,
                    request_.memory / 4 * 3);
    BoundsFinder finder(metrics_.cells().size(), rows.relative(), rows, needs_);
    ObservationReader reader(metrics_.metrics(), finder, archive_.assumed_sound());
    // Marks have to be known between fetches that follow by steps (INT-706), numbers to give them.
    const bool leaves_out = archive_.assumed_sound() && request_.seeks && !request_.reasons;
    SkippingReader skipping(metrics_.cells().size(), reader, finder, leaves_out);
    if (auto error = archive_.Walk(MarksOf(request_, rule_), skipping, first_)) return error;
    NoteOverlap(reader);
    *disordered = skipping.disordered();
    if (auto error = Unsound(reader, *disordered)) return error;
    if (*disordered) return std::nullopt;
    finder.Finish();
    *given = Give(times, distinct, rows, reader, finder.barriers(), sink);
    return std::nullopt;
  }

  // Walks the archive once and keeps all observations, if they fit the memory.
  std::optional<Status> Load() {
    if (tried_to_load_) return std::nullopt;
    tried_to_load_ = true;
    auto loaded = std::make_unique<Loaded>(metrics_, request_.memory / 2, archive_.assumed_sound());
    if (auto error = archive_.Walk(MarksOf(request_, rule_), loaded->reader, first_)) return error;
    NoteOverlap(loaded->reader);
    if (auto error = Unsound(loaded->reader, /*disordered=*/false)) return error;
    if (loaded->store.overflowed()) return std::nullopt;
    loaded->store.Finish();
    loaded_ = std::move(loaded);
    return std::nullopt;
  }

  std::size_t FindLoaded(std::span<const Timestamp> times, const DistinctTimes& distinct,
                         const AnswerSink& sink) {
    AnswerRows rows(metrics_, rule_, distinct.ascending(), archive_.origin(), request_.reasons,
                    request_.memory / 4);
    for (std::size_t cell = 0; cell < loaded_->store.cells(); ++cell) {
      for (std::size_t i = 0; i < rows.relative().size(); ++i) {
        rows.OnBounds(cell, i, loaded_->store.BoundsOf(cell, rows.relative()[i]));
      }
    }
    return Give(times, distinct, rows, loaded_->reader, loaded_->store.barriers(), sink);
  }

  // Gives answers in the order of the request, up to the first whose row was given up: how many.
  std::size_t Give(std::span<const Timestamp> times, const DistinctTimes& distinct,
                   AnswerRows& rows, const ObservationReader& reader,
                   const std::vector<Barrier>& barriers, const AnswerSink& sink) {
    rows.Finish();
    std::vector<double> marks;
    for (const Barrier& barrier : barriers) {
      if (barrier.kind == Bound::Kind::kMark) marks.push_back(barrier.moment.at);
    }
    if (!end_) end_.emplace(rule_.traits().exact_end, EndOf(reader));
    for (std::size_t i = 0; i < times.size(); ++i) {
      const Timestamp time = times[i];
      const std::size_t row = distinct.NumberOf(i);
      if (row >= rows.kept()) return i;
      fetch_.time = rule_.traits().normalised_time ? time.Normalised() : time;  // INT-1207
      fetch_.status = ErrorCode::kOk;
      const double t = rows.relative()[row];
      if (request_.seeks) suppression_.Forget();
      if (end_->IsOutside(t)) {
        fetch_.status = ErrorCode::kEndOfLog;
        fetch_.metrics.clear();
      } else {
        Collect(rows, row, reader);
        Suppress(t, marks);
        Fill();
      }
      sink(fetch_);
    }
    return times.size();
  }

  // ARC-557: that of the last member, also where the walk ended before it.
  double EndOf(const ObservationReader& reader) const {
    if (reader.overlap()) {
      if (const auto end = archive_.End()) return archive_.origin().Relative(*end);
    }
    return reader.end() ? reader.end()->at : 0;
  }

  // Makes one answer for each distinct metric of the cells of a row.
  void Collect(const AnswerRows& rows, std::size_t row, const ObservationReader& reader) {
    for (std::size_t i = 0; i < distinct_.size(); ++i) {
      distinct_[i].pmid = metrics_.metrics()[i].descriptor.pmid;
      distinct_[i].status = ErrorCode::kOk;
      distinct_[i].message.clear();
      distinct_[i].values.clear();
    }
    const std::span<const AnsweredCell> cells = rows.Row(row);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const WantedCell& wanted = metrics_.cells()[cells[i].cell];
      MetricAnswer& answer = distinct_[wanted.metric];
      if (answer.status != ErrorCode::kOk) continue;
      if (cells[i].kind != Answer::Kind::kValue) {
        Refuse(cells[i], metrics_.metrics()[wanted.metric].descriptor, reader, &answer);
        continue;
      }
      InstanceAnswer& instance = answer.values.emplace_back();
      instance.instance = wanted.instance;
      instance.value.type = wanted.type;
      instance.value.insitu = cells[i].insitu;
      instance.why = cells[i].why();
      if (NumericSize(wanted.type) > 0) {
        instance.value.bits = cells[i].bits;
      } else {
        instance.value.opaque = AsBytes(*std::bit_cast<const std::string*>(cells[i].bits));
      }
      if (request_.reasons) instance.bounds = rows.BoundsOf(row)[i];
    }
  }

  static void Refuse(const AnsweredCell& cell, const Descriptor& descriptor,
                     const ObservationReader& reader, MetricAnswer* answer) {
    answer->values.clear();
    if (cell.kind == Answer::Kind::kTypeError) {
      answer->status = ErrorCode::kType;  // INT-406, INT-412
      answer->message = "a value of type " + ToText(descriptor.type) + " and semantics " +
                        ToText(descriptor.semantics) + " cannot be interpolated";
      return;
    }
    answer->status = ErrorCode::kLogRecord;
    const auto damage =
        std::ranges::find(reader.damage(), cell.bits, &std::pair<std::uint64_t, Status>::first);
    answer->message = damage != reader.damage().end()
                          ? damage->second.ToText()
                          : "a value is stored in a form that its metric cannot have [INT-411]";
  }

  void Suppress(double t, std::span<const double> marks) {
    for (std::size_t i = 0; i < distinct_.size(); ++i) {
      const Descriptor& descriptor = metrics_.metrics()[i].descriptor;
      const bool counter =
          descriptor.semantics == Semantics::kCounter && IsNumeric(descriptor.type);
      if (counter && suppression_.Suppresses(i, t, marks)) distinct_[i].values.clear();
      suppression_.Note(i, !distinct_[i].values.empty());
    }
    suppression_.NoteFetch(t);
  }

  void Fill() {
    fetch_.metrics.resize(request_.metrics.size());
    for (std::size_t i = 0; i < request_.metrics.size(); ++i) {
      MetricAnswer& answer = fetch_.metrics[i];
      const Pmid pmid = request_.metrics[i];
      if (!positions_[i]) {
        answer = {pmid, ErrorCode::kOk, {}, {}};
        if (pmid.IsNull()) continue;
        answer.status = kErrPmidLog;
        answer.message = archive_.metrics().contains(pmid)
                             ? "a metric of type NOSUPPORT has no values"
                             : "the archive has no metric " + ToText(pmid);
      } else if (const auto first = std::ranges::find(positions_, positions_[i]);
                 first != positions_.begin() + static_cast<std::ptrdiff_t>(i)) {
        answer = fetch_.metrics[static_cast<std::size_t>(first - positions_.begin())];  // INT-407
      } else {
        std::swap(answer, distinct_[*positions_[i]]);
      }
    }
  }

  const ReplayArchive& archive_;
  const ReplayRequest request_;
  const Profile profile_;
  const Rule& rule_;
  const WantedMetrics metrics_;
  std::vector<Needs> needs_;                           // of each cell
  std::vector<std::optional<std::size_t>> positions_;  // of each metric of the request
  Suppression suppression_;
  std::optional<EndOfArchive> end_;
  std::unique_ptr<Loaded> loaded_;
  bool tried_to_load_ = false;
  bool fetched_ = false;
  bool begun_ = false;
  std::optional<Status> overlap_;
  std::size_t first_ = 0;                                // the member that walks begin with
  std::map<std::ptrdiff_t, std::size_t> first_members_;  // by how many members start earlier
  std::vector<MetricAnswer> distinct_;
  FetchAnswer fetch_;
};

ReplayContext::ReplayContext(const ReplayArchive& archive, ReplayRequest request, Profile profile)
    : implementation_(
          std::make_unique<Implementation>(archive, std::move(request), std::move(profile))) {}

ReplayContext::~ReplayContext() = default;

const std::optional<Status>& ReplayContext::overlap() const { return implementation_->overlap(); }

std::optional<Status> ReplayContext::Fetch(std::span<const Timestamp> times,
                                           const AnswerSink& sink) {
  return implementation_->Fetch(times, sink);
}

}  // namespace pmproof::replay
