#include "reference/replay/replay.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "reference/replay/bounds_finder.h"
#include "reference/replay/context_clock.h"
#include "reference/replay/suppression.h"

namespace pmproof::replay {
namespace {

constexpr ErrorCode kPmidLog{-12378};
constexpr ErrorCode kTooSmall{-12443};

using VirtualMarks = ReplayArchive::VirtualMarks;

// What the rule answered for one cell at one time.
struct Entry {
  std::uint64_t bits = 0;  // of a damaged record its number
  const std::string* opaque = nullptr;
  Clause why;
  Answer::Kind kind = Answer::Kind::kNone;
  bool insitu = false;
};

// The metrics of a request, each once, with the instances that are asked for (INT-401, INT-402).
class WantedMetrics {
 public:
  WantedMetrics(const ReplayArchive& archive, const ReplayRequest& request) {
    for (const Pmid pmid : request.metrics) {
      const auto known = archive.metrics().find(pmid);
      if (known == archive.metrics().end() || positions_.contains(pmid)) continue;
      positions_.emplace(pmid, wanted.size());
      WantedMetric& metric = wanted.emplace_back();
      metric.descriptor = known->second.descriptor;
      metric.singular = metric.descriptor.indom.IsNull();
      const ReplayDomain* domain = archive.DomainOf(metric.descriptor.indom);
      domains.push_back(domain);
      first_cell.push_back(cells);
      if (metric.singular) metric.instances.push_back(kInstanceNull);
      if (!metric.singular && domain != nullptr) {
        for (const Candidate& candidate : domain->candidates) {
          if (!request.instances.Includes(metric.descriptor.indom, candidate.id)) continue;
          metric.instances.push_back(candidate.id);
        }
      }
      for (std::size_t i = 0; i < metric.instances.size(); ++i) {
        owner.push_back(wanted.size() - 1);
      }
      cells += metric.instances.size();
    }
  }

  std::optional<std::size_t> Find(Pmid pmid) const {
    const auto found = positions_.find(pmid);
    return found == positions_.end() ? std::nullopt : std::optional<std::size_t>(found->second);
  }

  // The life of a cell's instance, if lives matter for it (INT-403).
  const Candidate* LifeOf(std::size_t cell) const {
    const std::size_t metric = owner[cell];
    const ReplayDomain* domain = domains[metric];
    if (domain == nullptr || !domain->large ||
        wanted[metric].descriptor.semantics != Semantics::kDiscrete) {
      return nullptr;
    }
    return domain->Find(wanted[metric].instances[cell - first_cell[metric]]);
  }

  std::vector<WantedMetric> wanted;
  std::vector<const ReplayDomain*> domains;  // of each metric
  std::vector<std::size_t> first_cell;       // of each metric
  std::vector<std::size_t> owner;            // of each cell: its metric
  std::size_t cells = 0;

 private:
  std::map<Pmid, std::size_t> positions_;
};

// The answers of one walk: of all cells at some of the times.
class Answers final : public BoundsSink {
 public:
  Answers(const WantedMetrics& metrics, const Rule& rule, std::vector<Timestamp> times,
          const Origin& origin, bool reasons, std::size_t memory)
      : metrics_(metrics),
        rule_(rule),
        times_(std::move(times)),
        entries_(metrics.cells * times_.size()),
        bounds_(reasons ? entries_.size() : 0),
        memory_(memory) {
    for (const Timestamp time : times_) relative_.push_back(origin.Relative(time));
  }

  static std::size_t SizeOf(bool reasons) { return sizeof(Entry) + (reasons ? sizeof(Bounds) : 0); }

  std::span<const double> relative() const { return relative_; }
  bool overflowed() const { return used_ > memory_; }

  void OnBounds(std::size_t cell, std::size_t time, const Bounds& bounds) override {
    const Descriptor& descriptor = metrics_.wanted[metrics_.owner[cell]].descriptor;
    const double t = relative_[time];
    const std::size_t index = cell * times_.size() + time;
    Answer answer = rule_.At(bounds, {times_[time], t, descriptor.type, descriptor.semantics});
    if (rule_.traits().lifetimes) {
      const Candidate* life = metrics_.LifeOf(cell);
      if (life != nullptr && (t < life->birth || (life->death && t > *life->death))) {
        answer = {Answer::Kind::kNone, {}, "INT-403"_clause};
      }
    }
    entries_[index] = {answer.value.bits, nullptr, answer.why, answer.kind, answer.value.insitu};
    if (answer.kind == Answer::Kind::kDamaged) {
      const bool prior = bounds.prior.kind == Bound::Kind::kDamage;
      entries_[index].bits = (prior ? bounds.prior : bounds.next).moment.record;
    }
    if (NumericSize(descriptor.type) == 0 && answer.kind == Answer::Kind::kValue) {
      entries_[index].opaque = Keep(answer.value.opaque);
    }
    if (!bounds_.empty()) {
      bounds_[index] = bounds;
      bounds_[index].prior.value.opaque = bounds_[index].next.value.opaque = {};
    }
  }

