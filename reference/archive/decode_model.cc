// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/decode_model.h"

#include <algorithm>
#include <vector>

#include "reference/archive/archive_label.h"
#include "reference/archive/data_record.h"
#include "reference/archive/desc_record.h"
#include "reference/archive/index.h"
#include "reference/archive/label_record.h"
#include "reference/archive/text_record.h"

namespace pmproof::archive {
namespace {

constexpr std::size_t kText = 16;   // the text of a TEXT record (ARC-430)
constexpr std::size_t kStart = 12;  // the start of a label (ARC-100, ARC-101)

std::string Text(std::string_view view) { return std::string(view); }

// A text field of a label with the bytes after its first NUL; NULs at its end are left out.
std::string Field(Bytes label, std::size_t offset, std::size_t size) {
  std::string text = Text(AsText(label.subspan(offset, size)));
  text.erase(text.find_last_not_of('\0') + 1);
  return text;
}

// The fraction as stored, where a Timestamp does not hold it: see LabelModel.
std::optional<std::int32_t> OddFraction(const std::uint8_t* time, int version) {
  const std::int32_t fraction = LoadFraction(time, version);
  if (version == 3 || FractionInRange(fraction, version)) return std::nullopt;
  return fraction;
}

DescModel ToModel(const DescRecord& desc) {
  DescModel model{desc.descriptor, {}};
  model.names.reserve(desc.name_count);
  desc.ForEachName([&](std::string_view name, std::size_t) { model.names.emplace_back(name); });
  return model;
}

LabelRecordModel ToModel(const LabelRecord& labels) {
  LabelRecordModel model;
  model.time = labels.time;
  model.label_class = static_cast<std::uint32_t>(labels.label_class);
  model.identifier = labels.identifier;
  labels.ForEachSet([&](const LabelSet& set) {
    LabelSetModel& kept = model.sets.emplace_back();
    kept.instance = set.instance;
    kept.json = Text(set.json);
    kept.error = std::min(set.count, 0);
    for (std::int32_t i = 0; i < set.count; ++i) {
      const LabelEntry entry = set.Entry(static_cast<std::size_t>(i));
      kept.entries.push_back({entry.name_offset, entry.name_length, entry.flags, entry.value_offset,
                              entry.value_length});
    }
  });
  return model;
}

// A text may hold NULs; the last byte is the one that ends it.
TextModel ToModel(const TextRecord& text) {
  const Bytes all = text.record.bytes;
  const Bytes field = all.subspan(kText, all.size() - kText - kLengthWord);
  return {text.type, text.identifier,
          field.empty() ? "" : Text(AsText(field.first(field.size() - 1)))};
}

// The block of one value: where it lies, and as a model.
struct PlacedBlock {
  std::uint64_t offset = 0;
  BlockModel model;
};

PlacedBlock BlockOf(const RecordView& record, const ValueSet& set, std::uint32_t i) {
  const ValueBlock block = set.Block(i);
  PlacedBlock placed{
      static_cast<std::uint64_t>(block.payload.data() - record.bytes.data()) - kLengthWord,
      {static_cast<std::uint8_t>(block.type), Text(AsText(block.payload)), std::nullopt}};
  const std::size_t length = kLengthWord + block.payload.size();
  const auto end = static_cast<std::size_t>(placed.offset) + length;
  const Bytes padding = record.bytes.subspan(end, PadToWord(length) - length);
  if (std::ranges::any_of(padding, [](std::uint8_t byte) { return byte != '~'; })) {
    placed.model.padding = Text(AsText(padding));
  }
  return placed;
}

// Which block lies at each place; empty where that is the order of reference.
std::vector<std::uint32_t> OrderOf(const std::vector<std::uint64_t>& offsets) {
  if (std::ranges::is_sorted(offsets)) return {};
  std::vector<std::uint32_t> order(offsets.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::uint32_t block) { return offsets[block]; });
  return order;
}

Status Refused(const RecordView& record, const ViolationKeeper& violations) {
  if (violations.last()) return *violations.last();
  return {Status::Kind::kDamaged,         violations.file(),    record.offset, "ARC-083"_clause,
          "the record cannot be decoded", ErrorCode::kLogRecord};
}

Status Differs(const RecordView& record, const std::string& file) {
  return {Status::Kind::kDamaged,
          file,
          record.offset,
          "ARC-1104"_clause,
          "the length words of the record differ",
          ErrorCode::kLogRecord};
}

}  // namespace

void ViolationKeeper::Keep(Clause rule, const Location& where, Gravity, Details details) {
  std::string message = std::move(details.message);
  if (!details.actual.empty()) message += " (" + details.field + " " + details.actual + ")";
  last_ =
      Status{Status::Kind::kDamaged, file_, where.offset, rule, std::move(message), ErrorCode::kOk};
  if (!first_) first_ = last_;
}

IndomModel ToModel(const IndomRecord& record) {
  IndomModel model{record.time, record.indom, {}, record.delta};
  model.instances.reserve(record.count);
  for (std::uint32_t i = 0; i < record.count; ++i) {
    InstanceModel& instance = model.instances.emplace_back();
    instance.id = record.Id(i);
    if (const auto name = record.Name(i)) instance.name = Text(*name);
  }
  return model;
}

