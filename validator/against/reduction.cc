// SPDX-License-Identifier: Apache-2.0
#include "validator/against/reduction.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "reference/replay/replay_archive.h"
#include "reference/replay/stored_value.h"
#include "validator/against/data_cursor.h"
#include "validator/against/expected_answers.h"
#include "validator/against/instant_reader.h"
#include "validator/against/passed_over.h"
#include "validator/against/stored_values.h"

namespace pmproof::validator::against {
namespace {

using archive::DataRecord;
using archive::ValueSet;

constexpr std::size_t kInstantShare = 16;
// So many of the times may have no record before that is called no interval.
constexpr std::uint64_t kMostMissing = 1'000'000;

// A metric and an instance of it.
using Place = std::pair<Pmid, std::int32_t>;

// What the reduced archive has at its times, and which these are.
struct Grid {
  Reduction reduction;
  std::vector<Timestamp> irregular;  // records between the times; the first few
  bool whole_microseconds = true;    // all times are
};

class ReductionComparison {
 public:
  ReductionComparison(const archive::Storage& storage, const Side& original,
                      const Side& replacement, const archive::MemoryBudget& budget,
                      MetricPairs& metrics, DifferenceLog& log, const NameInstance& name)
      : storage_(storage),
        original_(original),
        replacement_(replacement),
        half_(budget.bytes() / 2),
        metrics_(metrics),
        log_(log),
        name_(name) {}

  Result<Reduction> Run(Totals* totals_original, Totals* totals_replacement) {
    if (auto error = FindGrid(totals_replacement)) return tl::unexpected(*error);
    if (auto error = ReadOriginal(totals_original)) return tl::unexpected(*error);
    CompareMarks();
    if (grid_.reduction.times == 0) return grid_.reduction;
    std::vector<std::string> names;
    for (const SideMember& member : original_.members()) names.push_back(member.name);
    const auto archive = replay::ReplayArchive::Open(storage_, names, half_);
    if (!archive) return tl::unexpected(archive.error());
    std::vector<Pmid> asked;
    for (const auto& [pmid, pair] : metrics_.all()) {
      if (pair.original != nullptr && pair.replacement != nullptr) asked.push_back(pmid);
    }
    if (asked.empty()) return grid_.reduction;
    auto passed_over =
        PassedOver::Load(storage_, original_, half_.Reading(), half_.bytes() / kInstantShare);
    if (!passed_over) return tl::unexpected(passed_over.error());
    passed_over_ = *std::move(passed_over);
    const auto answers = AnswersAbout(**archive, asked, grid_.reduction.first,
                                      grid_.reduction.interval, half_.bytes());
    if (!answers) return tl::unexpected(answers.error());
    if (auto error = FindClosest(*answers)) return tl::unexpected(*error);
    return grid_.reduction;
  }

 private:
  std::unique_ptr<InstantReader> Reader(const Side& side) const {
    return std::make_unique<InstantReader>(storage_, side, half_.Reading(),
                                           half_.bytes() / kInstantShare);
  }

  // The interval is the largest that all distances are multiples of: a time may have no record
  // (ARC-657). Where most times have none it is no interval, but chance.
  std::optional<Status> FindGrid(Totals* totals) {
    Reduction& reduction = grid_.reduction;
    if (auto error = ReadReplacement(totals)) return error;
    std::optional<Timestamp> before;
    std::uint64_t records = 0;
    auto error = ForEachTime([&](Timestamp time) {
      ++records;
      if (!before) {
        reduction.first = time;
      } else if (const std::int64_t distance = NanosecondsBetween(*before, time); distance > 0) {
        reduction.interval = std::gcd(reduction.interval, distance);
      } else {
        LogIrregular(time);
        return;
      }
      before = reduction.last = time;
      reduction.times = 1;
    });
    if (error || reduction.interval == 0) return error;
    reduction.times =
        static_cast<std::uint64_t>(NanosecondsBetween(reduction.first, reduction.last) /
                                   reduction.interval) +
        1;
    const bool scattered = reduction.times > records + kMostMissing;
    if (scattered) {
      error = ForEachTime([&](Timestamp time) {
        if (reduction.first < time) LogIrregular(time);
      });
    }
    if (irregular_) reduction.times = 0;
    return error;
  }

