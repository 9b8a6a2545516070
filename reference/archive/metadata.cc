// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/metadata.h"

#include <string>
#include <utility>

#include "reference/archive/known_instances.h"
#include "reference/archive/record_reader.h"
#include "reference/core/bytes.h"

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

// Sends each record to the decoder of its type.
class Loader {
 public:
  Loader(int version, std::optional<std::uint64_t> content_end, Reporter& reporter)
      : version_(version), content_end_(content_end), reporter_(reporter) {}

  void Add(const RecordView& record) {
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
    metadata_.positions.push_back(position);
    ++metadata_.records;
    if (!Decode(record, position.type)) ++metadata_.undecoded;
  }

  // The bytes that the vectors take.
  std::size_t Memory() const {
    const auto bytes = [](const auto& records) { return records.capacity() * sizeof(records[0]); };
    return bytes(metadata_.positions) + bytes(metadata_.descs) + bytes(metadata_.indoms) +
           bytes(metadata_.labels) + bytes(metadata_.texts);
  }

  Metadata Finish(const RecordReader& reader) && {
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

 private:
  // False if the record is left out.
  bool Decode(const RecordView& record, RecordType type) {
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
            return {"type", Shown(type), version_ == 3 ? "1, 4, 5, 6 or 7" : "1, 2, 3 or 4",
                    "archives of version " + std::to_string(version_) +
                        " have no records of this type"};
          },
          type == RecordType::kIndomDelta ? Gravity::kError : Gravity::kAsCatalogued);
    }
    switch (type) {
      case RecordType::kDesc:
        seen_desc_ = true;
        return Keep(DecodeDesc(record, reporter_), &metadata_.descs);
      case RecordType::kText:
        return Keep(DecodeText(record, IsLast(record), reporter_), &metadata_.texts);
      case RecordType::kIndomV2:
      case RecordType::kIndom:
      case RecordType::kIndomDelta:
        return Keep(DecodeIndom(record, version, reporter_, &known_instances_), &metadata_.indoms);
      case RecordType::kLabelV2:
      case RecordType::kLabel:
        return Keep(DecodeLabels(record, version, reporter_), &metadata_.labels);
    }
    reporter_.Report("ARC-1301"_clause, record.At(kType, 4), [&]() -> Details {
      return {"type", Shown(type), "1..7", "no metadata record has this type"};
    });
    return false;
  }

  template <typename Record>
  static bool Keep(std::optional<Record> record, std::vector<Record>* records) {
    if (!record) return false;
    records->push_back(*std::move(record));
    return true;
  }

  bool IsLast(const RecordView& record) const {
    return content_end_ && record.offset + record.bytes.size() == *content_end_;
  }

  int version_;
  std::optional<std::uint64_t> content_end_;
  Reporter& reporter_;
  Metadata metadata_;
  KnownInstances known_instances_;
  bool seen_desc_ = false;
};

}  // namespace

Result<Metadata> LoadMetadata(Source& source, int version, Reporter& reporter, std::size_t budget) {
  std::optional<std::uint64_t> content_end;
  if (const auto content = source.mapped()) content_end = content->size();
  Loader loader(version, content_end, reporter);
  RecordReader reader(source, kMetaPart, version, reporter);
  while (true) {
    const Result<std::optional<RecordView>> record = reader.Next();
    if (!record) return tl::unexpected(record.error());
    if (!*record) break;
    loader.Add(**record);
    if (loader.Memory() > budget) {
      return tl::unexpected(
          Status{Status::Kind::kBudget,
                 "",
                 (*record)->offset,
                 {},
                 "the metadata up to here take more than the memory budget allows",
                 ErrorCode::kOk});
    }
  }
  return std::move(loader).Finish(reader);
}

}  // namespace pmproof::archive
