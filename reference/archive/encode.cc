// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/encode.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

#include "reference/archive/layout.h"
#include "reference/core/bytes.h"

namespace pmproof::archive {
namespace {

// Stores big-endian words one after the other, in space that Grow() has made for them.
class Cursor {
 public:
  explicit Cursor(std::uint8_t* at) : at_(at) {}

  void U8(std::uint8_t value) { *Move(1) = value; }
  void U16(std::uint16_t value) { StoreU16(Move(2), value); }
  void U32(std::uint32_t value) { StoreU32(Move(4), value); }
  void I32(std::int32_t value) { U32(static_cast<std::uint32_t>(value)); }
  void U64(std::uint64_t value) { StoreU64(Move(8), value); }
  void Count(std::size_t value) { U32(static_cast<std::uint32_t>(value)); }
  void Time(Timestamp time, int version, std::optional<std::int32_t> fraction = std::nullopt) {
    StoreTimestamp(Move(LayoutOf(version).timestamp), time, version);
    if (fraction) StoreU32(at_ - 4, static_cast<std::uint32_t>(*fraction));
  }
  void Text(std::string_view text) {
    // Most blocks are numbers of 64 bits: a copy of known size is not a call.
    if (text.size() == 8) {
      std::memcpy(Move(8), text.data(), 8);
    } else if (!text.empty()) {
      std::memcpy(Move(text.size()), text.data(), text.size());
    }
  }
  // The text, cut or filled with NULs: what Grow() made is 0 already.
  void Field(std::string_view text, std::size_t size) {
    Text(text.substr(0, size));
    Move(size - std::min(size, text.size()));
  }
  void Fill(std::size_t count, std::uint8_t byte) {
    for (; count > 0; --count) U8(byte);
  }

 private:
  std::uint8_t* Move(std::size_t size) {
    at_ += size;
    return at_ - size;
  }

  std::uint8_t* at_;
};

// Lengthens the buffer by `size` bytes of 0, where the cursor returned stands.
Cursor Grow(Buffer* out, std::size_t size) {
  out->resize(out->size() + size);
  return Cursor(out->data() + out->size() - size);
}

// A record under construction: the leading length word is set when the trailing one is written.
class Record {
 public:
  explicit Record(Buffer* out) : out_(out), begin_(out->size()) { Grow(out, kLengthWord); }

  void Finish() {
    const std::size_t length = out_->size() - begin_ + kLengthWord;
    Cursor(out_->data() + begin_).Count(length);
    Grow(out_, kLengthWord).Count(length);
  }

 private:
  Buffer* out_;
  std::size_t begin_;
};

void AppendPayload(const DescModel& desc, int, Buffer* out) {
  Cursor to = Grow(out, 28);
  to.I32(static_cast<std::int32_t>(RecordType::kDesc));
  to.U32(desc.descriptor.pmid.value);
  to.I32(static_cast<std::int32_t>(desc.descriptor.type));
  to.U32(desc.descriptor.indom.value);
  to.I32(static_cast<std::int32_t>(desc.descriptor.semantics));
  to.U32(desc.descriptor.units.word);
  to.Count(desc.names.size());
  for (const std::string& name : desc.names) {
    Cursor at = Grow(out, 4 + name.size());
    at.Count(name.size());
    at.Text(name);
  }
}

// The name offset of a delta counts only the strings emitted before it (ARC-602).
void AppendPayload(const IndomModel& indom, int version, Buffer* out) {
  const RecordType full = version == 3 ? RecordType::kIndom : RecordType::kIndomV2;
  std::size_t names = 0;
  for (const InstanceModel& instance : indom.instances) {
    if (instance.name) names += instance.name->size() + 1;
  }
  Cursor to = Grow(out, 12 + LayoutOf(version).timestamp + 8 * indom.instances.size() + names);
  to.I32(static_cast<std::int32_t>(indom.delta ? RecordType::kIndomDelta : full));
  to.Time(indom.time, version);
  to.U32(indom.indom.value);
  to.Count(indom.instances.size());
  for (const InstanceModel& instance : indom.instances) to.I32(instance.id);
  std::uint32_t offset = 0;
  for (const InstanceModel& instance : indom.instances) {
    to.I32(instance.name ? static_cast<std::int32_t>(offset) : -1);
    if (instance.name) offset += static_cast<std::uint32_t>(instance.name->size() + 1);
  }
  for (const InstanceModel& instance : indom.instances) {
    if (!instance.name) continue;
    to.Text(*instance.name);
    to.U8(0);
  }
}

void AppendPayload(const LabelRecordModel& labels, int version, Buffer* out) {
  Cursor to = Grow(out, 16 + LayoutOf(version).timestamp);
  to.I32(static_cast<std::int32_t>(version == 3 ? RecordType::kLabel : RecordType::kLabelV2));
  to.Time(labels.time, version);
  to.U32(labels.label_class);
  to.U32(labels.identifier);
  to.Count(labels.sets.size());
  for (const LabelSetModel& set : labels.sets) {
    Cursor at = Grow(out, 12 + set.json.size() + 8 * set.entries.size());
    at.I32(set.instance);
    at.Count(set.json.size());
    at.Text(set.json);
    at.I32(set.error < 0 ? set.error : static_cast<std::int32_t>(set.entries.size()));
    for (const LabelEntryModel& entry : set.entries) {
      at.U16(entry.name_offset);
      at.U8(entry.name_length);
      at.U8(entry.flags);
      at.U16(entry.value_offset);
      at.U16(entry.value_length);
    }
  }
}

void AppendPayload(const TextModel& text, int, Buffer* out) {
  Cursor to = Grow(out, 13 + text.text.size());
  to.I32(static_cast<std::int32_t>(RecordType::kText));
  to.U32(text.type);
  to.U32(text.identifier);
  to.Text(text.text);
  to.U8(0);
}

void AppendPayload(const RawRecordModel& raw, int, Buffer* out) {
  Grow(out, raw.payload.size()).Text(raw.payload);
}

// The bytes that a block takes, its header and padding included (ARC-230).
std::size_t SizeOf(const BlockModel& block) {
  const std::size_t length = kLengthWord + block.payload.size();
  return block.padding ? length + block.padding->size() : PadToWord(length);
}

void Store(const BlockModel& block, Cursor* to) {
  const std::size_t length = kLengthWord + block.payload.size();
  to->U32(static_cast<std::uint32_t>(block.type) << 24 |
          static_cast<std::uint32_t>(length & 0xffffff));
  to->Text(block.payload);
  if (block.padding) {
    to->Text(*block.padding);
  } else {
    to->Fill(PadToWord(length) - length, '~');
  }
}

// Calls `visit` for each value block in order of reference.
template <typename Visit>
void ForEachBlock(const ResultModel& result, Visit&& visit) {
  for (const ValueSetModel& set : result.sets) {
    for (const ValueModel& value : set.values) {
      if (const auto* block = std::get_if<BlockModel>(&value.value)) visit(*block);
    }
  }
}

// Where the value blocks of a record lie that says so itself (ARC-208).
class BlockOrder {
 public:
  // `begin` is the offset of the first block in the record.
  BlockOrder(const ResultModel& result, std::size_t begin) {
    if (result.block_order.empty()) return;
    ForEachBlock(result, [this](const BlockModel& block) { blocks_.push_back(&block); });
    std::vector<std::uint32_t> sorted = result.block_order;
    std::sort(sorted.begin(), sorted.end());
    given_ = sorted.size() == blocks_.size();
    for (std::uint32_t i = 0; given_ && i < sorted.size(); ++i) given_ = sorted[i] == i;
    if (!given_) return;
    order_ = result.block_order;
    places_.resize(blocks_.size());
    for (const std::uint32_t block : order_) {
      places_[block] = begin;
      begin += SizeOf(*blocks_[block]);
    }
  }

