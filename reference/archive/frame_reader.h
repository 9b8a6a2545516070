// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_FRAME_READER_H_
#define PMPROOF_REFERENCE_ARCHIVE_FRAME_READER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reference/archive/layout.h"
#include "reference/archive/record_reader.h"
#include "reference/archive/reporter.h"
#include "reference/archive/source.h"
#include "reference/archive/storage.h"
#include "reference/core/status.h"

namespace pmproof::archive {

// The frame of a record: its length words, and how it begins.
struct RecordFraming {
  // Of a file that is mapped, nothing of it need have been looked at.
  RecordView view;
  // The length word and the time that follows it, as far as the record has them; until the next
  // call of Next().
  const std::uint8_t* head = nullptr;
};

// Walks the framed records as RecordReader does (ARC-080..085), for somebody who looks into few of
// them, and reports what that reports. Where it is dear to map a file, only the bytes around the
// ends of its records are read, and the records that are looked into are copied.
class FrameReader {
 public:
  // `source`, of `file`, stands after the label, which is of `version`. All outlive the reader;
  // nobody else moves the source meanwhile.
  FrameReader(Source& source, const StoredFile& file, Part part, int version, Reporter& reporter);

  // For somebody who goes by Seek(): of a mapped file nothing is read or copied from now on.
  void OnlyMap() {
    if (mapped_) stretch_end_ = ~std::uint64_t{0};
  }

  // As RecordReader::Next(); the view holds as long, the head until the next call.
  Result<std::optional<RecordFraming>> Next() {
    const std::uint64_t left = content_.size() - position_;
    if (position_ < stretch_end_ && !reading_ && left >= kMinRecord) [[likely]] {
      const std::uint8_t* const head = content_.data() + position_;
      const std::size_t length = LoadU32(head);
      if (length >= kMinRecord && length <= left && LoadU32(head + length - kLengthWord) == length)
          [[likely]] {
        // Most often some records of one length follow each other.
        if (length < left / kAhead) __builtin_prefetch(head + kAhead * length - kLengthWord);
        return Give(length, head);
      }
      return NextOfRest();
    }
    return NextInFile();
  }

  // The record that begins at `offset`, or the one that ends there, by their own length words;
  // nothing if these do not agree, or if the file is not mapped. Next() goes on where it was. The
  // number of such a record is not known.
  std::optional<RecordFraming> At(std::uint64_t offset) const;
  std::optional<RecordFraming> Before(std::uint64_t offset) const;
  // Next() goes on with the record that begins at `offset`, which At() has found.
  void Seek(std::uint64_t offset) { position_ = offset; }

  // As those of RecordReader, once Next() gives nothing any more.
  std::optional<std::uint64_t> lost() const { return rest_ ? rest_->lost() : std::nullopt; }
  bool ended_inside_record() const { return rest_ && rest_->ended_inside_record(); }

  // Where Next() goes on, and where a file that is mapped ends.
  std::uint64_t position() const { return position_; }
  std::uint64_t end() const { return content_.size(); }

  // True if records around here are better copied than looked at through their view.
  bool copies() const { return reading_; }
  // Copies a record of this file; false, and nothing was copied, if it takes longer than to look at
  // its view. `into` has its size.
  bool Copy(const RecordView& record, std::span<std::uint8_t> into);
  // The same into memory of this reader, which the next copy overwrites; the view itself where it
  // is not copied.
  Bytes CopyOrView(const RecordView& record);

  // A record of more bytes than this is never copied.
  static constexpr std::size_t kLargestCopy = std::size_t{256} << 10;

 private:
  static constexpr std::size_t kAhead = 4;  // records
  static constexpr std::size_t kHead = kLengthWord + kLayoutV3.timestamp;

  RecordFraming Give(std::size_t length, const std::uint8_t* head) {
    const RecordView view{content_.subspan(position_, length), position_, ordinal_++, part_};
    position_ += length;
    return {view, head};
  }
  Result<std::optional<RecordFraming>> NextInFile();
  void BeginStretch();
  std::optional<std::size_t> ReadFrame();
  const std::uint8_t* Show(std::uint64_t offset, std::size_t size);
  bool Fill(std::uint64_t offset);
  Result<std::optional<RecordFraming>> NextOfRest();

  Source& source_;
  const StoredFile& file_;
  Reporter& reporter_;
  Part part_;
  int version_;
  bool mapped_;
  Bytes content_;           // if mapped
  std::uint64_t position_;  // the end of the last record given
  std::uint64_t ordinal_ = 1;
  std::uint64_t dear_in_a_row_ = 0;  // answers
  std::uint64_t stretch_end_ = 0;
  bool reading_ = false;
  std::uint64_t refused_until_ = 0;  // where a stretch ends that is not read for a part
  // What was read last, of the file from block_begin_ on.
  std::vector<std::uint8_t> block_;
  std::uint64_t block_begin_ = 0;
  std::size_t block_size_ = 0;
  std::size_t read_ = 0;  // so much
  int frames_in_block_ = 0;
  int useless_ = 0;                // blocks in a row that had no more than one
  std::uint64_t passed_ = 0;       // bytes
  std::uint64_t looked_into_ = 0;  // of them
  std::array<std::uint8_t, kHead> head_{};
  std::vector<std::uint8_t> copy_;
  // Takes what is not the plain case.
  std::optional<RecordReader> rest_;
  bool ended_ = false;
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_FRAME_READER_H_
