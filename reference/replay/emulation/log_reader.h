// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_EMULATION_LOG_READER_H_
#define PMPROOF_REFERENCE_REPLAY_EMULATION_LOG_READER_H_

#include <cstddef>
#include <cstdint>

#include "reference/replay/emulation/deviation.h"
#include "reference/replay/emulation/record_log.h"

namespace pmproof::replay::emulation {

// Where libpcp reads in an archive: a gap between records, and the volume that is open there
// (INT-1401). The log outlives it.
class LogReader {
 public:
  struct Position {
    std::size_t gap = 0;
    archive::Part volume = 0;
  };

  // What Locate() makes of the flag `placed`.
  enum class Placed : std::uint8_t { kAsBefore, kNo, kYes };

  // Mends DEV-17 and DEV-28.
  LogReader(const RecordLog& log, Mends mends);

  Position position() const { return position_; }
  void GoTo(Position position) { position_ = position; }

  // libpcp has looked where the archive ends.
  void OpenLast() { opened_last_ = true; }

  // The next record in this direction, null at the end.
  const LoggedRecord* Forward();
  const LoggedRecord* Backward();

  // INT-1402: goes near `time` by the temporal index.
  Placed Locate(Timestamp time, bool up);

 private:
  std::size_t FirstEntryNotBefore(const Origin& time, bool* too_far) const;
  void GoToEntry(std::size_t entry);
  const LoggedRecord* Read(std::size_t record, std::size_t gap);

  const RecordLog& log_;
  Mends mends_;
  bool without_index_;
  Position position_;
  bool opened_last_ = false;
};

}  // namespace pmproof::replay::emulation

#endif  // PMPROOF_REFERENCE_REPLAY_EMULATION_LOG_READER_H_
