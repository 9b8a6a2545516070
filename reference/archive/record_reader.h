// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_RECORD_READER_H_
#define PMPROOF_REFERENCE_ARCHIVE_RECORD_READER_H_

#include <cstdint>
#include <optional>

#include "reference/archive/layout.h"
#include "reference/archive/reporter.h"
#include "reference/archive/source.h"
#include "reference/core/status.h"

namespace pmproof::archive {

// Walks the framed records of a .meta file or a data volume from front to back (ARC-080..085), from
// after the label on. Reports the framing rules:
//   ARC-1101  a length word below 8; framing is lost
//   ARC-1102  the file ends inside a record's body, ARC-1103 inside its trailing word; both with
//             ARC-1111 if what is there is a sound beginning, else fatal in every profile: the
//             length is wrong then, and the file neither cut nor being written
//   ARC-1104  the trailing word differs. If a whole record, or the end of the file, is where
//             the leading word says, that word was right: the record is given and the walk
//             goes on. Else framing is lost
//   ARC-1105  1..3 bytes at the end
//   ARC-1107  nothing but zeros (4 or more) at the end
// The place is the record with all bytes it has; of ARC-1101 and ARC-1104 the word that is wrong.
class RecordReader {
 public:
  // `source` stands after the label, which is of `version`, and outlives the reader; nobody else
  // moves it meanwhile. Whoever begins in the middle of a file says which record comes first.
  RecordReader(Source& source, Part part, int version, Reporter& reporter,
               std::uint64_t first_ordinal = 1)
      : source_(source),
        reporter_(reporter),
        part_(part),
        version_(version),
        position_(source.position()),
        ordinal_(first_ordinal) {}

  // The next record, the label not counted; nothing at the end of the file or where framing is
  // lost. The view holds until the next call, of files that are not compressed as long as the file.
  // Errors are the source's; the records before the place of an error have been given, and it
  // stays.
  Result<std::optional<RecordView>> Next() {
    const auto left = static_cast<std::size_t>(end_ - next_);
    if (left >= kMinRecord) [[likely]] {
      const std::size_t length = LoadU32(next_);
      if (length >= kMinRecord && length <= left && LoadU32(next_ + length - kLengthWord) == length)
          [[likely]] {
        return Give(length);
      }
    }
    return NextInWindow();
  }

  // Where framing was lost or the file ends inside a record: the bytes from there on are in no
  // record. Nothing for what ARC-1105 and ARC-1107 name, which is not a record.
  std::optional<std::uint64_t> lost() const { return lost_; }

  // True if the file ends inside its last record or length word, as it does while it is being
  // written (ARC-520).
  bool ended_inside_record() const { return ended_inside_; }

  // The end of the last record given.
  std::uint64_t position() const { return position_; }

 private:
  RecordView Give(std::size_t length) {
    const RecordView record{Bytes(next_, length), position_, ordinal_, part_};
    next_ += length;
    position_ += length;
    ++ordinal_;
    return record;
  }

  Result<std::optional<RecordView>> NextInWindow();
  std::optional<Status> Ensure(std::size_t size);
  Result<std::optional<RecordView>> TrailerDiffers(std::size_t length);
  bool WholeRecordAfter(std::size_t length);
  Result<bool> OnlyZerosFollow();
  std::optional<RecordView> EndInside(std::size_t length);
  std::optional<RecordView> Stop(bool lost);
  Location Here(std::uint64_t begin, std::uint64_t length) const {
    return {part_, position_ + begin, length, ordinal_};
  }

  Source& source_;
  Reporter& reporter_;
  Part part_;
  int version_;
  bool ended_ = false;
  bool ended_inside_ = false;
  const std::uint8_t* next_ = nullptr;  // the window of the source, as far as it is not used up
  const std::uint8_t* end_ = nullptr;
  std::uint64_t position_;  // of next_
  std::uint64_t ordinal_;
  std::optional<std::uint64_t> lost_;
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_RECORD_READER_H_
