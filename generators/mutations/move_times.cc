// SPDX-License-Identifier: Apache-2.0
#include "generators/mutations/move_times.h"

#include <algorithm>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "reference/archive/layout.h"
#include "reference/core/bytes.h"
#include "reference/core/event_array.h"
#include "reference/core/metric.h"

namespace pmproof::generators {
namespace {

constexpr std::int64_t kLatestOf32Bits = std::numeric_limits<std::int32_t>::max();

std::uint8_t* BytesOf(std::string& text) { return reinterpret_cast<std::uint8_t*>(text.data()); }

// A payload without its length words: the type, then the time (ARC-340, ARC-390).
void ShiftPayload(std::string& payload, std::int64_t seconds) {
  if (payload.size() < 4) return;
  using archive::RecordType;
  const auto type = static_cast<RecordType>(LoadI32(BytesOf(payload)));
  const bool old = type == RecordType::kIndomV2 || type == RecordType::kLabelV2;
  if (!old && type != RecordType::kIndom && type != RecordType::kIndomDelta &&
      type != RecordType::kLabel) {
    return;
  }
  const int version = old ? 2 : 3;
  if (payload.size() < 4 + archive::LayoutOf(version).timestamp) return;
  Timestamp time = archive::LoadTimestamp(BytesOf(payload) + 4, version);
  time.seconds += seconds;
  archive::StoreTimestamp(BytesOf(payload) + 4, time, version);
}

void ShiftEvents(std::string& payload, bool highres, std::int64_t seconds) {
  std::vector<std::uint32_t> records;
  EventArray events(AsBytes(payload), highres);
  while (const auto event = events.NextRecord()) records.push_back(event->offset);
  for (const std::uint32_t at : records) {
    std::uint8_t* const p = BytesOf(payload) + at;
    if (highres) {
      StoreU64(p, static_cast<std::uint64_t>(LoadI64(p) + seconds));
      continue;
    }
    const std::int64_t time = LoadI32(p) + seconds;
    StoreU32(p, static_cast<std::uint32_t>(std::min(time, kLatestOf32Bits)));
    if (time > kLatestOf32Bits) StoreU32(p + 4, 0);  // all of them, so that none is out of order
  }
}

void Shift(archive::ResultModel& result, std::int64_t seconds) {
  result.time.seconds += seconds;
  for (archive::ValueSetModel& set : result.sets) {
    for (archive::ValueModel& value : set.values) {
      auto* block = std::get_if<archive::BlockModel>(&value.value);
      if (block == nullptr) continue;
      const auto type = static_cast<MetricType>(block->type);
      if (type == MetricType::kEvent || type == MetricType::kHighresEvent)
        ShiftEvents(block->payload, type == MetricType::kHighresEvent, seconds);
    }
  }
}

}  // namespace

void MoveTimes(ArchivePlan& plan, std::int64_t seconds) {
  plan.label.start.seconds += seconds;
  for (auto& [part, label] : plan.labels) label.start.seconds += seconds;
  for (archive::MetaRecordModel& record : plan.meta) {
    if (auto* indom = std::get_if<archive::IndomModel>(&record)) {
      indom->time.seconds += seconds;
    } else if (auto* labels = std::get_if<archive::LabelRecordModel>(&record)) {
      labels->time.seconds += seconds;
    } else if (auto* raw = std::get_if<archive::RawRecordModel>(&record)) {
      ShiftPayload(raw->payload, seconds);
    }
  }
  for (auto& [volume, results] : plan.volumes) {
    for (archive::ResultModel& result : results) Shift(result, seconds);
  }
  for (PlannedIndexEntry& entry : plan.index) entry.time.seconds += seconds;
}

Timestamp LatestTime(const ArchivePlan& plan) {
  Timestamp latest;
  for (const auto& [volume, results] : plan.volumes) {
    for (const archive::ResultModel& result : results) latest = std::max(latest, result.time);
  }
  return latest;
}

}  // namespace pmproof::generators
