#include "reference/archive/encode.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "reference/archive/layout.h"
#include "reference/core/bytes.h"

namespace pmproof::archive {
namespace {

// Appends big-endian words to a buffer.
class Appender {
 public:
  explicit Appender(Buffer* out) : out_(*out) {}

  void U8(std::uint8_t value) { out_.push_back(value); }
  void U16(std::uint16_t value) { StoreU16(Grow(2), value); }
  void U32(std::uint32_t value) { StoreU32(Grow(4), value); }
  void I32(std::int32_t value) { U32(static_cast<std::uint32_t>(value)); }
  void U64(std::uint64_t value) { StoreU64(Grow(8), value); }
  void Time(Timestamp time, int version, std::optional<std::int32_t> fraction = std::nullopt) {
    StoreTimestamp(Grow(LayoutOf(version).timestamp), time, version);
    if (fraction) StoreU32(out_.data() + out_.size() - 4, static_cast<std::uint32_t>(*fraction));
  }
  void Text(std::string_view text) { out_.insert(out_.end(), text.begin(), text.end()); }
  void Field(std::string_view text, std::size_t size) {
    Text(text.substr(0, size));
    out_.resize(out_.size() + size - std::min(size, text.size()));
  }
  void Fill(std::size_t count, std::uint8_t byte) { out_.insert(out_.end(), count, byte); }

 private:
  std::uint8_t* Grow(std::size_t size) {
    out_.resize(out_.size() + size);
    return out_.data() + out_.size() - size;
  }

  Buffer& out_;
};

// A record under construction: the leading length word is set when the trailing one is written.
class Record {
 public:
  explicit Record(Buffer* out) : out_(*out), begin_(out->size()) {
    out_.resize(begin_ + kLengthWord);
  }

  void Finish() {
    const auto length = static_cast<std::uint32_t>(out_.size() - begin_ + kLengthWord);
    StoreU32(out_.data() + begin_, length);
    Appender(&out_).U32(length);
  }

 private:
  Buffer& out_;
  std::size_t begin_;
};

void AppendPayload(const DescModel& desc, int, Appender out) {
  out.I32(static_cast<std::int32_t>(RecordType::kDesc));
  out.U32(desc.descriptor.pmid.value);
  out.I32(static_cast<std::int32_t>(desc.descriptor.type));
  out.U32(desc.descriptor.indom.value);
  out.I32(static_cast<std::int32_t>(desc.descriptor.semantics));
  out.U32(desc.descriptor.units.word);
  out.U32(static_cast<std::uint32_t>(desc.names.size()));
  for (const std::string& name : desc.names) {
    out.U32(static_cast<std::uint32_t>(name.size()));
    out.Text(name);
  }
}

// The name offset of a delta counts only the strings emitted before it (ARC-602).
void AppendPayload(const IndomModel& indom, int version, Appender out) {
  const RecordType full = version == 3 ? RecordType::kIndom : RecordType::kIndomV2;
  out.I32(static_cast<std::int32_t>(indom.delta ? RecordType::kIndomDelta : full));
  out.Time(indom.time, version);
  out.U32(indom.indom.value);
  out.U32(static_cast<std::uint32_t>(indom.instances.size()));
  for (const InstanceModel& instance : indom.instances) out.I32(instance.id);
  std::uint32_t offset = 0;
  for (const InstanceModel& instance : indom.instances) {
    out.I32(instance.name ? static_cast<std::int32_t>(offset) : -1);
    if (instance.name) offset += static_cast<std::uint32_t>(instance.name->size() + 1);
  }
  for (const InstanceModel& instance : indom.instances) {
    if (!instance.name) continue;
    out.Text(*instance.name);
    out.U8(0);
  }
}

void AppendPayload(const LabelRecordModel& labels, int version, Appender out) {
  out.I32(static_cast<std::int32_t>(version == 3 ? RecordType::kLabel : RecordType::kLabelV2));
  out.Time(labels.time, version);
  out.U32(labels.label_class);
  out.U32(labels.identifier);
  out.U32(static_cast<std::uint32_t>(labels.sets.size()));
  for (const LabelSetModel& set : labels.sets) {
    out.I32(set.instance);
    out.U32(static_cast<std::uint32_t>(set.json.size()));
    out.Text(set.json);
    out.I32(set.error < 0 ? set.error : static_cast<std::int32_t>(set.entries.size()));
    for (const LabelEntryModel& entry : set.entries) {
      out.U16(entry.name_offset);
      out.U8(entry.name_length);
      out.U8(entry.flags);
      out.U16(entry.value_offset);
      out.U16(entry.value_length);
    }
  }
}

void AppendPayload(const TextModel& text, int, Appender out) {
  out.I32(static_cast<std::int32_t>(RecordType::kText));
  out.U32(text.type);
  out.U32(text.identifier);
  out.Text(text.text);
  out.U8(0);
}

void AppendPayload(const RawRecordModel& raw, int, Appender out) { out.Text(raw.payload); }

void AppendBlock(const BlockModel& block, Appender to) {
  const std::size_t length = kLengthWord + block.payload.size();
  to.U32(static_cast<std::uint32_t>(block.type) << 24 |
         static_cast<std::uint32_t>(length & 0xffffff));
  to.Text(block.payload);
  if (block.padding) {
    to.Text(*block.padding);
  } else {
    to.Fill(PadToWord(length) - length, '~');
  }
}

std::size_t SizeOf(const BlockModel& block) {
  return PadToWord(kLengthWord + block.payload.size());
}

// Where the value blocks of a record lie: one behind the other in the order of reference (ARC-601),
// or as the model says.
class BlockPlaces {
 public:
  // `begin` is the offset of the first block in the record.
  BlockPlaces(const ResultModel& result, std::size_t begin) : next_(begin) {
    if (result.block_order.empty()) return;
    for (const ValueSetModel& set : result.sets) {
      for (const ValueModel& value : set.values) {
        if (const auto* block = std::get_if<BlockModel>(&value.value)) blocks_.push_back(block);
      }
    }
    std::vector<std::uint32_t> sorted = result.block_order;
    std::sort(sorted.begin(), sorted.end());
    ordered_ = sorted.size() == blocks_.size();
    for (std::uint32_t i = 0; ordered_ && i < sorted.size(); ++i) ordered_ = sorted[i] == i;
    if (!ordered_) return;
    order_ = result.block_order;
    places_.resize(blocks_.size());
    for (const std::uint32_t block : order_) {
      places_[block] = next_;
      next_ += SizeOf(*blocks_[block]);
    }
  }

