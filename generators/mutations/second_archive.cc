// SPDX-License-Identifier: Apache-2.0
#include "generators/mutations/second_archive.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "generators/mutations/fresh.h"
#include "generators/mutations/move_times.h"
#include "reference/archive/layout.h"

namespace pmproof::generators {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kSecondsOf1990 = 631152000;

Timestamp Stored(Timestamp time, const ArchivePlan& plan) {
  if (plan.label.version == 2) time.nanoseconds -= time.nanoseconds % 1000;
  return time;
}

// Less than a second, so that events (ARC-1826) need not follow.
void Add(ArchivePlan& plan, std::int64_t nanoseconds) {
  const auto add = [nanoseconds](Timestamp& time) { time = time + nanoseconds; };
  add(plan.label.start);
  for (auto& [part, label] : plan.labels) add(label.start);
  for (archive::MetaRecordModel& record : plan.meta) {
    const std::optional<Timestamp> time = TimeOf(record);
    if (!time) continue;
    if (auto* indom = std::get_if<archive::IndomModel>(&record)) {
      add(indom->time);
    } else if (auto* labels = std::get_if<archive::LabelRecordModel>(&record)) {
      add(labels->time);
    } else {
      // After the type (ARC-340, ARC-390).
      std::string& payload = std::get<archive::RawRecordModel>(record).payload;
      archive::StoreTimestamp(reinterpret_cast<std::uint8_t*>(payload.data()) + 4,
                              *time + nanoseconds, plan.label.version);
    }
  }
  for (auto& [volume, results] : plan.volumes) {
    for (archive::ResultModel& result : results) add(result.time);
  }
  for (PlannedIndexEntry& entry : plan.index) add(entry.time);
}

}  // namespace

std::int64_t Span(const ArchivePlan& plan) {
  return NanosecondsBetween(Stored(plan.label.start, plan), Stored(LatestTime(plan), plan));
}

NotApplicable MoveBack(ArchivePlan& plan, std::int64_t nanoseconds) {
  const std::int64_t seconds = nanoseconds / kSecond + (nanoseconds % kSecond != 0 ? 1 : 0);
  if (plan.label.start.seconds - seconds < kSecondsOf1990)
    return "an archive in front of it would begin before 1990";
  MoveTimes(plan, -seconds);
  if (nanoseconds % kSecond != 0) Add(plan, kSecond - nanoseconds % kSecond);
  return std::nullopt;
}

void AddSecond(const ArchivePlan& second, MutatedFiles& files) {
  for (auto& [suffix, content] : Encode(second).files)
    files.files[files.base + "-2." + suffix] = std::move(content);
}

}  // namespace pmproof::generators