std::optional<MetaRecordModel> RecordDecoder::ModelOf(const RecordView& record, bool last) {
  constexpr std::size_t kMinTyped = 2 * kLengthWord + 4;
  const auto raw = [&] {
    return RawRecordModel{
        Text(AsText(record.bytes.subspan(kLengthWord, record.bytes.size() - kMinRecord)))};
  };
  const auto type = record.bytes.size() >= kMinTyped
                        ? static_cast<RecordType>(LoadI32(record.bytes.data() + kLengthWord))
                        : RecordType{};
  switch (type) {
    case RecordType::kDesc:
      if (const auto desc = DecodeDesc(record, violations_)) return ToModel(*desc);
      return std::nullopt;
    case RecordType::kText:
      if (const auto text = DecodeText(record, last, violations_)) return ToModel(*text);
      return std::nullopt;
    case RecordType::kIndomV2:
    case RecordType::kIndom:
    case RecordType::kIndomDelta: {
      const auto indom = DecodeIndom(record, type == RecordType::kIndomV2 ? 2 : 3, violations_);
      if (!indom) return std::nullopt;
      if (indom->tangled()) return raw();
      return archive::ToModel(*indom);
    }
    case RecordType::kLabelV2:
    case RecordType::kLabel:
      if (const auto labels =
              DecodeLabels(record, type == RecordType::kLabelV2 ? 2 : 3, violations_)) {
        return ToModel(*labels);
      }
      return std::nullopt;
  }
  violations_.Report("ARC-1301"_clause, record.At(kLengthWord, 4), [&]() -> Details {
    return {"type", std::to_string(static_cast<std::int32_t>(type)), "1..7",
            "no metadata record has this type"};
  });
  return std::nullopt;
}

bool RecordDecoder::Reproduces(const MetaRecordModel& model, const RecordView& record) {
  encoded_.clear();
  AppendMetaRecord(model, version_, &encoded_);
  return std::ranges::equal(encoded_, record.bytes);
}

Result<MetaRecordModel> RecordDecoder::DecodeMeta(const RecordView& record, bool last) {
  violations_.Clear();
  std::optional<MetaRecordModel> model = ModelOf(record, last);
  if (!model) return tl::unexpected(Refused(record, violations_));
  if (Reproduces(*model, record)) return *std::move(model);
  MetaRecordModel raw = RawRecordModel{
      Text(AsText(record.bytes.subspan(kLengthWord, record.bytes.size() - kMinRecord)))};
  if (Reproduces(raw, record)) return raw;
  return tl::unexpected(Differs(record, violations_.file()));
}

Result<ResultModel> RecordDecoder::DecodeResult(const RecordView& record) {
  violations_.Clear();
  const std::optional<DataRecord> decoded = DecodeDataRecord(record, version_, violations_);
  if (!decoded) return tl::unexpected(Refused(record, violations_));
  ResultModel model;
  model.time = decoded->time;
  model.fraction = OddFraction(record.bytes.data() + kLengthWord, version_);
  model.sets.reserve(decoded->set_count);
  std::vector<std::uint64_t> offsets;
  decoded->ForEachSet([&](const ValueSet& set) {
    ValueSetModel& kept = model.sets.emplace_back();
    kept.pmid = set.pmid();
    kept.status = std::min(set.numval(), 0);
    if (set.count() == 0) return;
    kept.format = set.format();
    kept.values.reserve(set.count());
    for (std::uint32_t i = 0; i < set.count(); ++i) {
      ValueModel& value = kept.values.emplace_back();
      value.instance = set.Instance(i);
      if (set.format() == kInsitu) {
        value.value = set.Word(i);
      } else {
        PlacedBlock placed = BlockOf(record, set, i);
        offsets.push_back(placed.offset);
        value.value = std::move(placed.model);
      }
    }
  });
  model.block_order = OrderOf(offsets);

  encoded_.clear();
  AppendResult(model, version_, &encoded_);
  if (!std::ranges::equal(encoded_, record.bytes))
    return tl::unexpected(Differs(record, violations_.file()));
  return model;
}

Result<LabelModel> DecodeLabel(Source& source, Part part, const std::string& file) {
  const Result<Bytes> window = source.Window(kLayoutV3.label);
  if (!window) return tl::unexpected(window.error());
  const std::vector<std::uint8_t> bytes(
      window->begin(),
      window->begin() + static_cast<std::ptrdiff_t>(std::min(window->size(), kLayoutV3.label)));
  ViolationKeeper violations(file);
  const Result<ArchiveLabel> label = ReadLabel(source, part, file, {}, violations);
  if (!label) return tl::unexpected(label.error());

  const Layout& layout = LayoutOf(label->version);
  const Bytes record(bytes.data(), layout.label);
  LabelModel model;
  model.version = label->version;
  model.pid = label->pid;
  model.start = label->start;
  model.fraction = OddFraction(record.data() + kStart, model.version);
  model.volume = label->part;
  model.features = label->features;
  model.reserved = label->reserved;
  model.host = Field(record, layout.host_field, layout.host_size);
  model.timezone = Field(record, layout.timezone_field, layout.timezone_size);
  if (model.version == 3)
    model.zoneinfo = Field(record, layout.zoneinfo_field, layout.zoneinfo_size);
  Buffer encoded;
  AppendLabel(model, &encoded);
  if (source.position() != layout.label || !std::ranges::equal(encoded, record)) {
    const bool leading = LoadU32(record.data()) != layout.label;
    return tl::unexpected(Status{Status::Kind::kDamaged, file,
                                 leading ? 0 : layout.label - kLengthWord,
                                 leading ? "ARC-1201"_clause : "ARC-1202"_clause,
                                 "a length word of the label is wrong", ErrorCode::kLabel});
  }
  return model;
}

IndexEntryModel DecodeIndexEntry(Bytes bytes, int version) {
  const IndexEntry entry = IndexView(bytes, version)[0];
  return {entry.time, entry.volume, static_cast<std::uint64_t>(entry.meta_offset),
          static_cast<std::uint64_t>(entry.data_offset), OddFraction(bytes.data(), version)};
}

}  // namespace pmproof::archive
