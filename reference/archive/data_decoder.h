// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_DATA_DECODER_H_
#define PMPROOF_REFERENCE_ARCHIVE_DATA_DECODER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "reference/archive/data_record.h"

namespace pmproof::archive {

// Decodes the data records of archives (ARC-150) for somebody who wants no violations reported.
// Most records have the structure of an earlier one, to which they are compared as a whole: that
// takes less time than to go from set to set and from block to block. Remembers a few structures,
// in at most 8 MB.
class DataDecoder {
 public:
  // `plain`: as on a processor without wide vectors.
  explicit DataDecoder(bool plain = false);

  // What DecodeDataRecord() gives.
  std::optional<DataRecord> Decode(const RecordView& record, int version);

  // How many records had a structure that was known, and how many structures were learned.
  std::uint64_t recognized() const { return recognized_; }
  std::uint64_t learned() const { return learned_; }

 private:
  static constexpr std::size_t kPieceWords = 64;
  // A part of a record that has words which belong to its structure.
  struct Piece {
    std::size_t offset = 0;
    std::array<std::uint32_t, kPieceWords> words{};  // as stored, as far as the mask goes
    std::array<std::uint32_t, kPieceWords> mask{};
  };
  // What decides how a record is decoded: counts, formats, indexes and lengths of blocks. Not the
  // time, identifiers, instances, types and values.
  struct Structure {
    std::size_t length = 0;  // of the record; 0: nothing is known yet
    int version = 0;
    std::uint32_t set_count = 0;
    std::uint32_t sets = 0;
    std::uint32_t sets_end = 0;
    std::vector<Piece> pieces{};
  };
  struct Slot {
    std::size_t unrecognized = 0;  // the length of the last record, if it was not recognized
    Structure structure{};
  };

  // True if the record at `data` has all words of the pieces.
  using HasPieces = bool (*)(const std::uint8_t* data, const Structure& structure);
  static bool HasPiecesInPlain(const std::uint8_t* data, const Structure& structure);
  static bool HasPiecesInWide(const std::uint8_t* data, const Structure& structure);
  static HasPieces FastestOf(bool plain);

  void Learn(const DataRecord& record, int version, Slot& slot);
  static std::optional<Structure> StructureOf(const DataRecord& record, int version);

  HasPieces has_pieces_;
  std::array<Slot, 4> slots_{};  // by the length of the record
  // To learn a structure takes as long as to decode a few records. What is gained pays for it.
  std::uint64_t credit_ = 16;
  std::uint64_t recognized_ = 0;
  std::uint64_t learned_ = 0;
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_DATA_DECODER_H_