  // False where the blocks lie in order of reference (ARC-601).
  bool given() const { return given_; }

  // The offset in the record of the next block in order of reference; only if given().
  std::size_t NextPlace() { return places_[referred_++]; }

  // In the order in which they lie; only if given().
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    for (const std::uint32_t block : order_) visit(*blocks_[block]);
  }

 private:
  bool given_ = false;
  std::size_t referred_ = 0;
  std::vector<const BlockModel*> blocks_;
  std::vector<std::uint32_t> order_;
  std::vector<std::size_t> places_;
};

}  // namespace

void AppendLabel(const LabelModel& label, Buffer* out) {
  const Layout& layout = LayoutOf(label.version);
  Record record(out);
  Cursor to = Grow(out, layout.label - 2 * kLengthWord);
  to.U32(kLabelMagic | static_cast<std::uint32_t>(label.version));
  to.I32(label.pid);
  to.Time(label.start, label.version, label.fraction);
  to.I32(label.volume);
  if (label.version == 3) {
    to.U32(label.features);
    to.U32(label.reserved);
  }
  to.Field(label.host, layout.host_size);
  to.Field(label.timezone, layout.timezone_size);
  to.Field(label.zoneinfo, layout.zoneinfo_size);
  record.Finish();
}

void AppendMetaRecord(const MetaRecordModel& model, int version, Buffer* out) {
  Record record(out);
  std::visit([&](const auto& payload) { AppendPayload(payload, version, out); }, model);
  record.Finish();
}

// Twice over the values: what stands in the sets, then the blocks.
void AppendResult(const ResultModel& result, int version, Buffer* out) {
  Record record(out);
  const std::size_t header = LayoutOf(version).timestamp + 4;
  std::size_t sets = 0;
  for (const ValueSetModel& set : result.sets)
    sets += set.values.empty() ? 8 : 12 + 8 * set.values.size();
  Cursor to = Grow(out, header + sets);
  to.Time(result.time, version, result.fraction);
  to.Count(result.sets.size());

  const std::size_t begin = kLengthWord + header + sets;
  BlockOrder order(result, begin);
  std::size_t end = begin;
  for (const ValueSetModel& set : result.sets) {
    to.U32(set.pmid.value);
    to.I32(set.values.empty() ? set.status : static_cast<std::int32_t>(set.values.size()));
    if (!set.values.empty()) to.I32(set.format);
    for (const ValueModel& value : set.values) {
      to.I32(value.instance);
      if (const auto* word = std::get_if<std::uint32_t>(&value.value)) {
        to.U32(*word);
      } else {
        to.Count((order.given() ? order.NextPlace() : end) / 4 + 2);  // ARC-207
        end += SizeOf(std::get<BlockModel>(value.value));
      }
    }
  }
  if (end != begin) {
    Cursor at = Grow(out, end - begin);
    const auto store = [&at](const BlockModel& block) { Store(block, &at); };
    order.given() ? order.ForEach(store) : ForEachBlock(result, store);
  }
  record.Finish();
}

void AppendIndexEntry(const IndexEntryModel& entry, int version, Buffer* out) {
  Cursor to = Grow(out, LayoutOf(version).index_entry);
  to.Time(entry.time, version, entry.fraction);
  to.I32(entry.volume);
  if (version == 3) {
    to.U64(entry.meta_offset);
    to.U64(entry.data_offset);
  } else {
    to.U32(static_cast<std::uint32_t>(entry.meta_offset));
    to.U32(static_cast<std::uint32_t>(entry.data_offset));
  }
}

}  // namespace pmproof::archive
