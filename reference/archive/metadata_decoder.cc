// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/metadata_decoder.h"

#include <algorithm>
#include <bit>
#include <string>
#include <type_traits>
#include <utility>

#include "reference/core/bytes.h"
#include "reference/core/large_pages.h"

namespace pmproof::archive {
namespace {

constexpr std::size_t kType = kLengthWord;
constexpr std::size_t kTime = 8;
constexpr std::size_t kMinTyped = 2 * kLengthWord + 4;  // the smallest record with a type (ARC-300)

// The version whose layout a record type has; `version` itself for types that both have (ARC-016).
int VersionOf(RecordType type, int version) {
  switch (type) {
    case RecordType::kIndomV2:
    case RecordType::kLabelV2:
      return 2;
    case RecordType::kIndom:
    case RecordType::kIndomDelta:
    case RecordType::kLabel:
      return 3;
    case RecordType::kDesc:
    case RecordType::kText:
      break;
  }
  return version;
}

bool HasTime(RecordType type) {
  return type == RecordType::kIndomV2 || type == RecordType::kLabelV2 ||
         type == RecordType::kIndom || type == RecordType::kIndomDelta ||
         type == RecordType::kLabel;
}

const char* NameOf(RecordType type) {
  switch (type) {
    case RecordType::kDesc:
      return "DESC";
    case RecordType::kIndomV2:
      return "INDOM_V2";
    case RecordType::kLabelV2:
      return "LABEL_V2";
    case RecordType::kText:
      return "TEXT";
    case RecordType::kIndom:
      return "INDOM";
    case RecordType::kIndomDelta:
      return "INDOM_DELTA";
    case RecordType::kLabel:
      return "LABEL";
  }
  return "";
}

// The metric that a record is about; nothing if it is about none, or is cut.
std::optional<Pmid> MetricOf(const RecordView& record, RecordType type) {
  constexpr std::uint32_t kOfMetric = 4;  // of the type of a text (ARC-431)
  constexpr std::uint32_t kOfIndom = 8;
  const std::size_t size = record.bytes.size();
  const std::uint8_t* p = record.bytes.data();
  if (type == RecordType::kDesc && size >= 16) return Pmid{LoadU32(p + 8)};
  if (type == RecordType::kText && size >= 20) {
    const std::uint32_t about = LoadU32(p + 8) & (kOfMetric | kOfIndom);
    return about == kOfMetric ? std::optional(Pmid{LoadU32(p + 12)}) : std::nullopt;
  }
  if (type != RecordType::kLabelV2 && type != RecordType::kLabel) return std::nullopt;
  const std::size_t at = kTime + LayoutOf(type == RecordType::kLabelV2 ? 2 : 3).timestamp;
  if (size < at + 12 || static_cast<LabelClass>(LoadU32(p + at)) != LabelClass::kItem) {
    return std::nullopt;
  }
  return Pmid{LoadU32(p + at + 4)};
}

std::string Shown(RecordType type) {
  const std::string number = std::to_string(static_cast<std::int32_t>(type));
  const std::string name = NameOf(type);
  return name.empty() ? number : number + " (" + name + ")";
}

template <typename Record>
void MoveOrdinal(Record& record, std::uint64_t by) {
  if constexpr (std::is_same_v<Record, RecordPosition>) {
    record.ordinal += by;
  } else {
    record.record.ordinal += by;
  }
}

// What a vector takes that has got so many elements one by one, each time twice the room.
template <typename Record>
std::size_t MemoryOf(const std::vector<Record>& records, std::size_t more = 0) {
  const std::size_t count = records.size() + more;
  return count == 0 ? 0 : std::bit_ceil(count) * sizeof(Record);
}

// Makes room for `more` elements. Where many are there already, most files go on as they began:
// moving the elements to new memory again and again takes longer than to decode them. Room that is
// not used after all costs no memory but addresses. `read` of `size` bytes of the file are behind
// the new ones; 0: that is not known.
template <typename Record>
void MakeRoom(std::size_t more, std::uint64_t read, std::uint64_t size,
              std::vector<Record>* records) {
  constexpr std::size_t kMany = 1024;
  constexpr std::size_t kFewBytes = std::size_t{16} << 20;
  const std::size_t count = records->size() + more;
  if (count <= records->capacity() || count < kMany) return;
  const double parts = read == 0 ? 0 : static_cast<double>(size) / static_cast<double>(read);
  const double expected = 1.25 * parts * static_cast<double>(count);
  const auto most = static_cast<double>(std::max(4 * count, kFewBytes / sizeof(Record)));
  ReserveInLargePages(
      std::max(count + count / 2, static_cast<std::size_t>(std::min(expected, most))), records);
}

template <typename Record>
void MoveBehind(std::vector<Record>&& part, std::uint64_t records_before,
                std::vector<Record>* records) {
  for (Record& record : part) {
    MoveOrdinal(record, records_before);
    records->push_back(std::move(record));
  }
}

template <typename Record>
bool Keep(std::optional<Record> record, std::uint64_t read, std::uint64_t size,
          std::vector<Record>* records) {
  if (!record) return false;
  MakeRoom(1, read, size, records);
  records->push_back(*std::move(record));
  return true;
}

}  // namespace

std::optional<Status> MetadataDecoder::Add(const RecordView& record) {
  RecordPosition position;
  position.offset = record.offset;
  position.length = static_cast<std::uint32_t>(record.bytes.size());
  position.ordinal = record.ordinal;
  if (record.bytes.size() >= kMinTyped) {
    position.type = static_cast<RecordType>(LoadI32(record.bytes.data() + kType));
    const int version = VersionOf(position.type, version_);
    const std::size_t time_end = kTime + LayoutOf(version).timestamp;
    if (HasTime(position.type) && record.bytes.size() >= time_end + kLengthWord) {
      position.time = LoadTimestamp(record.bytes.data() + kTime, version);
    }
  }
  MakeRoom(1, position.end(), content_end_.value_or(0), &metadata_.positions);
  metadata_.positions.push_back(position);
  ++metadata_.records;
  if (!Decode(record, position.type)) ++metadata_.undecoded;
  if (Memory() <= budget_) return std::nullopt;
  return Status{.kind = Status::Kind::kBudget,
                .offset = record.offset,
                .message = "the metadata up to here take more than the memory budget allows"};
}

std::size_t MetadataDecoder::Memory() const {
  return MemoryOf(metadata_.positions) + MemoryOf(metadata_.descs) + MemoryOf(metadata_.indoms) +
         MemoryOf(metadata_.labels) + MemoryOf(metadata_.texts);
}

std::size_t MetadataDecoder::MemoryWith(const Metadata& more) const {
  return MemoryOf(metadata_.positions, more.positions.size()) +
         MemoryOf(metadata_.descs, more.descs.size()) +
         MemoryOf(metadata_.indoms, more.indoms.size()) +
         MemoryOf(metadata_.labels, more.labels.size()) +
         MemoryOf(metadata_.texts, more.texts.size());
}

bool MetadataDecoder::Append(MetadataDecoder&& part, std::uint64_t records_before) {
  Metadata& more = part.metadata_;
  if (MemoryWith(more) > budget_) return false;
  const std::uint64_t read = more.positions.empty() ? 0 : more.positions.back().end();
  const std::uint64_t size = content_end_.value_or(0);
  const auto move = [&]<typename Record>(std::vector<Record>& from, std::vector<Record>* to) {
    // Of the first part they stay where they are.
    if (to->capacity() == 0) {
      *to = std::move(from);
      for (Record& record : *to) MoveOrdinal(record, records_before);
      return;
    }
    MakeRoom(from.size(), read, size, to);
    MoveBehind(std::move(from), records_before, to);
  };
  move(more.positions, &metadata_.positions);
  move(more.descs, &metadata_.descs);
  move(more.indoms, &metadata_.indoms);
  move(more.labels, &metadata_.labels);
  move(more.texts, &metadata_.texts);
  metadata_.records += more.records;
  metadata_.undecoded += more.undecoded;
  seen_desc_ |= part.seen_desc_;
  return true;
}

Metadata MetadataDecoder::Finish(const RecordReader& reader) && {
  metadata_.end = reader.position();
  metadata_.lost = reader.lost();
  metadata_.ended_inside = reader.ended_inside_record();
  // A file without records is ARC-1005's; in one that ends early the DESC may have been to come.
  if (!seen_desc_ && metadata_.records > 0 && !metadata_.lost && !metadata_.ended_inside) {
    reporter_.Report("ARC-1332"_clause, {kMetaPart, 0, metadata_.end, 0}, []() -> Details {
      return {"", "", "at least one DESC record", "the archive describes no metric"};
    });
  }
  return std::move(metadata_);
}

// False if the record is left out.
bool MetadataDecoder::Decode(const RecordView& record, RecordType type) {
  if (record.bytes.size() < kMinTyped) {
    reporter_.Report("ARC-1109"_clause, record.Whole(), [&]() -> Details {
      return {"N", std::to_string(record.bytes.size()), "at least " + std::to_string(kMinTyped),
              "the record is too short to have a type"};
    });
    return false;
  }
  const Reporter::About about(reporter_, MetricOf(record, type));
  const int version = VersionOf(type, version_);
  if (version != version_) {
    reporter_.Report(
        "ARC-1302"_clause, record.At(kType, 4),
        [&]() -> Details {
          return {
              "type", Shown(type), version_ == 3 ? "1, 4, 5, 6 or 7" : "1, 2, 3 or 4",
              "archives of version " + std::to_string(version_) + " have no records of this type"};
        },
        type == RecordType::kIndomDelta ? Gravity::kError : Gravity::kAsCatalogued);
  }
  const std::uint64_t end = record.offset + record.bytes.size();
  const std::uint64_t size = content_end_.value_or(0);
  switch (type) {
    case RecordType::kDesc:
      seen_desc_ = true;
      return Keep(DecodeDesc(record, reporter_), end, size, &metadata_.descs);
    case RecordType::kText:
      return Keep(DecodeText(record, IsLast(record), reporter_), end, size, &metadata_.texts);
    case RecordType::kIndomV2:
    case RecordType::kIndom:
    case RecordType::kIndomDelta:
      return Keep(DecodeIndom(record, version, reporter_, &known_instances_), end, size,
                  &metadata_.indoms);
    case RecordType::kLabelV2:
    case RecordType::kLabel:
      return Keep(DecodeLabels(record, version, reporter_), end, size, &metadata_.labels);
  }
  reporter_.Report("ARC-1301"_clause, record.At(kType, 4), [&]() -> Details {
    return {"type", Shown(type), "1..7", "no metadata record has this type"};
  });
  return false;
}

}  // namespace pmproof::archive
