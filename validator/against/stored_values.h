// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGAINST_STORED_VALUES_H_
#define PMPROOF_VALIDATOR_AGAINST_STORED_VALUES_H_

#include <cstdint>
#include <string>

#include "reference/archive/data_record.h"
#include "reference/core/metric.h"
#include "reference/core/value.h"

namespace pmproof::validator::against {

// One value of a value set; or the set itself, which has none: an answer without values (ARC-202,
// ARC-203). A view.
struct StoredItem {
  archive::ValueSet set;
  std::uint32_t index = 0;

  bool is_status() const { return set.numval() <= 0; }
};

// True if both are the same value of a metric of type `type`: bit by bit, strings, aggregates and
// events byte by byte. A FLOAT may be stored in either form (ARC-206), and the block of what is no
// number may have type 0 (ARC-233).
bool SameValue(const StoredItem& a, const StoredItem& b, MetricType type);

// True if they are the same number, of a metric whose type is not the same on both sides. Of types
// that are no numbers true if the bytes are the same.
bool SameNumber(const StoredItem& a, MetricType type_a, const StoredItem& b, MetricType type_b);

// The same of values; those of one type bit by bit, opaque ones byte by byte.
bool SameNumber(const Value& a, const Value& b);

// For people: "781", the text of a string, "no values", "PM_ERR_VALUE"; shortened.
std::string Shown(const StoredItem& item, MetricType type);
std::string Shown(const Value& value);

}  // namespace pmproof::validator::against

#endif  // PMPROOF_VALIDATOR_AGAINST_STORED_VALUES_H_
