// SPDX-License-Identifier: Apache-2.0
#include "validator/salvage/metadata_subject.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "reference/archive/layout.h"
#include "reference/core/identifiers.h"
#include "reference/core/metric.h"
#include "reference/core/printable.h"

namespace pmproof::validator {
namespace {

using archive::kLengthWord;
using archive::RecordType;

constexpr std::size_t kType = 4;
constexpr std::size_t kBody = 8;        // the field after the type
constexpr std::size_t kDescCount = 28;  // of names (ARC-302)
constexpr std::size_t kLongestName = 200;

// The first name of a descriptor; empty if it does not lie in the record.
std::string FirstName(Bytes record) {
  const std::size_t names = kDescCount + 4;
  if (record.size() < names + 4 + kLengthWord || LoadI32(record.data() + kDescCount) < 1) return "";
  const std::size_t length = LoadU32(record.data() + names);
  if (length > record.size() - names - 4 - kLengthWord) return "";
  return Printable(AsText(record.subspan(names + 4, std::min(length, kLongestName))));
}

std::string OfMetric(Bytes record, std::size_t at) {
  return at + 4 <= record.size() ? " of " + ToText(Pmid{LoadU32(record.data() + at)}) : "";
}

std::string OfDomain(Bytes record, std::size_t at) {
  return at + 4 <= record.size() ? " of " + ToText(Indom{LoadU32(record.data() + at)}) : "";
}

std::string LabelsOf(Bytes record, std::size_t at) {
  if (at + 8 > record.size()) return "labels";
  const std::uint32_t identifier = LoadU32(record.data() + at + 4);
  switch (static_cast<LabelClass>(LoadU32(record.data() + at))) {
    case LabelClass::kContext:
      return "labels of the archive";
    case LabelClass::kDomain:
      return "labels of domain " + std::to_string(identifier);
    case LabelClass::kCluster:
      return "labels of cluster " + std::to_string(Pmid{identifier}.domain()) + "." +
             std::to_string(Pmid{identifier}.cluster());
    case LabelClass::kItem:
      return "labels of " + ToText(Pmid{identifier});
    case LabelClass::kIndom:
      return "labels of the domain " + ToText(Indom{identifier});
    case LabelClass::kInstances:
      return "labels of the instances of " + ToText(Indom{identifier});
  }
  return "labels";
}

RecordType TypeOf(Bytes record) {
  return record.size() < kBody + kLengthWord
             ? RecordType{}
             : static_cast<RecordType>(LoadI32(record.data() + kType));
}

}  // namespace

std::string SubjectOfMetadata(Bytes record, int version, bool entries) {
  const std::size_t after_time = kBody + archive::LayoutOf(version).timestamp;
  switch (TypeOf(record)) {
    case RecordType::kDesc: {
      const std::string name = FirstName(record);
      if (name.empty()) return "descriptor" + OfMetric(record, kBody);
      return "descriptor of " + name + " (" + ToText(Pmid{LoadU32(record.data() + kBody)}) + ")";
    }
    case RecordType::kIndomV2:
    case RecordType::kIndom:
      return (entries ? "some instances" : "instances") + OfDomain(record, after_time);
    case RecordType::kIndomDelta:
      return (entries ? "some changes of instances" : "changes of instances") +
             OfDomain(record, after_time);
    case RecordType::kLabelV2:
    case RecordType::kLabel:
      return LabelsOf(record, after_time);
    case RecordType::kText:
      if (record.size() < 20) return "help text";
      return "help text" + ((LoadU32(record.data() + kBody) & 8) != 0
                                ? OfDomain(record, kBody + 4)
                                : OfMetric(record, kBody + 4));
  }
  return "record of an unknown type";
}

void NoteLost(Bytes record, int version, MetadataDoubt& doubt) {
  const std::size_t after_time = kBody + archive::LayoutOf(version).timestamp;
  switch (TypeOf(record)) {
    case RecordType::kDesc:
      doubt.metrics.insert(Pmid{LoadU32(record.data() + kBody)});
      return;
    case RecordType::kIndomV2:
    case RecordType::kIndom:
    case RecordType::kIndomDelta:
      if (record.size() < after_time + 4) break;
      doubt.domains.insert(Indom{LoadU32(record.data() + after_time)});
      return;
    case RecordType::kLabelV2:
    case RecordType::kLabel:
    case RecordType::kText:
      return;
  }
  doubt.any_domain = true;
}

std::optional<Timestamp> TimeOfMetadata(Bytes record, int version) {
  const std::size_t end = kBody + archive::LayoutOf(version).timestamp;
  if (record.size() < end + kLengthWord) return std::nullopt;
  const RecordType type = TypeOf(record);
  constexpr RecordType kTimed[] = {RecordType::kIndomV2, RecordType::kIndom,
                                   RecordType::kIndomDelta, RecordType::kLabelV2,
                                   RecordType::kLabel};
  if (std::ranges::find(kTimed, type) == std::end(kTimed)) return std::nullopt;
  const std::uint8_t* const time = record.data() + kBody;
  if (!archive::FractionInRange(archive::LoadFraction(time, version), version)) return std::nullopt;
  return archive::LoadTimestamp(time, version);
}

}  // namespace pmproof::validator