  const Entry& At(std::size_t cell, std::size_t time) const {
    return entries_[cell * times_.size() + time];
  }
  const Bounds* BoundsAt(std::size_t cell, std::size_t time) const {
    return bounds_.empty() ? nullptr : &bounds_[cell * times_.size() + time];
  }
  std::size_t IndexOf(Timestamp time) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(times_, time) - times_.begin());
  }

 private:
  const std::string* Keep(Bytes bytes) {
    static const std::string kEmpty;
    if (overflowed()) return &kEmpty;
    const auto [kept, added] = kept_.emplace(AsText(bytes));
    if (added) used_ += bytes.size() + sizeof(std::string) + 4 * sizeof(void*);
    return &*kept;
  }

  const WantedMetrics& metrics_;
  const Rule& rule_;
  std::vector<Timestamp> times_;  // ascending
  std::vector<double> relative_;
  std::vector<Entry> entries_;
  std::vector<Bounds> bounds_;
  std::set<std::string> kept_;
  std::size_t memory_;
  std::size_t used_ = 0;
};

}  // namespace

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
        metrics_(archive, request_),
        suppression_(metrics_.wanted.size()) {}

  std::optional<Status> Fetch(std::span<const Timestamp> all, const AnswerSink& sink) {
    if (request_.metrics.empty()) {
      return Status{.kind = Status::Kind::kUsage,
                    .clause = "INT-405"_clause,
                    .message = "no metric is asked for",
                    .code = kTooSmall};
    }
    const std::size_t size =
        std::max<std::size_t>(1, metrics_.cells * Answers::SizeOf(request_.reasons));
    std::size_t most = std::max<std::size_t>(1, request_.memory / 2 / size);
    std::size_t done = 0;
    while (done < all.size()) {
      const std::size_t count = std::min(most, all.size() - done);
      bool overflowed = false;
      if (auto error = Walk(all.subspan(done, count), sink, &overflowed)) return error;
      if (!overflowed) {
        done += count;
      } else if (count > 1) {
        most = count / 2;
      } else {
        return Status{.kind = Status::Kind::kBudget,
                      .message = "the values of one time do not fit the memory allowed"};
      }
    }
    return std::nullopt;
  }

 private:
  // Walks the archive for some of the times and gives their answers.
  std::optional<Status> Walk(std::span<const Timestamp> times, const AnswerSink& sink,
                             bool* overflowed) {
    std::vector<Timestamp> sorted(times.begin(), times.end());
    std::ranges::sort(sorted);
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    Answers answers(metrics_, rule_, std::move(sorted), archive_.origin(), request_.reasons,
                    request_.memory / 2);
    BoundsFinder finder(metrics_.cells, answers.relative(), answers);
    ObservationReader reader(metrics_.wanted, finder);
    reader.stop_at_disorder = true;
    if (auto error = archive_.Walk(MarksOf(request_, rule_), reader)) return error;
    if (reader.disordered()) return WalkDisordered(times, answers, sink, overflowed);
    finder.Finish();
    *overflowed = answers.overflowed();
    if (!*overflowed) Give(times, answers, reader, finder.barriers(), sink);
    return std::nullopt;
  }

  std::optional<Status> WalkDisordered(std::span<const Timestamp> times, Answers& answers,
                                       const AnswerSink& sink, bool* overflowed) {
    BoundsSorter sorter(metrics_.cells, request_.memory / 2);
    ObservationReader reader(metrics_.wanted, sorter);
    if (auto error = archive_.Walk(MarksOf(request_, rule_), reader)) return error;
    if (sorter.overflowed()) {
      return Status{.kind = Status::Kind::kBudget,
                    .clause = "INT-309"_clause,
                    .message =
                        "the times of the records go back, and the observations of these "
                        "metrics do not fit the memory allowed"};
    }
    sorter.Finish(answers.relative(), answers);
    *overflowed = answers.overflowed();
    if (!*overflowed) Give(times, answers, reader, sorter.barriers(), sink);
    return std::nullopt;
  }

  void Give(std::span<const Timestamp> times, const Answers& answers,
            const ObservationReader& reader, const std::vector<Barrier>& barriers,
            const AnswerSink& sink) {
    std::vector<double> marks;
    for (const Barrier& barrier : barriers) {
      if (barrier.kind == Bound::Kind::kMark) marks.push_back(barrier.moment.at);
    }
    if (!end_) end_.emplace(rule_.traits().exact_end, reader.end() ? reader.end()->at : 0);
    for (const Timestamp time : times) {
      FetchAnswer fetch;
      fetch.time = rule_.traits().normalised_time ? time.Normalised() : time;  // INT-1207
      const double t = archive_.origin().Relative(time);
      if (request_.seeks) suppression_.Forget();
      if (end_->IsOutside(t)) {
        fetch.status = ErrorCode::kEndOfLog;
      } else {
        Fill(answers, answers.IndexOf(time), t, marks, reader, &fetch);
        suppression_.NoteFetch(t);
      }
      sink(fetch);
    }
  }

  void Fill(const Answers& answers, std::size_t time, double t, std::span<const double> marks,
            const ObservationReader& reader, FetchAnswer* fetch) {
    std::vector<MetricAnswer> distinct;
    for (std::size_t i = 0; i < metrics_.wanted.size(); ++i) {
      MetricAnswer& metric = distinct.emplace_back(AnswerOf(answers, i, time, reader));
      const Descriptor& descriptor = metrics_.wanted[i].descriptor;
      const bool counter =
          descriptor.semantics == Semantics::kCounter && IsNumeric(descriptor.type);
      if (counter && suppression_.Suppresses(i, t, marks)) metric.values.clear();
      suppression_.Note(i, !metric.values.empty());
    }
    for (const Pmid pmid : request_.metrics) {
      if (const auto known = metrics_.Find(pmid)) {
        fetch->metrics.push_back(distinct[*known]);  // INT-407
      } else if (pmid.IsNull()) {
        fetch->metrics.push_back({pmid, ErrorCode::kOk, {}, {}});
      } else {
        fetch->metrics.push_back({pmid, kPmidLog, "the archive has no metric " + ToText(pmid), {}});
      }
    }
  }

  MetricAnswer AnswerOf(const Answers& answers, std::size_t metric, std::size_t time,
                        const ObservationReader& reader) const {
    const WantedMetric& wanted = metrics_.wanted[metric];
    MetricAnswer answer{wanted.descriptor.pmid, ErrorCode::kOk, {}, {}};
    for (std::size_t i = 0; i < wanted.instances.size(); ++i) {
      const std::size_t cell = metrics_.first_cell[metric] + i;
      const Entry& entry = answers.At(cell, time);
      if (entry.kind == Answer::Kind::kNone) continue;
      if (entry.kind == Answer::Kind::kDamaged) return Damaged(wanted, entry.bits, reader);
      if (entry.kind == Answer::Kind::kTypeError) {
        answer.status = ErrorCode::kType;  // INT-406, INT-412
        answer.message = "a value of type " + ToText(wanted.descriptor.type) + " and semantics " +
                         ToText(wanted.descriptor.semantics) + " can not be interpolated";
        answer.values.clear();
        return answer;
      }
      InstanceAnswer& instance = answer.values.emplace_back();
      instance.instance = wanted.instances[i];
      instance.value = {wanted.descriptor.type, entry.insitu, entry.bits, {}};
      if (entry.opaque != nullptr) instance.value.opaque = AsBytes(*entry.opaque);
      instance.why = entry.why;
      if (const Bounds* bounds = answers.BoundsAt(cell, time)) instance.bounds = *bounds;
    }
    return answer;
  }

  static MetricAnswer Damaged(const WantedMetric& wanted, std::uint64_t record,
                              const ObservationReader& reader) {
    const auto damage =
        std::ranges::find(reader.damage(), record, &std::pair<std::uint64_t, Status>::first);
    return {wanted.descriptor.pmid,
            ErrorCode::kLogRecord,
            damage != reader.damage().end()
                ? damage->second.ToText()
                : "a value is stored in a form that its metric can not have [INT-411]",
            {}};
  }

  const ReplayArchive& archive_;
  const ReplayRequest request_;
  const Profile profile_;
  const Rule& rule_;
  WantedMetrics metrics_;
  Suppression suppression_;
  std::optional<EndOfArchive> end_;
};

ReplayContext::ReplayContext(const ReplayArchive& archive, ReplayRequest request, Profile profile)
    : implementation_(
          std::make_unique<Implementation>(archive, std::move(request), std::move(profile))) {}

ReplayContext::~ReplayContext() = default;

std::optional<Status> ReplayContext::Fetch(std::span<const Timestamp> times,
                                           const AnswerSink& sink) {
  return implementation_->Fetch(times, sink);
}

}  // namespace pmproof::replay
