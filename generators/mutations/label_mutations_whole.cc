// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.3 that change a whole file, or all times of an archive.

#include <string>
#include <utility>
#include <variant>

#include "generators/mutations/files.h"
#include "generators/mutations/label_mutations.h"
#include "generators/mutations/move_times.h"
#include "reference/archive/decode_model.h"
#include "reference/archive/encode.h"
#include "reference/archive/layout.h"
#include "reference/core/bytes.h"

namespace pmproof::generators {
namespace {

using archive::Buffer;
using archive::LabelModel;
using archive::Layout;
using archive::LayoutOf;
using archive::Part;

constexpr std::int64_t kYear1990 = 631152000;
constexpr std::int64_t kEndOf32Bits = std::int64_t{1} << 31;

void BeginAt(ArchivePlan& plan, std::int64_t seconds) {
  MoveTimes(plan, seconds - plan.label.start.seconds);
}

bool HasMicroseconds(Timestamp time) {
  return time.nanoseconds % 1000 == 0 && time.seconds >= 0 && time.seconds < kEndOf32Bits;
}

// A label that says the same in the other version.
std::variant<LabelModel, std::string> OtherLabel(const ArchivePlan& plan, Part part) {
  const auto own = plan.labels.find(part);
  LabelModel label = own == plan.labels.end() ? plan.label : own->second;
  label.volume = part;
  label.version = label.version == 3 ? 2 : 3;
  const Layout& layout = LayoutOf(label.version);
  const std::string inexpressible = "its label cannot be expressed in version 2";
  if (label.host.size() >= layout.host_size || label.timezone.size() >= layout.timezone_size ||
      (label.version == 2 && !HasMicroseconds(label.start)) || label.fraction)
    return inexpressible;
  return label;
}

}  // namespace

NotApplicable TimesBefore1990(ArchivePlan& plan, Random& random) {
  BeginAt(plan, random.Between(86400, kYear1990 - 1));
  return std::nullopt;
}

// Of a year in which this program is not used any more.
NotApplicable TimesInTheFuture(ArchivePlan& plan, Random& random) {
  constexpr std::int64_t kDays = std::int64_t{100} * 86400;
  constexpr std::int64_t kEvents = 3600;  // may be later than their record
  const std::int64_t span = LatestTime(plan).seconds - plan.label.start.seconds;
  if (span > 3 * kDays) return "it is too long to lie in the future with all of its times";
  BeginAt(plan, kEndOf32Bits - span - kEvents - 1 - random.Between(0, kDays));
  return std::nullopt;
}

NotApplicable TimesBehind32Bits(ArchivePlan& plan, Random& random) {
  if (plan.label.version != 3) return "version 2 has no such times";
  BeginAt(plan, kEndOf32Bits + random.Between(0, std::int64_t{1} << 33));
  return std::nullopt;
}

NotApplicable IndexOfTheOtherVersion(ArchiveImage& image, const ArchivePlan& plan, Random&) {
  if (!plan.has_index) return "it has no index";
  const auto label = OtherLabel(plan, archive::kIndexPart);
  if (const auto* lack = std::get_if<std::string>(&label)) return *lack;
  const int version = std::get<LabelModel>(label).version;
  Buffer index;
  AppendLabel(std::get<LabelModel>(label), &index);
  EditIndex(image, plan, [&](const archive::IndexEntryModel& entry) {
    AppendIndexEntry(entry, version, &index);
    return true;
  });
  image.files["index"] = std::move(index);
  return std::nullopt;
}

NotApplicable MetaOfTheOtherVersion(ArchiveImage& image, const ArchivePlan& plan, Random&) {
  if (plan.label.version != 2)
    return "it is of version 3: its metadata may have no twin in version 2";
  if (plan.has_index) return "it has an index, which would not agree with other metadata";
  const auto label = OtherLabel(plan, archive::kMetaPart);
  if (const auto* lack = std::get_if<std::string>(&label)) return *lack;
  const int version = std::get<LabelModel>(label).version;
  Buffer meta;
  AppendLabel(std::get<LabelModel>(label), &meta);
  for (const archive::MetaRecordModel& record : plan.meta) {
    if (std::holds_alternative<archive::RawRecordModel>(record))
      return "it has metadata that are laid out in an unusual way";
    AppendMetaRecord(record, version, &meta);
  }
  image.files["meta"] = std::move(meta);
  return std::nullopt;
}

}  // namespace pmproof::generators
