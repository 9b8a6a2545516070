// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_TESTING_META_RECORD_BYTES_H_
#define PMPROOF_REFERENCE_ARCHIVE_TESTING_META_RECORD_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "reference/archive/encode.h"
#include "reference/archive/layout.h"
#include "reference/archive/model.h"
#include "reference/archive/reporter.h"
#include "reference/core/bytes.h"

namespace pmproof::archive::testing {

// One encoded metadata record whose bytes tests damage. Length words follow what is cut and added.
class MetaRecordBytes {
 public:
  explicit MetaRecordBytes(const MetaRecordModel& model, int version = 2) {
    AppendMetaRecord(model, version, &bytes_);
  }

  MetaRecordBytes& SetWord(std::size_t offset, std::uint32_t word) {
    StoreU32(bytes_.data() + offset, word);
    return *this;
  }
  MetaRecordBytes& SetByte(std::size_t offset, std::uint8_t byte) {
    bytes_[offset] = byte;
    return *this;
  }

  // Cuts the record to its first `size` bytes, the leading length word among them, and a new
  // trailer.
  MetaRecordBytes& CutPayload(std::size_t size) {
    bytes_.resize(size);
    return Close();
  }
  // Adds bytes at the end of the payload.
  MetaRecordBytes& Append(std::string_view payload) {
    bytes_.resize(bytes_.size() - kLengthWord);
    bytes_.insert(bytes_.end(), payload.begin(), payload.end());
    return Close();
  }

  std::size_t size() const { return bytes_.size(); }

  // As the second record of a .meta file, at offset 1000. The view holds as long as this.
  RecordView View() const { return {Bytes(bytes_), 1000, 2, kMetaPart}; }

 private:
  MetaRecordBytes& Close() {
    bytes_.resize(bytes_.size() + kLengthWord);
    const auto length = static_cast<std::uint32_t>(bytes_.size());
    StoreU32(bytes_.data(), length);
    StoreU32(bytes_.data() + bytes_.size() - kLengthWord, length);
    return *this;
  }

  Buffer bytes_;
};

}  // namespace pmproof::archive::testing

#endif  // PMPROOF_REFERENCE_ARCHIVE_TESTING_META_RECORD_BYTES_H_
