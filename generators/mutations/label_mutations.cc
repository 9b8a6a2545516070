// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.3: labels.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/mutations/files.h"
#include "generators/mutations/label_mutations.h"
#include "generators/mutations/mutations.h"
#include "generators/mutations/volumes.h"
#include "reference/archive/encode.h"
#include "reference/archive/layout.h"
#include "reference/core/bytes.h"

namespace pmproof::generators {
namespace {

using archive::LabelModel;
using archive::Layout;
using archive::LayoutOf;
using archive::Part;

constexpr std::size_t kMagicField = 4;

std::string AnySuffix(const ArchivePlan& plan, Random& random) {
  const std::vector<Part> parts = Parts(plan);
  return SuffixOf(random.Pick(parts));
}

// Other than `right`.
std::uint32_t OtherWord(std::uint32_t right, Random& random) {
  return right ^ (1U << random.Below(32));
}

NotApplicable LeadingLength(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  const auto right = static_cast<std::uint32_t>(LayoutOf(plan.label.version).label);
  image.SetWord(AnySuffix(plan, random), 0, OtherWord(right, random));
  return std::nullopt;
}

NotApplicable CutInLabel(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  const auto label = static_cast<std::int64_t>(LayoutOf(plan.label.version).label);
  image.Truncate(AnySuffix(plan, random), static_cast<std::size_t>(random.Between(4, label - 5)));
  return std::nullopt;
}

NotApplicable TrailingLength(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  const std::size_t label = LayoutOf(plan.label.version).label;
  const auto right = static_cast<std::uint32_t>(label);
  image.SetWord(AnySuffix(plan, random), label - archive::kLengthWord, OtherWord(right, random));
  return std::nullopt;
}

NotApplicable CutInTrailer(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  const auto label = static_cast<std::int64_t>(LayoutOf(plan.label.version).label);
  image.Truncate(AnySuffix(plan, random),
                 static_cast<std::size_t>(random.Between(label - 4, label - 1)));
  return std::nullopt;
}

NotApplicable Magic(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  const std::string suffix = AnySuffix(plan, random);
  const auto bit = static_cast<std::uint32_t>(random.Between(8, 31));
  image.SetWord(suffix, kMagicField, image.Word(suffix, kMagicField) ^ 1U << bit);
  return std::nullopt;
}

NotApplicable Version(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  const std::string suffix = AnySuffix(plan, random);
  const std::uint32_t version =
      random.Chance(1, 2) ? 1 : static_cast<std::uint32_t>(random.Between(4, 255));
  image.SetWord(suffix, kMagicField, archive::kLabelMagic | version);
  return std::nullopt;
}

NotApplicable VolumeField(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  const std::vector<Part> parts = Parts(plan);
  const Part part = random.Pick(parts);
  Part other = static_cast<Part>(random.Between(-3, 9));
  if (other == part) other = 10;
  image.SetWord(SuffixOf(part), 12 + LayoutOf(plan.label.version).timestamp,
                static_cast<std::uint32_t>(other));
  return std::nullopt;
}

// The label of one file, which is then one of its own.
LabelModel& LabelOf(ArchivePlan& plan, Part part) {
  const auto [label, added] = plan.labels.try_emplace(part, plan.label);
  if (added) label->second.volume = part;
  return label->second;
}

// One of the files that are compared with the first volume.
LabelModel& LabelBesideTheVolumes(ArchivePlan& plan, Random& random) {
  const bool index = plan.has_index && random.Chance(1, 2);
  return LabelOf(plan, index ? archive::kIndexPart : archive::kMetaPart);
}

template <typename Edit>
void EditAll(ArchivePlan& plan, Edit edit) {
  edit(plan.label);
  for (auto& [part, label] : plan.labels) edit(label);
}

// In one file, or in all of them: nothing compares it.
template <typename Edit>
void EditSome(ArchivePlan& plan, Random& random, Edit edit) {
  if (random.Chance(1, 2)) return EditAll(plan, edit);
  const std::vector<Part> parts = Parts(plan);
  edit(LabelOf(plan, random.Pick(parts)));
}

// The start moved a little to either side, within what is plausible (ARC-1220).
void MoveStart(LabelModel& label, Random& random) {
  const std::int64_t smallest = label.version == 3 ? 1 : 1000;  // nanoseconds that can be stored
  const std::int64_t by = random.Chance(1, 2) ? random.Between(1, 1000) * 1'000'000'000
                                              : random.Between(1, 999) * smallest;
  const bool early = label.start.seconds < 2'000'000'000;
  label.start = label.start + (early ? by : -by);
}

// What counts of a text field: bytes after a NUL do not (ARC-102).
std::string_view Text(std::string_view field) { return field.substr(0, field.find('\0')); }

// What counts of a field made another one.
void OtherPid(LabelModel& label, Random& random) {
  const auto other = static_cast<std::int32_t>(random.Between(1, 32767));
  label.pid = other == label.pid ? other + 1 : other;
}
void OtherHost(LabelModel& label, Random&) {
  label.host = Text(label.host) == "other" ? "another" : "other";
}
void OtherZone(LabelModel& label, Random&) {
  label.timezone = Text(label.timezone) == "UTC" ? "EST5" : "UTC";
}
void OtherZoneinfo(LabelModel& label, Random&) {
  label.zoneinfo = Text(label.zoneinfo).empty() ? ":UTC" : "";
}

// The code of the rows: `edit` changes the label of .meta or .index, or that of a later volume.
template <void (*edit)(LabelModel&, Random&)>
NotApplicable InMetaOrIndex(ArchivePlan& plan, Random& random) {
  edit(LabelBesideTheVolumes(plan, random), random);
  return std::nullopt;
}
template <void (*edit)(LabelModel&, Random&)>
NotApplicable InALaterVolume(ArchivePlan& plan, Random& random) {
  if (const NotApplicable lack = DivideInto(plan, 2, random)) return lack;
  const auto which = 1 + static_cast<std::ptrdiff_t>(random.Below(plan.volumes.size() - 1));
  edit(LabelOf(plan, std::next(plan.volumes.begin(), which)->first), random);
  return std::nullopt;
}

// The code of the rows that draw a value once: `set` puts it into the labels of all files, or of
// one or all.
template <auto draw, auto set>
NotApplicable InAll(ArchivePlan& plan, Random& random) {
  const auto value = draw(random);
  EditAll(plan, [&](LabelModel& label) { set(label, value); });
  return std::nullopt;
}
template <auto draw, auto set>
NotApplicable InSome(ArchivePlan& plan, Random& random) {
  const auto value = draw(random);
  EditSome(plan, random, [&](LabelModel& label) { set(label, value); });
  return std::nullopt;
}

constexpr auto kSetFraction = [](LabelModel& label, std::int32_t value) { label.fraction = value; };
constexpr auto kSetFeatures = [](LabelModel& label, std::uint32_t bits) { label.features |= bits; };

constexpr Mutation kMutations[] = {
    {.rule = "ARC-1201"_clause,
     .edit = "the leading length of a label is other",
     .image = LeadingLength},
    {.rule = "ARC-1201"_clause, .edit = "a file ends in its label", .image = CutInLabel},
    {.rule = "ARC-1202"_clause,
     .edit = "the trailing length of a label is other",
     .image = TrailingLength},
    {.rule = "ARC-1202"_clause,
     .edit = "a file ends in the trailing length of its label",
     .image = CutInTrailer},
    {.rule = "ARC-1203"_clause, .edit = "the magic number of a label is other", .image = Magic},
    {.rule = "ARC-1204"_clause, .edit = "the version of a file is 1, or above 3", .image = Version},
    {.rule = "ARC-1205"_clause,
     .edit = "the index is of the other version",
     .image = IndexOfTheOtherVersion},
    {.rule = "ARC-1205"_clause,
     .edit = ".meta is of version 3, beside no index",
     .image = MetaOfTheOtherVersion,
     .version = 2},
    {.rule = "ARC-1206"_clause,
     .edit = "the volume field of a label is that of another file",
     .image = VolumeField},
    {.rule = "ARC-1207"_clause,
     .edit = "the pid of .meta or .index is other",
     .plan = InMetaOrIndex<OtherPid>},
    {.rule = "ARC-1208"_clause,
     .edit = "the hostname of .meta or .index is other",
     .plan = InMetaOrIndex<OtherHost>},
    {.rule = "ARC-1209"_clause,
     .edit = "the start of .meta or .index is other",
     .plan = InMetaOrIndex<MoveStart>},
    {.rule = "ARC-1210"_clause,
     .edit = "the timezone of .meta or .index is other",
     .plan = InMetaOrIndex<OtherZone>},
    {.rule = "ARC-1211"_clause,
     .edit = "the zoneinfo of .meta or .index is other",
     .plan = InMetaOrIndex<OtherZoneinfo>,
     .version = 3},
    {.rule = "ARC-1212"_clause,
     .edit = "one of the feature bits 0 to 30 is set",
     .plan = InSome<[](Random& random) { return 1U << random.Below(31); }, kSetFeatures>,
     .version = 3},
    {.rule = "ARC-1213"_clause,
     .edit = "feature bit 31 is set",
     .plan = InSome<[](Random&) { return 0x80000000; }, kSetFeatures>,
     .version = 3},
    {.rule = "ARC-1214"_clause,
     .edit = "the reserved word is not 0",
     .plan = InSome<[](Random& random) {
       return static_cast<std::uint32_t>(random.Between(1, 0xffffffff));
     },
                    [](LabelModel& label, std::uint32_t word) { label.reserved = word; }>,
     .version = 3},
    {.rule = "ARC-1215"_clause, .edit = "the timezone fills its field", .plan = FullTimezone},
    {.rule = "ARC-1215"_clause, .edit = "the hostname fills its field", .plan = FullHost},
    {.rule = "ARC-1215"_clause,
     .edit = "the zoneinfo fills its field",
     .plan = FullZoneinfo,
     .version = 3},
    {.rule = "ARC-1216"_clause,
     .edit = "bytes follow the NUL of a text field",
     .image = BytesBehindAText},
    {.rule = "ARC-1217"_clause, .edit = "the hostname is empty", .plan = NoHost},
    {.rule = "ARC-1218"_clause, .edit = "the timezone is empty", .plan = NoTimezone},
    {.rule = "ARC-1219"_clause,
     .edit = "the fraction of the start is negative or a second and more",
     .plan = InAll<[](Random& random) {
       return static_cast<std::int32_t>(random.Chance(1, 2)
                                            ? random.Between(1'000'000'000, 0x7fffffff)
                                            : -random.Between(1, 1000));
     },
                   kSetFraction>},
    {.rule = "ARC-1219"_clause,
     .edit = "the fraction of the start is in nanoseconds",
     .plan = InAll<[](Random& random) {
       return static_cast<std::int32_t>(random.Between(1'000'000, 999'999'999));
     },
                   kSetFraction>,
     .version = 2},
    {.rule = "ARC-1220"_clause, .edit = "all times lie before 1990", .plan = TimesBefore1990},
    {.rule = "ARC-1220"_clause, .edit = "all times lie in the future", .plan = TimesInTheFuture},
    {.rule = "ARC-1221"_clause,
     .edit = "the pid is 0 or negative",
     .plan = InAll<[](Random& random) {
       return static_cast<std::int32_t>(-std::int64_t(random.Below(32768)));
     },
                   [](LabelModel& label, std::int32_t pid) { label.pid = pid; }>},
    {.rule = "ARC-1222"_clause,
     .edit = "the start of all labels is before the first record",
     .plan = InAll<[](Random& random) { return random.Between(1, 100'000); },
                   [](LabelModel& label, std::int64_t by) { label.start.seconds -= by; }>},
    {.rule = "ARC-1223"_clause, .edit = "the timezone is none", .plan = UnknownTimezone},
    {.rule = "ARC-1223"_clause,
     .edit = "the zoneinfo is none",
     .plan = UnknownZoneinfo,
     .version = 3},
    {.rule = "ARC-1224"_clause,
     .edit = "the timezone contains a control character",
     .plan = ControlInTimezone},
    {.rule = "ARC-1224"_clause,
     .edit = "the hostname contains a control character",
     .plan = ControlInHost},
    {.rule = "ARC-1224"_clause,
     .edit = "the zoneinfo contains a control character",
     .plan = ControlInZoneinfo,
     .version = 3},
    {.rule = "ARC-1224"_clause,
     .edit = "the timezone has the form of zoneinfo",
     .plan = TimezoneWithColon},
    {.rule = "ARC-1225"_clause,
     .edit = "the pid of a later volume is other",
     .plan = InALaterVolume<OtherPid>},
    {.rule = "ARC-1225"_clause,
     .edit = "the hostname of a later volume is other",
     .plan = InALaterVolume<OtherHost>},
    {.rule = "ARC-1225"_clause,
     .edit = "the start of a later volume is other",
     .plan = InALaterVolume<MoveStart>},
    {.rule = "ARC-1225"_clause,
     .edit = "the timezone of a later volume is other",
     .plan = InALaterVolume<OtherZone>},
    {.rule = "ARC-1225"_clause,
     .edit = "the zoneinfo of a later volume is other",
     .plan = InALaterVolume<OtherZoneinfo>,
     .version = 3},
    {.rule = "ARC-1226"_clause,
     .edit = "all times lie after 2^31 seconds",
     .plan = TimesBehind32Bits,
     .version = 3},
    {.rule = "ARC-1227"_clause, .edit = "the hostname is a path", .plan = PathAsHost},
    {.rule = "ARC-1228"_clause,
     .edit = "the hostname has characters that no host name has",
     .plan = HostOfOtherCharacters},
    {.rule = "ARC-1229"_clause, .edit = "the timezone is a path", .plan = PathAsTimezone},
    {.rule = "ARC-1229"_clause,
     .edit = "the zoneinfo is a path",
     .plan = PathAsZoneinfo,
     .version = 3},
};

}  // namespace

std::span<const Mutation> LabelMutations() { return kMutations; }

}  // namespace pmproof::generators
