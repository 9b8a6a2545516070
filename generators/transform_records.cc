// SPDX-License-Identifier: Apache-2.0
// Transformations that change records: their times, and their version.

#include <limits>
#include <memory>
#include <utility>
#include <variant>

#include "generators/transform.h"
#include "reference/archive/metadata.h"
#include "reference/archive/reporter.h"
#include "reference/archive/version_converter.h"
#include "reference/core/bytes.h"
#include "reference/core/event_array.h"

namespace pmproof::generators {
namespace {

// Moves times by whole seconds, and keeps the first that cannot be moved.
class Shifter {
 public:
  Shifter(int version, std::int64_t seconds) : version_(version), seconds_(seconds) {}

  void Shift(Timestamp& time) {
    if (const auto moved = Moved(time.seconds, version_ == 2)) time.seconds = *moved;
  }

  void Shift(archive::MetaRecordModel& record) {
    if (auto* indom = std::get_if<archive::IndomModel>(&record)) return Shift(indom->time);
    if (auto* labels = std::get_if<archive::LabelRecordModel>(&record)) return Shift(labels->time);
    if (!failure_ && std::holds_alternative<archive::RawRecordModel>(record)) {
      failure_ = Status{.kind = Status::Kind::kUnsupported,
                        .clause = "ARC-340"_clause,
                        .message = "whether a record that is kept as bytes has a time is unknown"};
    }
  }

  void Shift(archive::ResultModel& result) {
    Shift(result.time);
    for (archive::ValueSetModel& set : result.sets) {
      for (archive::ValueModel& value : set.values) {
        auto* block = std::get_if<archive::BlockModel>(&value.value);
        if (block == nullptr) continue;
        const auto type = static_cast<MetricType>(block->type);
        if (type == MetricType::kEvent || type == MetricType::kHighresEvent) ShiftEvents(*block);
      }
    }
  }

  const std::optional<Status>& failure() const { return failure_; }

 private:
  std::optional<std::int64_t> Moved(std::int64_t from, bool in_32_bits) {
    std::int64_t moved = 0;
    const bool overflow = __builtin_add_overflow(from, seconds_, &moved);
    const bool fits = !overflow && (!in_32_bits || moved == static_cast<std::int32_t>(moved));
    if (fits) return moved;
    if (!failure_) {
      failure_ = Status{.kind = Status::Kind::kUnsupported,
                        .clause = "ARC-504"_clause,
                        .message = "the time " + std::to_string(from) + " s cannot be moved by " +
                                   std::to_string(seconds_) + " s"};
    }
    return std::nullopt;
  }

  void ShiftEvents(archive::BlockModel& block) {
    const bool highres = static_cast<MetricType>(block.type) == MetricType::kHighresEvent;
    const std::string payload = block.payload;
    EventArray events(AsBytes(payload), highres);
    while (const auto event = events.NextRecord()) {
      auto* field = reinterpret_cast<std::uint8_t*>(block.payload.data()) + event->offset;
      const auto moved = Moved(event->time.seconds, !highres);
      if (!moved) return;
      if (highres) {
        StoreU32(field, static_cast<std::uint32_t>(*moved >> 32));
        field += 4;
      }
      StoreU32(field, static_cast<std::uint32_t>(*moved));
    }
  }

  int version_;
  std::int64_t seconds_;
  std::optional<Status> failure_;
};

}  // namespace

Result<ArchivePlan> ShiftTimes(ArchivePlan plan, std::int64_t seconds) {
  Shifter shifter(plan.label.version, seconds);
  shifter.Shift(plan.label.start);
  for (auto& [part, label] : plan.labels) shifter.Shift(label.start);
  for (archive::MetaRecordModel& record : plan.meta) shifter.Shift(record);
  for (auto& [part, results] : plan.volumes) {
    for (archive::ResultModel& result : results) shifter.Shift(result);
  }
  for (PlannedIndexEntry& entry : plan.index) shifter.Shift(entry.time);
  if (shifter.failure()) return tl::unexpected(*shifter.failure());
  return plan;
}

Result<ArchivePlan> ToVersion(const ArchivePlan& plan, int version) {
  if (plan.label.version == version) return plan;
  archive::MemoryStorage storage;
  Encode(plan).Store("plan", &storage);
  const auto file = storage.Open("plan.meta");
  if (!file) return tl::unexpected(file.error());
  const auto source = archive::MakeSource(**file, "plan.meta", archive::Compression::kNone);
  const std::uint64_t label_size = archive::LayoutOf(plan.label.version).label;
  source->Skip(label_size);
  archive::IgnoringReporter ignore;
  const auto metadata = archive::LoadMetadata(*source, plan.label.version, ignore);
  if (!metadata) return tl::unexpected(metadata.error());
  archive::VersionConverter converter(version, *metadata);

  ArchivePlan converted = plan;
  const auto label = converter.Convert(plan.label);
  if (!label) return tl::unexpected(label.error());
  converted.label = *label;
  for (auto& [part, own] : converted.labels) {
    const auto other = converter.Convert(own);
    if (!other) return tl::unexpected(other.error());
    own = *other;
  }
  std::uint64_t offset = label_size;
  for (archive::MetaRecordModel& record : converted.meta) {
    archive::Buffer bytes;
    archive::AppendMetaRecord(record, plan.label.version, &bytes);
    auto other = converter.Convert(record, offset);
    if (!other) return tl::unexpected(other.error());
    record = *std::move(other);
    offset += bytes.size();
  }
  for (auto& [part, results] : converted.volumes) {
    for (archive::ResultModel& result : results) {
      auto other = converter.Convert(std::move(result));
      if (!other) return tl::unexpected(other.error());
      result = *std::move(other);
    }
  }
  for (PlannedIndexEntry& entry : converted.index) {
    const auto other = converter.Convert(archive::IndexEntryModel{entry.time, entry.volume, 0, 0});
    if (!other) return tl::unexpected(other.error());
    entry.time = other->time;
  }
  return converted;
}

}  // namespace pmproof::generators
