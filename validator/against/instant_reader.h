// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGAINST_INSTANT_READER_H_
#define PMPROOF_VALIDATOR_AGAINST_INSTANT_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "reference/archive/data_record.h"
#include "reference/archive/source.h"
#include "reference/archive/storage.h"
#include "reference/core/status.h"
#include "reference/core/timestamp.h"
#include "validator/against/side.h"

namespace pmproof::validator::against {

// The data records of one time: of one side, in the order in which they are read.
struct Instant {
  Timestamp at;
  // Marks too. Of their own times none is later than `at`; one is earlier where times go back
  // (ARC-500): such a record belongs to the instant after which it stands.
  std::vector<archive::DataRecord> records;
  std::vector<int> versions;        // of the archives that they are from
  std::vector<std::uint8_t> bytes;  // what the records view
};

// Reads the data of a side in order of time, volume by volume and its members side by side. Memory
// is that of one instant and of as many open volumes as there are archives that overlap.
class InstantReader {
 public:
  // `most`: bytes of the records of one instant. `side` outlives the reader.
  InstantReader(const archive::Storage& storage, const Side& side,
                const archive::SourceLimits& limits, std::size_t most);
  ~InstantReader();
  InstantReader(const InstantReader&) = delete;
  InstantReader& operator=(const InstantReader&) = delete;

  // Null at the end. Holds until the next call. Errors: those of the files; kDamaged for what
  // readers refuse, so that nothing is claimed about what lies behind it; kBudget.
  Result<const Instant*> Next();

 private:
  class Member;

  std::optional<Status> Activate();
  std::optional<Status> Take(Member& member);

  const archive::Storage& storage_;
  const Side& side_;
  archive::SourceLimits limits_;
  std::size_t most_;
  std::size_t unopened_ = 0;                             // the first member that was never open
  std::vector<std::unique_ptr<Member>> members_;         // null before they are open and after
  std::set<std::pair<Timestamp, std::size_t>> waiting_;  // the time of each open one's next record
  Timestamp last_;
  bool begun_ = false;
  struct Stored {
    std::size_t begin = 0;
    archive::RecordView view;
    int version = 2;
    std::size_t member = 0;
  };
  std::vector<Stored> stored_;
  Instant instant_;
};

}  // namespace pmproof::validator::against

#endif  // PMPROOF_VALIDATOR_AGAINST_INSTANT_READER_H_