  // The offset of the next block in order of reference, which is `block`.
  std::size_t Next(const BlockModel& block) {
    if (ordered_) return places_[referred_++];
    const std::size_t place = next_;
    next_ += SizeOf(block);
    return place;
  }

  // False where the blocks lie in order of reference.
  bool ordered() const { return ordered_; }

  // In the order in which they lie; only if ordered().
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    for (const std::uint32_t block : order_) visit(*blocks_[block]);
  }

 private:
  std::size_t next_;
  bool ordered_ = false;
  std::size_t referred_ = 0;
  std::vector<const BlockModel*> blocks_;
  std::vector<std::uint32_t> order_;
  std::vector<std::size_t> places_;
};

}  // namespace

void AppendLabel(const LabelModel& label, Buffer* out) {
  const Layout& layout = LayoutOf(label.version);
  Record record(out);
  Appender to(out);
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
  std::visit([&](const auto& payload) { AppendPayload(payload, version, Appender(out)); }, model);
  record.Finish();
}

void AppendResult(const ResultModel& result, int version, Buffer* out) {
  Record record(out);
  Appender to(out);
  to.Time(result.time, version, result.fraction);
  to.U32(static_cast<std::uint32_t>(result.sets.size()));

  std::size_t begin = LayoutOf(version).timestamp + 2 * kLengthWord;
  for (const ValueSetModel& set : result.sets)
    begin += set.values.empty() ? 8 : 12 + 8 * set.values.size();
  BlockPlaces places(result, begin);
  for (const ValueSetModel& set : result.sets) {
    to.U32(set.pmid.value);
    to.I32(set.values.empty() ? set.status : static_cast<std::int32_t>(set.values.size()));
    if (!set.values.empty()) to.I32(set.format);
    for (const ValueModel& value : set.values) {
      to.I32(value.instance);
      if (const auto* word = std::get_if<std::uint32_t>(&value.value)) {
        to.U32(*word);
      } else {
        to.U32(static_cast<std::uint32_t>(places.Next(std::get<BlockModel>(value.value)) / 4 + 2));
      }
    }
  }
  if (places.ordered()) {
    places.ForEach([&](const BlockModel& block) { AppendBlock(block, to); });
  } else {
    for (const ValueSetModel& set : result.sets) {
      for (const ValueModel& value : set.values) {
        if (const auto* block = std::get_if<BlockModel>(&value.value)) AppendBlock(*block, to);
      }
    }
  }
  record.Finish();
}

void AppendIndexEntry(const IndexEntryModel& entry, int version, Buffer* out) {
  Appender to(out);
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
