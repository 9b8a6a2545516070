// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_EVENT_ARRAY_H_
#define PMPROOF_REFERENCE_CORE_EVENT_ARRAY_H_

#include <cstdint>
#include <optional>

#include "reference/core/bytes.h"
#include "reference/core/identifiers.h"
#include "reference/core/metric.h"
#include "reference/core/timestamp.h"

namespace pmproof {

// Flags of an event record (ARC-274).
inline constexpr std::uint32_t kEventPoint = 0x1;
inline constexpr std::uint32_t kEventStart = 0x2;
inline constexpr std::uint32_t kEventEnd = 0x4;
inline constexpr std::uint32_t kEventId = 0x8;
inline constexpr std::uint32_t kEventParent = 0x10;
inline constexpr std::uint32_t kEventMissed = 0x80000000;

// One parameter of an event record (ARC-273). A view.
struct EventParameter {
  Pmid pmid;
  MetricType type = MetricType::kUnknown;
  Bytes payload;             // without the two header words and padding
  std::uint32_t offset = 0;  // in the payload of the value block
};

// One record of an event array (ARC-261, ARC-272). `parameter_count` is as stored: with the missed
// flag it is a number of missed records and no parameters follow (ARC-275).
struct EventRecord {
  Timestamp time;
  std::int64_t fraction = 0;  // micro- or nanoseconds as stored
  std::uint32_t flags = 0;
  std::int32_t parameter_count = 0;
  std::uint32_t offset = 0;  // in the payload of the value block

  bool missed() const { return (flags & kEventMissed) != 0; }
};

// Walks the payload of an EVENT (microseconds) or HIGHRES_EVENT (nanoseconds) value block (ARC-260)
// from front to back: a record, then its parameters. Never leaves the payload (ARC-277).
class EventArray {
 public:
  EventArray(Bytes payload, bool highres) : payload_(payload), highres_(highres) {
    if (payload.size() >= 4) record_count_ = LoadI32(payload.data());
  }

  // The number of records as stored; nothing if the payload is too short for it (rule ARC-1824).
  std::optional<std::int32_t> record_count() const { return record_count_; }

  // The next record; nothing after the last one, or where it does not fit: then fault() says where.
  // Parameters of the record before that were not taken are passed over.
  std::optional<EventRecord> NextRecord();

  // The next parameter of the current record; nothing after its last one, or where it does not fit.
  std::optional<EventParameter> NextParameter();

  // Where the array left its block, as an offset in the payload (rule ARC-1816).
  std::optional<std::uint32_t> fault() const { return fault_; }

  // Bytes walked so far, the count word included.
  std::uint32_t position() const { return at_; }

 private:
  Bytes payload_;
  bool highres_;
  std::optional<std::int32_t> record_count_;
  std::int32_t records_taken_ = 0;
  std::int32_t parameters_left_ = 0;
  std::uint32_t at_ = 4;
  std::optional<std::uint32_t> fault_;
};

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_EVENT_ARRAY_H_
