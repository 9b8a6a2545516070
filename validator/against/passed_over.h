// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGAINST_PASSED_OVER_H_
#define PMPROOF_VALIDATOR_AGAINST_PASSED_OVER_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <tuple>

#include "reference/archive/data_record.h"
#include "reference/archive/source.h"
#include "reference/archive/storage.h"
#include "reference/core/status.h"
#include "reference/core/timestamp.h"
#include "validator/against/side.h"

namespace pmproof::validator::against {

// The records that a reader misses who looks for them by the temporal index: an entry has their
// time and leads to their end (ARC-456), and none leads to their beginning. A value.
class PassedOver {
 public:
  // Of a side that is one archive; of several, there are none. An index that cannot be read knows
  // of none either. Errors: what the operating system says, and kBudget where it has too many
  // entries for `most` bytes.
  static Result<PassedOver> Load(const archive::Storage& storage, const Side& side,
                                 const archive::SourceLimits& limits, std::size_t most);

  bool Has(const archive::DataRecord& record) const {
    const archive::RecordView& view = record.record;
    return Leads(record.time, view.part, view.offset + view.bytes.size()) &&
           !Leads(record.time, view.part, view.offset);
  }

 private:
  bool Leads(Timestamp time, archive::Part volume, std::uint64_t offset) const {
    return entries_.contains({time, volume, offset});
  }

  std::set<std::tuple<Timestamp, archive::Part, std::uint64_t>> entries_;
};

}  // namespace pmproof::validator::against

#endif  // PMPROOF_VALIDATOR_AGAINST_PASSED_OVER_H_
