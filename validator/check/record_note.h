// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RECORD_NOTE_H_
#define PMPROOF_VALIDATOR_CHECK_RECORD_NOTE_H_

#include <cstdint>

#include "reference/archive/layout.h"
#include "reference/archive/reporter.h"
#include "reference/core/bytes.h"
#include "validator/check/rules/data_event.h"

namespace pmproof::validator {

// What the rules on order, index and times need to know of a data record beside its place. There
// are many: nothing is in here that follows from something else.
struct RecordNote {
  std::int64_t seconds = 0;
  std::int32_t fraction = 0;  // micro- or nanoseconds as stored
  std::uint32_t length = 0;   // less than that of a mark: too short to have a time
  std::uint32_t set_count = 0;
  std::uint32_t first_metric = 0;
};

// Inline, as the others here: what is made of each record stays in registers.
[[gnu::always_inline]] inline RecordNote NoteOf(Bytes record, int version) {
  const archive::Layout& layout = archive::LayoutOf(version);
  RecordNote note;
  note.length = static_cast<std::uint32_t>(record.size());
  if (record.size() < layout.mark) return note;
  const std::uint8_t* const time = record.data() + archive::kLengthWord;
  note.seconds = archive::LoadTimestamp(time, version).seconds;
  note.fraction = archive::LoadFraction(time, version);
  note.set_count = LoadU32(time + layout.timestamp);
  note.first_metric = LoadU32(time + layout.timestamp + 4);
  return note;
}

inline bool HasTime(const RecordNote& note, int version) {
  return note.length >= archive::LayoutOf(version).mark;
}

[[gnu::always_inline]] inline Timestamp TimeOf(const RecordNote& note, int version) {
  if (version == 3) return {note.seconds, note.fraction};
  return {note.seconds,
          static_cast<std::int32_t>(static_cast<std::uint32_t>(note.fraction) * 1000U)};
}

// Of a record that has a time.
[[gnu::always_inline]] inline DataEvent EventOf(const RecordNote& note, archive::Part part,
                                                std::uint64_t offset, std::uint64_t ordinal,
                                                int version) {
  return {.volume = part,
          .offset = offset,
          .length = note.length,
          .ordinal = ordinal,
          .time = TimeOf(note, version),
          .fraction = note.fraction,
          .set_count = note.set_count,
          .first_metric = note.first_metric};
}

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RECORD_NOTE_H_
