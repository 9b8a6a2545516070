// SPDX-License-Identifier: Apache-2.0
#include "validator/check/stretch.h"

#include <optional>

#include "reference/archive/data_record.h"

namespace pmproof::validator {

void Stretch::CheckRecord(const archive::RecordView& record,
                          std::optional<Timestamp>* latest_time) {
  bool time_known = true;
  if (record.bytes.size() >= archive::LayoutOf(version_).mark) {
    const Timestamp time =
        archive::LoadTimestamp(record.bytes.data() + archive::kLengthWord, version_);
    const bool in_order = !*latest_time || time >= **latest_time;
    if (in_order) *latest_time = time;
    time_known =
        in_order && time.seconds >= 0 &&
        archive::FractionInRange(
            archive::LoadFraction(record.bytes.data() + archive::kLengthWord, version_), version_);
    if (time_known && checker.CheckAsBefore(record, version_, time)) return;
  }
  const std::optional<archive::DataRecord> decoded =
      archive::DecodeDataRecord(record, version_, collector);
  if (decoded) {
    checker.Check(*decoded, time_known);
  } else {
    ++refused;
  }
}

}  // namespace pmproof::validator
