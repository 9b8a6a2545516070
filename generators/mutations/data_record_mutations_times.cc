// SPDX-License-Identifier: Apache-2.0
// Edits of section 14.8 that give a record a wrong time, or put a mark where it does not belong.

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "generators/mutations/data_record_mutations.h"
#include "generators/mutations/find.h"
#include "generators/mutations/new_records.h"

namespace pmproof::generators {
namespace {

using archive::ResultModel;

constexpr std::int64_t kMillisecond = 1'000'000;
constexpr std::int64_t kSecond = 1'000'000'000;

// What the record before says, once more: no value changes by that.
ResultModel Again(const Room& room, Timestamp time) { return {time, room.before->sets}; }

// Puts what `make` gives for a room into one; it can decline a room by giving nothing.
template <typename Make>
NotApplicable PutOne(ArchivePlan& plan, Random& random, Make&& make) {
  const auto place = InsertRecords(plan, random, 1, [&make](const Room& room) {
    std::vector<ResultModel> records;
    if (std::optional<ResultModel> record = make(room)) records.push_back(*std::move(record));
    return records;
  });
  return place ? NotApplicable() : kNoRoom;
}

// The fraction as it is stored: in microseconds or nanoseconds (ARC-003, ARC-004).
NotApplicable PutFraction(ArchivePlan& plan, Random& random, std::int32_t fraction) {
  return PutOne(plan, random, [fraction](const Room& room) {
    ResultModel result = Again(room, room.times[0]);
    result.fraction = fraction;
    return std::optional(std::move(result));
  });
}

// A mark between two records that are none, at the time that `time` gives if it gives one.
template <typename Time>
NotApplicable PutMark(ArchivePlan& plan, Random& random, Time&& time) {
  return PutOne(plan, random, [&time](const Room& room) -> std::optional<ResultModel> {
    if (room.behind->sets.empty()) return std::nullopt;
    const std::optional<Timestamp> at = time(room);
    return at ? std::optional(ResultModel{*at, {}}) : std::nullopt;
  });
}

// A time in first..last, in whole steps from `first` on.
Timestamp TimeIn(Timestamp first, Timestamp last, Random& random) {
  return first + kTimeStep * random.Between(0, NanosecondsBetween(first, last) / kTimeStep);
}

}  // namespace

NotApplicable FractionTooLarge(ArchivePlan& plan, Random& random) {
  const std::int64_t whole = plan.label.version == 3 ? kSecond : kSecond / 1000;
  return PutFraction(plan, random, static_cast<std::int32_t>(random.Between(whole, 2 * whole)));
}

NotApplicable FractionNegative(ArchivePlan& plan, Random& random) {
  return PutFraction(plan, random, static_cast<std::int32_t>(-random.Between(1, kSecond)));
}

NotApplicable RecordBeforeTheStart(ArchivePlan& plan, Random& random) {
  const Timestamp start = plan.label.start;
  if (start.seconds < 1) return "its start is that of 1970, and what is earlier is ARC-1722's";
  const std::int64_t seconds = random.Between(1, std::min<std::int64_t>(start.seconds, 100'000));
  return PutOne(plan, random, [&](const Room& room) {
    return std::optional(Again(room, {start.seconds - seconds, start.nanoseconds}));
  });
}

NotApplicable RecordGoesBack(ArchivePlan& plan, Random& random) {
  return PutOne(plan, random, [&](const Room& room) -> std::optional<ResultModel> {
    const Timestamp last = room.before->time + -kTimeStep;
    if (last < plan.label.start) return std::nullopt;
    return Again(room, TimeIn(plan.label.start, last, random));
  });
}

NotApplicable TwoRecordsOfOneTime(ArchivePlan& plan, Random& random) {
  return PutOne(plan, random, [](const Room& room) -> std::optional<ResultModel> {
    if (IsLogue(*room.before)) return std::nullopt;
    return Again(room, room.before->time);
  });
}

NotApplicable RecordWithTheTimeOfTheLogue(ArchivePlan& plan, Random& random) {
  if (PutOne(plan, random, [](const Room& room) -> std::optional<ResultModel> {
        if (!IsLogue(*room.before)) return std::nullopt;
        return Again(room, room.before->time);
      })) {
    return "it has no prologue, or no room after it";
  }
  return std::nullopt;
}

NotApplicable RecordBefore1970(ArchivePlan& plan, Random& random) {
  return PutOne(plan, random, [&random](const Room& room) {
    return std::optional(Again(room, {-random.Between(1, 100'000), 0}));
  });
}

// The first entry of the index stands for the mark then (ARC-1921).
NotApplicable MarkAtTheStart(ArchivePlan& plan, Random&) {
  const std::vector<ResultPlace> results = Results(plan);
  if (results.empty() || At(plan, results.front()).sets.empty()) {
    return "it has no data record, or begins with a mark already";
  }
  const ResultPlace first = results.front();
  const Timestamp time = At(plan, first).time;
  if (time != plan.label.start) return "it does not begin at the time that its label says";
  const auto entry =
      std::find_if(plan.index.begin(), plan.index.end(), [&](const PlannedIndexEntry& candidate) {
        return candidate.volume == first.volume && candidate.data_record == first.record &&
               candidate.time == time;
      });
  if (entry != plan.index.end() && std::next(entry) == plan.index.end()) {
    return "the last entry of its index stands for its first record";
  }
  InsertResult(plan, first, {time, {}});
  if (entry != plan.index.end()) entry->data_record = first.record;
  return std::nullopt;
}

NotApplicable MarkAtTheEnd(ArchivePlan& plan, Random& random) {
  const std::vector<ResultPlace> results = Results(plan);
  if (results.empty() || At(plan, results.back()).sets.empty()) {
    return "it has no data record, or ends with a mark already";
  }
  const archive::Part volume = results.back().volume;
  const std::size_t end = plan.volumes.at(volume).size();
  for (const PlannedIndexEntry& entry : plan.index) {
    if (entry.volume == volume && entry.data_record >= end) {
      return "its index has an entry for its end";
    }
    // With the mark there would be a time that late (ARC-1918 in place of ARC-1924).
    if (entry.time > At(plan, results.back()).time) return "its index has a later entry";
  }
  const Timestamp last = At(plan, results.back()).time;
  const Timestamp time = random.Chance(1, 2)
                             ? last + kMillisecond
                             : Timestamp{last.seconds + random.Between(1, 5), last.nanoseconds};
  plan.volumes.at(volume).push_back({time, {}});
  return std::nullopt;
}

// Two or three of them, or one beside a mark that is there.
NotApplicable MarksInARow(ArchivePlan& plan, Random& random) {
  const auto place = InsertRecords(plan, random, 3, [&random](const Room& room) {
    const bool beside = room.behind->sets.empty();
    const auto count = static_cast<std::size_t>(random.Between(beside ? 1 : 2, 3));
    std::vector<ResultModel> marks;
    for (std::size_t i = 0; i < count; ++i) marks.push_back({room.times[i], {}});
    return marks;
  });
  return place ? NotApplicable() : kNoRoom;
}

NotApplicable MarkNotLaterThanTheRecordBefore(ArchivePlan& plan, Random& random) {
  return PutMark(plan, random, [&](const Room& room) {
    const bool same = random.Chance(1, 2) || room.before->time <= plan.label.start;
    return std::optional(same ? room.before->time
                              : TimeIn(plan.label.start, room.before->time, random));
  });
}

NotApplicable MarkLaterThanTheRecordBehind(ArchivePlan& plan, Random& random) {
  return PutMark(plan, random, [&random](const Room& room) {
    return std::optional(room.behind->time +
                         (random.Chance(1, 2) ? kTimeStep : kTimeStep * random.Between(1, 1000)));
  });
}

}  // namespace pmproof::generators
