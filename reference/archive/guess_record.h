// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_GUESS_RECORD_H_
#define PMPROOF_REFERENCE_ARCHIVE_GUESS_RECORD_H_

#include <cstdint>

#include "reference/archive/layout.h"
#include "reference/archive/source.h"
#include "reference/archive/storage.h"
#include "reference/core/timestamp.h"

namespace pmproof::archive {

// What the records of a file look like.
struct RecordsToGuess {
  Part part = 0;
  int version = 2;
  // Of a data volume: no record is earlier than this, and none many years later.
  Timestamp from{};
};

// Moves `source`, which shows `file`, on to the next place in front of `end` where records seem to
// begin: one with equal length words, and others like it after it or the end of the file. Those of
// a data volume begin at a multiple of four and have times that do not go back; those of .meta have
// a type. False if there is no such place, or too many that look like it at first.
//
// A guess: values may look like records. Whoever uses it finds out before anything is concluded.
// Time is linear in the bytes that are passed over.
bool SkipToRecord(Source& source, const StoredFile& file, std::uint64_t end,
                  const RecordsToGuess& records);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_GUESS_RECORD_H_
