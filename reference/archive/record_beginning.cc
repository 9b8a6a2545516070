// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/record_beginning.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "reference/core/metric.h"

namespace pmproof::archive {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// A record of which only the first bytes are there. Each of the functions gives its verdict as soon
// as the next field is not there any more: nothing speaks against the record then.
class Beginning {
 public:
  Beginning(Bytes present, std::size_t length, int version)
      : data_(present.data()),
        present_(std::min(present.size(), length - kLengthWord)),
        end_(length - kLengthWord),
        version_(version),
        time_(LayoutOf(version).timestamp) {}

  bool IsData() const {
    const std::size_t length = end_ + kLengthWord;
    if (length % 4 != 0 || length < LayoutOf(version_).mark) return false;
    if (!TimeIsSound(kLengthWord)) return false;
    const std::size_t sets = kLengthWord + time_ + 4;
    if (!Has(sets - 4, 4)) return true;
    const std::int32_t numpmid = I32(sets - 4);
    if (numpmid < 0) return false;
    return numpmid == 0 ? length == LayoutOf(version_).mark
                        : SetsFit(sets, static_cast<std::uint32_t>(numpmid));
  }

  bool IsMeta() const {
    if (end_ < 8) return false;
    if (!Has(4, 4)) return true;
    switch (static_cast<RecordType>(I32(4))) {
      case RecordType::kDesc:
        return IsDesc();
      case RecordType::kText:
        return IsText();
      case RecordType::kIndomV2:
        return version_ == 2 && IsIndom(/*delta=*/false);
      case RecordType::kLabelV2:
        return version_ == 2 && IsLabels();
      case RecordType::kIndom:
        return version_ == 3 && IsIndom(/*delta=*/false);
      case RecordType::kIndomDelta:
        return version_ == 3 && IsIndom(/*delta=*/true);
      case RecordType::kLabel:
        return version_ == 3 && IsLabels();
    }
    return false;
  }

 private:
  bool Has(std::size_t at, std::size_t size) const {
    return at <= present_ && size <= present_ - at;
  }
  std::int32_t I32(std::size_t at) const { return LoadI32(data_ + at); }
  bool TimeIsSound(std::size_t at) const {
    return !Has(at, time_) || FractionInRange(LoadFraction(data_ + at, version_), version_);
  }

  // ARC-200. Each round takes 8 bytes that are there, and each pair 8 more.
  bool SetsFit(std::size_t at, std::uint32_t count) const {
    if (count > (end_ - at) / 8) return false;
    std::size_t first_block = kNone;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (end_ - at < 8) return false;
      if (!Has(at, 8)) return first_block >= at;
      const std::int32_t numval = I32(at + 4);
      if (numval <= 0) {
        at += 8;
        continue;
      }
      const auto values = static_cast<std::size_t>(numval);
      if (end_ - at < 12 || values > (end_ - at - 12) / 8) return false;
      if (!Has(at, 12)) return first_block >= at;
      const std::int32_t format = I32(at + 8);
      if (format < kInsitu || format > kStatic) return false;
      for (std::size_t pair = at + 12;
           format != kInsitu && pair < at + 12 + 8 * values && Has(pair, 8); pair += 8) {
        const std::uint32_t index = LoadU32(data_ + pair + 4);
        if (index < 2) return false;
        const std::size_t block = 4 * (std::size_t{index} - 2);
        if (block > end_ - 4) return false;
        first_block = std::min(first_block, block);
      }
      at += 12 + 8 * values;
    }
    return BlocksFit(at, first_block);
  }

  // ARC-208: the blocks begin where the sets end, and fill the record.
  bool BlocksFit(std::size_t at, std::size_t first_block) const {
    if (!Has(at, 0)) return first_block >= at;
    if (first_block == kNone) return at == end_;
    if (first_block != at) return false;
    while (at < end_) {
      if (!Has(at, 4)) return true;
      const std::uint32_t header = LoadU32(data_ + at);
      const std::size_t length = header & 0xffffff;
      if (!IsWrittenInBlocks(static_cast<MetricType>(header >> 24)) || length < 4 ||
          PadToWord(length) > end_ - at) {
        return false;
      }
      at += PadToWord(length);
    }
    return true;
  }

