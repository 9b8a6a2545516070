// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.2: framing.

#include "generators/mutations/framing_mutations.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "generators/mutations/files.h"
#include "generators/mutations/find.h"
#include "generators/mutations/mutations.h"
#include "reference/archive/layout.h"
#include "reference/archive/record_beginning.h"
#include "reference/core/bytes.h"

namespace pmproof::generators {
namespace {

using archive::kLengthWord;
using archive::Part;

constexpr std::uint32_t kLongest = std::numeric_limits<std::int32_t>::max();

// In a random order.
std::vector<FramedPlace> Shuffled(std::vector<FramedPlace> places, Random& random) {
  for (std::size_t i = places.size(); i > 1; --i)
    std::swap(places[i - 1], places[static_cast<std::size_t>(random.Below(i))]);
  return places;
}

std::uint32_t WordOf(std::int64_t value) { return static_cast<std::uint32_t>(value); }

NotApplicable SetLength(ArchiveImage& image, const ArchivePlan& plan, Random& random,
                        std::int64_t length) {
  const std::vector<FramedPlace> places = FramedRecords(image, plan);
  if (places.empty()) return "it has no records";
  const FramedPlace& place = random.Pick(places);
  image.SetWord(SuffixOf(place.part), place.offset, WordOf(length));
  return std::nullopt;
}

NotApplicable LengthTooSmall(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  return SetLength(image, plan, random, random.Between(1, 7));
}

NotApplicable LengthZero(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  return SetLength(image, plan, random, 0);
}

NotApplicable LengthNegative(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  return SetLength(image, plan, random,
                   random.Between(std::numeric_limits<std::int32_t>::min(), -1));
}

// A length for which what is there is no beginning of a record: it was garbled, not cut (ARC-1111).
NotApplicable LengthBeyondTheFile(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  for (const FramedPlace& place : Shuffled(FramedRecords(image, plan), random)) {
    const std::string suffix = SuffixOf(place.part);
    const Bytes left = Bytes(image.files.at(suffix)).subspan(place.offset);
    if (left.size() > kLongest / 2) continue;
    const auto least = static_cast<std::int64_t>(left.size() + kLengthWord + 1);
    const auto length = WordOf(random.Between(least, kLongest));
    if (archive::IsSoundBeginning(left, length, place.part, plan.label.version)) continue;
    image.SetWord(suffix, place.offset, length);
    return std::nullopt;
  }
  return "it has no record for which another length would be impossible";
}

std::vector<Part> FramedParts(const ArchivePlan& plan) {
  std::vector<Part> parts = Parts(plan);
  std::erase(parts, archive::kIndexPart);
  return parts;
}

// Of a type (.meta) or a number of value sets that no record has (ARC-300, ARC-150).
std::string ImpossibleRecord(Part part, int version, std::uint32_t length, Random& random) {
  std::string record(length, '\0');
  auto* const p = reinterpret_cast<std::uint8_t*>(record.data());
  for (std::size_t i = 0; i < length; ++i) p[i] = static_cast<std::uint8_t>(random.Below(256));
  StoreU32(p, length);
  StoreU32(p + length - kLengthWord, length);
  const std::size_t field =
      part == archive::kMetaPart ? kLengthWord : archive::LayoutOf(version).mark - 2 * kLengthWord;
  StoreU32(p + field, WordOf(random.Between(-1000, -1)));
  return record;
}

void AppendCut(ArchiveImage& image, const ArchivePlan& plan, Random& random,
               std::int64_t least_missing, std::int64_t most_missing) {
  const std::vector<Part> parts = FramedParts(plan);
  const Part part = random.Pick(parts);
  std::string record = ImpossibleRecord(
      part, plan.label.version, 4 * static_cast<std::uint32_t>(random.Between(14, 60)), random);
  record.resize(record.size() -
                static_cast<std::size_t>(random.Between(least_missing, most_missing)));
  image.Append(SuffixOf(part), record);
}

NotApplicable GarbledRecordCutInItsBody(ArchiveImage& image, const ArchivePlan& plan,
                                        Random& random) {
  AppendCut(image, plan, random, kLengthWord + 1, 4 * kLengthWord);
  return std::nullopt;
}

NotApplicable GarbledRecordCutInItsTrailer(ArchiveImage& image, const ArchivePlan& plan,
                                           Random& random) {
  AppendCut(image, plan, random, 1, kLengthWord);
  return std::nullopt;
}

NotApplicable TrailerDiffers(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  const std::vector<FramedPlace> places = FramedRecords(image, plan);
  if (places.empty()) return "it has no records";
  const FramedPlace& place = random.Pick(places);
  const std::size_t trailer = place.offset + place.length - kLengthWord;
  const auto by = random.Between(1, 1000) * (random.Chance(1, 2) ? 4 : -4);
  const auto length = static_cast<std::int64_t>(place.length);
  image.SetWord(SuffixOf(place.part), trailer, WordOf(length + by));
  return std::nullopt;
}

// The first word of the next record is not a trailer for a length that reaches to its end.
NotApplicable LeadingLengthDiffers(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  for (const FramedPlace& place : Shuffled(FramedRecords(image, plan), random)) {
    const std::string suffix = SuffixOf(place.part);
    const std::size_t next = place.offset + place.length;
    const std::size_t length = place.length + kLengthWord;
    // What follows has to be no record either, so that framing is lost.
    if (next + 2 * kLengthWord > image.files.at(suffix).size()) continue;
    if (image.Word(suffix, next) == length) continue;
    const std::uint32_t behind = image.Word(suffix, next + kLengthWord);
    if (behind >= archive::kMinRecord && behind <= image.files.at(suffix).size()) continue;
    image.SetWord(suffix, place.offset, static_cast<std::uint32_t>(length));
    return std::nullopt;
  }
  return "none of its files has two records";
}

NotApplicable StrayBytes(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  const std::vector<Part> parts = FramedParts(plan);
  std::string bytes(1 + random.Below(3), '\0');
  for (char& byte : bytes) byte = static_cast<char>(random.Below(256));
  image.Append(SuffixOf(random.Pick(parts)), bytes);
  return std::nullopt;
}

NotApplicable DataRecordNotOfWords(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  std::vector<FramedPlace> places = FramedRecords(image, plan);
  // A mark of another length than 20 or 24 is another rule's.
  std::erase_if(places, [&](const FramedPlace& place) {
    return place.part < 0 || place.length <= archive::LayoutOf(plan.label.version).mark;
  });
  if (places.empty()) return "it has no data record";
  const FramedPlace& place = random.Pick(places);
  const std::string bytes(1 + random.Below(3), 'x');
  InsertBytes(image, plan, place.part, place.offset + place.length - kLengthWord, bytes);
  const std::string suffix = SuffixOf(place.part);
  const std::size_t length = place.length + bytes.size();
  image.SetWord(suffix, place.offset, static_cast<std::uint32_t>(length));
  image.SetWord(suffix, place.offset + length - kLengthWord, static_cast<std::uint32_t>(length));
  return std::nullopt;
}

NotApplicable Zeros(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  const std::vector<Part> parts = FramedParts(plan);
  image.Append(SuffixOf(random.Pick(parts)), std::string(4 + random.Below(4093), '\0'));
  return std::nullopt;
}

// Where a record can be put in: in front of a data record, or after the last one of a volume. Not
// in front of all, where the first entry of the index points to (ARC-1921).
std::vector<FramedPlace> Boundaries(const ArchiveImage& image, const ArchivePlan& plan) {
  std::vector<FramedPlace> places = FramedRecords(image, plan);
  const FramedPlace first = {plan.volumes.begin()->first,
                             archive::LayoutOf(plan.label.version).label, 0};
  std::erase_if(places, [&](const FramedPlace& place) {
    return place.part < 0 || (place.part == first.part && place.offset == first.offset);
  });
  for (const auto& [number, results] : plan.volumes)
    places.push_back({number, image.files.at(std::to_string(number)).size(), 0});
  return places;
}

NotApplicable DataRecordTooShort(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  const std::vector<FramedPlace> places = Boundaries(image, plan);
  const FramedPlace& place = random.Pick(places);
  const std::size_t words = archive::LayoutOf(plan.label.version).mark / 4;
  const auto length = 4 * static_cast<std::uint32_t>(random.Between(2, std::int64_t(words) - 1));
  std::string record(length, '\0');
  auto* const p = reinterpret_cast<std::uint8_t*>(record.data());
  StoreU32(p, length);
  StoreU32(p + length - kLengthWord, length);
  InsertBytes(image, plan, place.part, place.offset, record);
  return std::nullopt;
}

NotApplicable MetaRecordTooShort(ArchivePlan& plan, Random& random) {
  const std::uint32_t types[] = {1, 4, plan.label.version == 3 ? 5U : 2U,
                                 plan.label.version == 3 ? 7U : 3U};
  // Not so much that it would have a time.
  const std::string payload = BigEndian({random.Pick(types)}) + std::string(random.Below(5), '\0');
  InsertMeta(plan, random.Below(plan.meta.size() + 1), archive::RawRecordModel{payload});
  return std::nullopt;
}

NotApplicable MetaRecordWithoutType(ArchivePlan& plan, Random& random) {
  InsertMeta(plan, random.Below(plan.meta.size() + 1),
             archive::RawRecordModel{std::string(random.Below(4), '\0')});
  return std::nullopt;
}

// Ends a file in its last record.
NotApplicable CutLast(ArchiveImage& image, const ArchivePlan& plan, Random& random,
                      bool in_trailer) {
  std::map<Part, FramedPlace> last;
  for (const FramedPlace& place : FramedRecords(image, plan)) last[place.part] = place;
  std::vector<FramedPlace> places;
  for (const auto& [part, place] : last) {
    const Bytes whole =
        Bytes(image.files.at(SuffixOf(part))).subspan(place.offset, place.length - kLengthWord);
    if (archive::IsSoundBeginning(whole, place.length, part, plan.label.version))
      places.push_back(place);
  }
  if (places.empty()) return "it has no last record that is laid out as writers do";
  const FramedPlace& place = random.Pick(places);
  const auto body = static_cast<std::int64_t>(place.length - kLengthWord);
  const std::int64_t left =
      in_trailer ? random.Between(body, body + 3) : random.Between(kLengthWord, body - 1);
  CutFile(image, plan, place.part, place.offset, place.offset + static_cast<std::size_t>(left));
  return std::nullopt;
}

NotApplicable CutInTheBody(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  return CutLast(image, plan, random, /*in_trailer=*/false);
}

NotApplicable CutInTheTrailer(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  return CutLast(image, plan, random, /*in_trailer=*/true);
}

constexpr Mutation kMutations[] = {
    {.rule = "ARC-1101"_clause,
     .edit = "the length of a record is 1 to 7",
     .image = LengthTooSmall},
    {.rule = "ARC-1101"_clause, .edit = "the length of a record is 0", .image = LengthZero},
    {.rule = "ARC-1101"_clause,
     .edit = "the length of a record is negative",
     .image = LengthNegative},
    {.rule = "ARC-1102"_clause,
     .edit = "the length of a record leads out of the file",
     .image = LengthBeyondTheFile},
    {.rule = "ARC-1102"_clause,
     .edit = "a file ends in a record that is garbled as well",
     .image = GarbledRecordCutInItsBody},
    {.rule = "ARC-1103"_clause,
     .edit = "a file ends in the trailing length of a record that is garbled as well",
     .image = GarbledRecordCutInItsTrailer},
    {.rule = "ARC-1104"_clause,
     .edit = "the trailing length of a record is other",
     .image = TrailerDiffers},
    {.rule = "ARC-1104"_clause,
     .edit = "the leading length of a record is other",
     .image = LeadingLengthDiffers},
    {.rule = "ARC-1105"_clause,
     .edit = "1 to 3 bytes follow the last record of a file",
     .image = StrayBytes},
    {.rule = "ARC-1106"_clause,
     .edit = "1 to 3 bytes are added to a data record",
     .image = DataRecordNotOfWords},
    {.rule = "ARC-1107"_clause, .edit = "zeros follow the last record of a file", .image = Zeros},
    {.rule = "ARC-1108"_clause,
     .edit = "a data record is put in that is shorter than a mark",
     .image = DataRecordTooShort},
    {.rule = "ARC-1109"_clause,
     .edit = "a metadata record is put in that is too short for its type",
     .plan = MetaRecordTooShort},
    {.rule = "ARC-1109"_clause,
     .edit = "a metadata record is put in that is too short to have a type",
     .plan = MetaRecordWithoutType},
    {.rule = "ARC-1110"_clause,
     .edit = "a compressed volume of more than 2^31 bytes is put in",
     .plan = RoomForALargeVolume,
     .image = OffsetsInTheLargeVolume,
     .files = LargeVolume,
     .version = 2,
     .is_large = true},
    {.rule = "ARC-1111"_clause, .edit = "a file ends in its last record", .image = CutInTheBody},
    {.rule = "ARC-1111"_clause,
     .edit = "a file ends in the trailing length of its last record",
     .image = CutInTheTrailer},
};

}  // namespace

std::span<const Mutation> FramingMutations() { return kMutations; }

}  // namespace pmproof::generators
