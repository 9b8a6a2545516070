// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGAINST_DATA_CURSOR_H_
#define PMPROOF_VALIDATOR_AGAINST_DATA_CURSOR_H_

#include <cstddef>
#include <memory>
#include <utility>

#include "reference/archive/data_record.h"
#include "reference/core/status.h"
#include "reference/core/timestamp.h"
#include "validator/against/instant_reader.h"

namespace pmproof::validator::against {

// The data records of a side one by one, by their own times: one that PCP writes after a mark may
// be earlier than that (ARC-658), and then belongs to the instant of the mark.
class DataCursor {
 public:
  explicit DataCursor(std::unique_ptr<InstantReader> reader) : reader_(std::move(reader)) {}

  // Goes on to the next record; false at the end. Errors: those of the reader.
  Result<bool> Next() {
    while (true) {
      if (instant_ != nullptr && ++index_ < instant_->records.size()) {
        if (!record().IsMark()) return true;
        continue;
      }
      const auto next = reader_->Next();
      if (!next) return tl::unexpected(next.error());
      instant_ = *next;
      if (instant_ == nullptr) return false;
      index_ = 0;
      if (!instant_->records.empty() && !record().IsMark()) return true;
    }
  }

  // The one that it stands at.
  const archive::DataRecord& record() const { return instant_->records[index_]; }
  Timestamp time() const { return record().time.Normalised(); }

 private:
  std::unique_ptr<InstantReader> reader_;
  const Instant* instant_ = nullptr;
  std::size_t index_ = 0;
};

}  // namespace pmproof::validator::against

#endif  // PMPROOF_VALIDATOR_AGAINST_DATA_CURSOR_H_