  // Not 32 and U32, which are stored insitu (ARC-205): the length word of a record that follows
  // would pass for one of them. Type 0 is in blocks of old archives (ARC-233), which nobody writes
  // to any more.
  static bool IsWrittenInBlocks(MetricType type) {
    return type > MetricType::kU32 && type <= MetricType::kHighresEvent;
  }

  // ARC-302: the names fill the record.
  bool IsDesc() const {
    std::size_t at = 32;
    if (end_ < at) return false;
    if (!Has(at - 4, 4)) return true;
    const std::int32_t count = I32(at - 4);
    if (count <= 0) return at == end_;
    for (std::int32_t i = 0; i < count; ++i) {
      if (end_ - at < 4) return false;
      if (!Has(at, 4)) return true;
      const std::int32_t length = I32(at);
      if (length < 0 || static_cast<std::size_t>(length) > end_ - at - 4) return false;
      at += 4 + static_cast<std::size_t>(length);
    }
    return at == end_;
  }

  // ARC-340, ARC-370: name offsets lie in the string table.
  bool IsIndom(bool delta) const {
    const std::size_t ids = 16 + time_;
    if (end_ < ids || !TimeIsSound(8)) return false;
    if (!Has(ids - 4, 4)) return true;
    const std::int32_t count = I32(ids - 4);
    if (count < 0) return false;
    const auto instances = static_cast<std::size_t>(count);
    if (instances > (end_ - ids) / 8) return false;
    const std::size_t offsets = ids + 4 * instances;
    const std::size_t table = end_ - (ids + 8 * instances);
    for (std::size_t at = ids; at < offsets && Has(at, 4); at += 4) {
      if (I32(at) < 0) return false;
    }
    for (std::size_t at = offsets; at < offsets + 4 * instances && Has(at, 4); at += 4) {
      const std::int32_t offset = I32(at);
      if (offset == -1 && delta) continue;
      if (offset < 0 || static_cast<std::size_t>(offset) >= table) return false;
    }
    return true;
  }

  // ARC-390, ARC-391: the label sets fill the record.
  bool IsLabels() const {
    std::size_t at = 20 + time_;
    if (end_ < at || !TimeIsSound(8)) return false;
    if (!Has(at - 4, 4)) return true;
    const std::int32_t sets = I32(at - 4);
    if (sets < 0) return false;
    for (std::int32_t i = 0; i < sets; ++i) {
      if (end_ - at < 12) return false;
      if (!Has(at, 8)) return true;
      const std::int32_t json = I32(at + 4);
      if (json < 0 || json > 65535 || static_cast<std::size_t>(json) > end_ - at - 12) return false;
      at += 8 + static_cast<std::size_t>(json);
      if (!Has(at, 4)) return true;
      const std::int32_t labels = I32(at);
      at += 4;
      if (labels > 255 || (labels > 0 && 8 * static_cast<std::size_t>(labels) > end_ - at))
        return false;
      if (labels > 0) at += 8 * static_cast<std::size_t>(labels);
    }
    return at == end_;
  }

  // ARC-430, ARC-431: the NUL of the text is the last byte.
  bool IsText() const {
    if (end_ < 17) return false;
    if (!Has(8, 4)) return true;
    const std::int32_t type = I32(8);
    if (type != 5 && type != 6 && type != 9 && type != 10) return false;
    if (!Has(16, 0)) return true;
    const std::uint8_t* nul = std::find(data_ + 16, data_ + present_, std::uint8_t{0});
    return nul == data_ + present_ ? present_ < end_ : nul == data_ + end_ - 1;
  }

  const std::uint8_t* data_;
  std::size_t present_;  // how much of the record is there, the trailing length word left out
  std::size_t end_;      // where the trailing length word is to begin
  int version_;
  std::size_t time_;
};

}  // namespace

bool IsSoundBeginning(Bytes beginning, std::size_t length, Part part, int version) {
  if (length < kMinRecord) return false;
  const Beginning record(beginning, length, version);
  return part == kMetaPart ? record.IsMeta() : record.IsData();
}

}  // namespace pmproof::archive
