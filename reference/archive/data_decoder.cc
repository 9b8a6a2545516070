// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/data_decoder.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "reference/archive/canonical_record.h"

namespace pmproof::archive {
namespace {

// The structure of larger records, of which few archives have many, is not kept.
constexpr std::size_t kLargest = std::size_t{1} << 20;
// What learning costs, in records recognized; so much credit is kept at most.
constexpr std::uint64_t kPrice = 4;
constexpr std::uint64_t kMostCredit = 64;

// The bits of a word, as it is stored.
std::uint32_t Stored(std::uint32_t bits) {
  std::uint32_t stored = 0;
  StoreU32(reinterpret_cast<std::uint8_t*>(&stored), bits);
  return stored;
}

// A vector of the widest kind that some processors have; others take several for it.
using Vector [[gnu::vector_size(32)]] = std::uint64_t;

// Compiled for more than one kind of processor.
template <typename Structure>
[[gnu::always_inline]] inline bool HasAllPieces(const std::uint8_t* data,
                                                const Structure& structure) {
  constexpr std::size_t kLine = 64;
  // By itself a processor asks for no memory beyond the end of a page.
  constexpr std::size_t kAhead = 4096;
  for (const auto& piece : structure.pieces) {
    constexpr std::size_t kSize = sizeof piece.words;
    if (piece.offset + kAhead + kSize <= structure.length) {
      for (std::size_t i = 0; i < kSize; i += kLine)
        __builtin_prefetch(data + piece.offset + kAhead + i);
    }
    Vector different{};
    for (std::size_t i = 0; i < kSize; i += sizeof different) {
      Vector theirs;
      Vector mask;
      Vector ours;
      std::memcpy(&theirs, data + piece.offset + i, sizeof theirs);
      std::memcpy(&mask, piece.mask.data() + i / 4, sizeof mask);
      std::memcpy(&ours, piece.words.data() + i / 4, sizeof ours);
      different |= (theirs & mask) ^ ours;
    }
    if ((different[0] | different[1] | different[2] | different[3]) != 0) return false;
  }
  return true;
}

}  // namespace

DataDecoder::DataDecoder(bool plain) : has_pieces_(FastestOf(plain)) {}

bool DataDecoder::HasPiecesInPlain(const std::uint8_t* data, const Structure& structure) {
  return HasAllPieces(data, structure);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) bool DataDecoder::HasPiecesInWide(const std::uint8_t* data,
                                                                  const Structure& structure) {
  return HasAllPieces(data, structure);
}

DataDecoder::HasPieces DataDecoder::FastestOf(bool plain) {
  return plain || __builtin_cpu_supports("avx2") == 0 ? HasPiecesInPlain : HasPiecesInWide;
}
#else
DataDecoder::HasPieces DataDecoder::FastestOf(bool) { return HasPiecesInPlain; }
#endif

std::optional<DataRecord> DataDecoder::Decode(const RecordView& record, int version) {
  Slot& slot = slots_[record.bytes.size() / 4 % slots_.size()];
  const Structure& known = slot.structure;
  if (known.length == record.bytes.size() && known.version == version &&
      has_pieces_(record.bytes.data(), known)) {
    ++recognized_;
    slot.unrecognized = 0;
    credit_ = std::min(credit_ + 1, kMostCredit);
    return DataRecord{record, LoadTimestamp(record.bytes.data() + kLengthWord, version),
                      known.set_count, known.sets, known.sets_end};
  }
  IgnoringReporter ignored;
  const std::optional<DataRecord> decoded = DecodeDataRecord(record, version, ignored);
  if (decoded) Learn(*decoded, version, slot);
  return decoded;
}

// A structure is learned of the second of two records that are not recognized, one after the other.
void DataDecoder::Learn(const DataRecord& record, int version, Slot& slot) {
  const std::size_t length = record.record.bytes.size();
  if (std::exchange(slot.unrecognized, length) != length) return;
  if (length < 4 * kPieceWords || length > kLargest || credit_ < kPrice) return;
  std::optional<Structure> structure = StructureOf(record, version);
  if (!structure) return;
  credit_ -= kPrice;
  ++learned_;
  slot.structure = std::move(*structure);
}

// Nothing of a record that is not canonical (ARC-601). It may lie in a file that changes meanwhile:
// all is found out of a copy.
std::optional<DataDecoder::Structure> DataDecoder::StructureOf(const DataRecord& record,
                                                               int version) {
  const std::vector<std::uint8_t> copy(record.record.bytes.begin(), record.record.bytes.end());
  const std::uint8_t* const data = copy.data();
  const auto end = static_cast<std::uint32_t>(copy.size() - kLengthWord);
  if (LoadU32(data + record.sets - kLengthWord) != record.set_count) return std::nullopt;
  const auto canonical = ReadCanonicalRecord(data, record.sets, record.set_count, end);
  if (!canonical) return std::nullopt;
  Structure structure{copy.size(), version, record.set_count, record.sets, canonical->sets_end, {}};
  std::vector<std::uint32_t> mask(copy.size() / 4, 0);
  constexpr std::uint32_t kAll = ~std::uint32_t{0};
  const auto fix = [&](std::uint64_t offset, std::uint32_t bits) {
    mask[static_cast<std::size_t>(offset / 4)] = Stored(bits);
  };
  fix(record.sets - kLengthWord, kAll);  // their number
  std::uint32_t at = record.sets;
  for (std::uint32_t i = 0; i < record.set_count; ++i) {
    const ValueSet set(copy, at);
    at += set.size();
    fix(set.offset() + 4, kAll);
    if (set.numval() <= 0) continue;
    fix(set.offset() + 8, kAll);
    if (set.format() == kInsitu) continue;
    for (std::uint32_t k = 0; k < set.count(); ++k) {
      fix(set.PairOffset(k) + 4, kAll);
      fix(ValueSet::BlockOffset(set.Word(k)), 0xffffff);  // its length
    }
  }
  // The last piece overlaps the one before it, so that none goes beyond the end.
  for (std::size_t begin = 0; begin < mask.size(); begin += kPieceWords) {
    Piece piece{.offset = 4 * std::min(begin, mask.size() - kPieceWords)};
    std::copy_n(mask.begin() + static_cast<std::ptrdiff_t>(piece.offset / 4), kPieceWords,
                piece.mask.begin());
    if (std::ranges::count(piece.mask, 0U) == kPieceWords) continue;
    std::memcpy(piece.words.data(), data + piece.offset, sizeof piece.words);
    for (std::size_t i = 0; i < kPieceWords; ++i) piece.words[i] &= piece.mask[i];
    structure.pieces.push_back(piece);
  }
  return structure;
}

}  // namespace pmproof::archive