  // Counts, and gathers marks.
  std::optional<Status> ReadReplacement(Totals* totals) {
    const auto reader = Reader(replacement_);
    while (true) {
      const auto next = reader->Next();
      if (!next) return next.error();
      if (*next == nullptr) return std::nullopt;
      Count(**next, false, totals);
      for (const DataRecord& record : (*next)->records) {
        grid_.whole_microseconds =
            grid_.whole_microseconds && record.time.Normalised().nanoseconds % 1000 == 0;
        if (record.IsMark()) ++marks_instead_[record.time];
      }
    }
  }

  // Calls visit(time) for each data record of the replacement.
  template <typename Visit>
  std::optional<Status> ForEachTime(const Visit& visit) {
    DataCursor cursor(Reader(replacement_));
    while (true) {
      const Result<bool> more = cursor.Next();
      if (!more) return more.error();
      if (!*more) return std::nullopt;
      visit(cursor.time());
    }
  }

  void LogIrregular(Timestamp time) {
    irregular_ = true;
    log_.Add(
        {Kind::kValues, Change::kChanged}, time, time,
        [] {
          Difference difference;
          difference.subject = "times of records";
          return difference;
        },
        [&] {
          return Example{.at = {},
                         .item = {},
                         .was = "",
                         .is =
                             "not later than the record before, or at no interval that most times "
                             "have a record at: no reduction has such a record"};
        });
  }

  void Count(const Instant& instant, bool is_original, Totals* totals) {
    for (const DataRecord& record : instant.records) {
      ++(record.IsMark() ? totals->marks : totals->records);
      record.ForEachSet([&](const ValueSet& set) {
        const std::uint64_t answers = set.numval() > 0 ? set.count() : 1;
        totals->values += answers;
        MetricPair* pair = PairOf(set, is_original);
        if (pair == nullptr) return;
        (is_original ? pair->values : pair->values_instead) += answers;
        if (is_original == pair->added()) return;
        if (!pair->first || record.time < *pair->first) pair->first = record.time;
        if (!pair->last || record.time > *pair->last) pair->last = record.time;
      });
    }
  }

  MetricPair* PairOf(const ValueSet& set, bool is_original) {
    return metrics_.Find(is_original ? set.pmid() : metrics_.InOriginal(set.pmid()));
  }

  // Counts, gathers marks, and tells of values that lie outside of what was reduced.
  std::optional<Status> ReadOriginal(Totals* totals) {
    const Reduction& reduction = grid_.reduction;
    const auto reader = Reader(original_);
    while (true) {
      const auto next = reader->Next();
      if (!next) return next.error();
      if (*next == nullptr) return std::nullopt;
      const Instant& instant = **next;
      Count(instant, true, totals);
      for (const DataRecord& record : instant.records) {
        if (record.IsMark()) ++marks_[Rounded(record.time)];
      }
      if (reduction.times == 0) continue;
      if (!(instant.at < reduction.first) && !IsDueAfterTheLast(instant.at)) continue;
      for (const DataRecord& record : instant.records) {
        ForEachValue(record, true, [&](MetricPair& pair, std::int32_t id, const StoredItem& item) {
          if (!pair.lost()) LogValue(pair, id, instant.at, &item, nullptr, nullptr);
        });
      }
    }
  }

  // Calls visit(pair, instance, item) for each value of a metric that both sides describe.
  template <typename Visit>
  void ForEachValue(const DataRecord& record, bool is_original, const Visit& visit) {
    record.ForEachSet([&](const ValueSet& set) {
      if (set.numval() <= 0) return;
      MetricPair* pair = PairOf(set, is_original);
      if (pair == nullptr) return;
      for (std::uint32_t i = 0; i < set.count(); ++i) {
        visit(*pair, set.Instance(i), StoredItem{set, i});
      }
    });
  }

  // PCP before 7 writes whole microseconds (ARC-656).
  Timestamp Rounded(Timestamp time) const {
    if (!grid_.whole_microseconds) return time;
    Timestamp rounded = time.Normalised();
    rounded.nanoseconds -= rounded.nanoseconds % 1000;
    return rounded;
  }

