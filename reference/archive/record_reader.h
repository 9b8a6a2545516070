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
// behind the label on. Reports the framing rules (ARC-1101..1105, 1107, 1111).
//
// Where a trailing length word is wrong but the next record is whole, the walk goes on there. Otherwise
// framing is lost and the walk ends: lost() tells where, and the bytes from there on are unread.
class RecordReader {
 public:
  // `source` stands behind the label and outlives the reader.
  RecordReader(Source& source, Part part, Reporter& reporter)
      : source_(source), part_(part), reporter_(reporter), position_(source.position()) {}

  // The next record, the label not counted; nothing at the end of the file or where framing is lost. The view holds until the
  // next call, of files that are not compressed as long as the source. Errors are the source's.
  Result<std::optional<RecordView>> Next();

  // Where framing was lost.
  std::optional<std::uint64_t> lost() const { return lost_; }

  // True if the file ends inside its last record or length word, as it does while it is being
  // written (ARC-520).
  bool ended_inside_record() const { return ended_inside_; }

  // The end of the last record given.
  std::uint64_t position() const { return position_; }

 private:
  std::optional<RecordView> Lose(std::uint64_t at);

  Source& source_;
  Part part_;
  Reporter& reporter_;
  std::uint64_t position_;
  std::uint64_t ordinal_ = 1;
  std::size_t pending_skip_ = 0;
  std::optional<std::uint64_t> lost_;
  bool ended_inside_ = false;
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_RECORD_READER_H_