  // It is later than the last record, and the original goes on to the next time after it, so that
  // there was to be a record (ARC-656, ARC-657). Of a single record nobody knows the interval.
  bool IsDueAfterTheLast(Timestamp time) const {
    const Reduction& reduction = grid_.reduction;
    const std::optional<Timestamp> end = original_.members().back().end;
    if (reduction.interval == 0 || !(reduction.last < time) || !end) return false;
    const std::int64_t since = NanosecondsBetween(reduction.last, time);
    const std::int64_t over = since % reduction.interval;
    return time + (over == 0 ? 0 : reduction.interval - over) <= end->Normalised();
  }

  // ARC-658. Once is enough; a mark of the input is written twice.
  void CompareMarks() {
    const auto log = [&](Change change, Timestamp time) {
      log_.Add(
          {Kind::kMarks, change}, time, time, [] { return Difference{}; },
          [] { return Example{}; });
    };
    const Reduction& reduction = grid_.reduction;
    for (const Timestamp seam : original_.seams()) ++marks_[Rounded(seam)];
    for (const auto& [time, count] : marks_) {
      const bool expected =
          reduction.times == 0 || !(reduction.last < time) || IsDueAfterTheLast(time);
      if (expected && !marks_instead_.contains(time)) log(Change::kLost, time);
    }
    for (const auto& [time, count] : marks_instead_) {
      if (!marks_.contains(time)) log(Change::kAdded, time);
    }
  }

  // Of whom the answers differ least; what differs from those is logged.
  std::optional<Status> FindClosest(const std::vector<MakeAnswers>& all) {
    std::optional<std::size_t> closest;
    std::uint64_t fewest = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto answers = all[i]();
      const auto differences = Hold(*answers, false);
      if (!differences) return differences.error();
      if (!*differences || (closest && **differences >= fewest)) continue;
      closest = i;
      fewest = **differences;
      if (fewest == 0) break;
    }
    if (!closest) {
      return Status{.kind = Status::Kind::kUnsupported,
                    .message = "no version of PCP can be emulated over the whole of the original"};
    }
    const auto answers = all[*closest]();
    grid_.reduction.as = answers->name();
    const auto differences = Hold(*answers, true);
    return differences ? std::nullopt : std::optional(differences.error());
  }

  // How many values differ from these answers; nothing where the answers end before the times do.
  Result<std::optional<std::uint64_t>> Hold(ExpectedAnswers& answers, bool logs) {
    const Reduction& reduction = grid_.reduction;
    differences_ = 0;
    carried_.clear();
    grid_.reduction.unobserved = 0;
    logs_ = logs;
    bool after_gap = false;  // no record since the time before the one before
    const auto reader = Reader(original_);
    auto next = reader->Next();
    DataCursor cursor(Reader(replacement_));
    Result<bool> more = cursor.Next();
    Timestamp time = reduction.first;
    for (std::uint64_t k = 0; k < reduction.times; ++k) {
      observed_ = std::exchange(carried_, {});
      just_now_.clear();
      bool gap = true;
      while (next && *next != nullptr && (*next)->at <= time) {
        for (const DataRecord& record : (*next)->records) {
          if (after_gap && passed_over_.Has(record)) continue;
          gap = gap && record.IsMark();
          ForEachValue(record, true, [&](MetricPair& pair, std::int32_t id, const StoredItem&) {
            ((*next)->at < time ? observed_ : just_now_).emplace_back(pair.pmid, id);
          });
        }
        if (observed_.size() > kMostObserved) Compact(observed_);
        next = reader->Next();
      }
      if (!next) return tl::unexpected(next.error());
      after_gap = gap;
      Compact(observed_);
      Compact(just_now_);
      if (!more) return tl::unexpected(more.error());
      // More than one record of a time is none of a reduction: a later one is told as irregular.
      const bool there = *more && cursor.time() == time;
      const Result<bool> known = HoldAt(time, there ? &cursor.record() : nullptr, answers);
      if (!known) return tl::unexpected(known.error());
      if (!*known) return std::optional<std::uint64_t>();
      if (there) more = cursor.Next();
      time = (time + reduction.interval).Normalised();
    }
    return std::optional(differences_);
  }

  Result<bool> HoldAt(Timestamp time, const DataRecord* there, ExpectedAnswers& answers) {
    std::map<Place, StoredItem> stored;
    if (there != nullptr) {
      ForEachValue(*there, false, [&](MetricPair& pair, std::int32_t id, const StoredItem& item) {
        if (pair.original != nullptr) stored.insert_or_assign({pair.pmid, id}, item);
      });
    }
    const Result<bool> known =
        answers.Next(time, [&](Pmid metric, std::int32_t id, const Value& value) {
          MetricPair& pair = *metrics_.Find(metric);
          const auto found = stored.find({metric, id});
          if (found == stored.end()) {
            if (std::ranges::binary_search(observed_, Place(metric, id))) {
              Differ(pair, id, time, &value, nullptr);
            } else if (std::ranges::binary_search(just_now_, Place(metric, id))) {
              carried_.emplace_back(metric, id);
            } else {
              ++grid_.reduction.unobserved;
            }
            return;
          }
          const MetricType type = pair.replacement->descriptor.type;
          const auto is = replay::ReadStoredValue(found->second.set, found->second.index, type);
          if (!is || !SameNumber(value, *is)) Differ(pair, id, time, &value, &found->second);
          stored.erase(found);
        });
    if (!known || !*known) return known;
    for (const auto& [place, item] : stored) {
      Differ(*metrics_.Find(place.first), place.second, time, nullptr, &item);
    }
    return true;
  }

  void Differ(const MetricPair& pair, std::int32_t id, Timestamp time, const Value* was,
              const StoredItem* is) {
    ++differences_;
    if (logs_) LogValue(pair, id, time, nullptr, was, is);
  }

  void LogValue(const MetricPair& pair, std::int32_t id, Timestamp time, const StoredItem* stored,
                const Value* was, const StoredItem* is) {
    const bool has_was = stored != nullptr || was != nullptr;
    const Change change = !has_was        ? Change::kAdded
                          : is == nullptr ? Change::kLost
                                          : Change::kChanged;
    log_.Add(
        {Kind::kValues, change, pair.pmid.value}, time, time,
        [&] {
          Difference difference;
          difference.subject = pair.Name();
          difference.pmid = pair.pmid;
          return difference;
        },
        [&] {
          Example example;
          if (id != kInstanceNull) {
            example.item = std::to_string(id);
            if (const auto name = name_(pair, id, time)) {
              example.item += " \"" + Shortened(*name) + '"';
            }
          }
          if (stored != nullptr) example.was = Shown(*stored, pair.type());
          if (was != nullptr) example.was = Shown(*was);
          if (is != nullptr) example.is = Shown(*is, pair.replacement->descriptor.type);
          return example;
        });
  }

  static void Compact(std::vector<Place>& places) {
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
  }

  static constexpr std::size_t kMostObserved = std::size_t{1} << 20;

  const archive::Storage& storage_;
  const Side& original_;
  const Side& replacement_;
  const archive::MemoryBudget half_;
  MetricPairs& metrics_;
  DifferenceLog& log_;
  const NameInstance& name_;
  Grid grid_;
  bool irregular_ = false;
  PassedOver passed_over_;  // of the original
  std::map<Timestamp, std::uint64_t> marks_;
  std::map<Timestamp, std::uint64_t> marks_instead_;
  // What has a value in the original, ascending: since the time before, and at the very time, which
  // counts for the next one if nothing is there yet (ARC-657).
  std::vector<Place> observed_;
  std::vector<Place> just_now_;
  std::vector<Place> carried_;
  std::uint64_t differences_ = 0;
  bool logs_ = false;
};

}  // namespace

Result<Reduction> CompareReduction(const archive::Storage& storage, const Side& original,
                                   const Side& replacement, const archive::MemoryBudget& budget,
                                   MetricPairs& metrics, DifferenceLog& log,
                                   const NameInstance& name, Totals* totals_original,
                                   Totals* totals_replacement) {
  return ReductionComparison(storage, original, replacement, budget, metrics, log, name)
      .Run(totals_original, totals_replacement);
}

}  // namespace pmproof::validator::against
