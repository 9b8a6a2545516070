// SPDX-License-Identifier: Apache-2.0
#include "generators/damage.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "reference/archive/layout.h"
#include "reference/core/bytes.h"

namespace pmproof::generators {
namespace {

using archive::Buffer;
using archive::kLengthWord;
using archive::kMinRecord;

// A byte, or a record, of one of the files.
struct Place {
  const std::string* file = nullptr;
  std::size_t offset = 0;
  std::size_t length = 0;
};

std::optional<Place> AnyByte(const FilesByName& files, Random& random) {
  std::uint64_t all = 0;
  for (const auto& [name, content] : files) all += content.size();
  if (all == 0) return std::nullopt;
  std::uint64_t at = random.Below(all);
  auto file = files.begin();
  for (; at >= file->second.size(); ++file) at -= file->second.size();
  return Place{&file->first, static_cast<std::size_t>(at), 1};
}

// The records of a file after the label, as far as length words lead.
std::vector<Place> RecordsOf(const std::string& name, const Buffer& content) {
  std::vector<Place> records;
  std::size_t at = 0;
  while (content.size() - at >= kMinRecord) {
    const std::size_t length = LoadU32(content.data() + at);
    if (length < kMinRecord || length > content.size() - at ||
        LoadU32(content.data() + at + length - kLengthWord) != length)
      break;
    if (at != 0) records.push_back({&name, at, length});
    at += length;
  }
  return records;
}

std::uint8_t AnyValue(Random& random) {
  constexpr std::uint8_t kEdges[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
  return random.Chance(1, 2) ? random.Pick(kEdges) : static_cast<std::uint8_t>(random.Below(256));
}

auto Iterator(Buffer& content, std::size_t offset) {
  return content.begin() + static_cast<std::ptrdiff_t>(offset);
}

void Swap(Buffer& content, const Place& first, const Place& second) {
  Buffer swapped;
  const auto take = [&](std::size_t begin, std::size_t end) {
    swapped.insert(swapped.end(), Iterator(content, begin), Iterator(content, end));
  };
  take(second.offset, second.offset + second.length);
  take(first.offset + first.length, second.offset);
  take(first.offset, first.offset + first.length);
  std::copy(swapped.begin(), swapped.end(), Iterator(content, first.offset));
}

std::optional<Damage> DamageRecords(FilesByName& files, DamageKind kind, Random& random) {
  std::vector<std::vector<Place>> of_files;
  for (const auto& [name, content] : files) {
    std::vector<Place> records = RecordsOf(name, content);
    if (records.size() > (kind == DamageKind::kSwapRecords ? 1U : 0U))
      of_files.push_back(std::move(records));
  }
  if (of_files.empty()) return std::nullopt;
  const std::vector<Place>& records = random.Pick(of_files);
  std::size_t first = static_cast<std::size_t>(random.Below(records.size()));
  const Place& place = records[first];
  Damage damage{kind, *place.file, place.offset, place.length, 0};
  Buffer& content = files.at(*place.file);
  if (kind == DamageKind::kDuplicateRecord) {
    const Buffer record(Iterator(content, place.offset),
                        Iterator(content, place.offset + place.length));
    content.insert(Iterator(content, place.offset + place.length), record.begin(), record.end());
    return damage;
  }
  std::size_t second = static_cast<std::size_t>(random.Below(records.size() - 1));
  if (second >= first) ++second;
  damage.other = records[second].offset;
  if (second < first) std::swap(first, second);
  Swap(content, records[first], records[second]);
  return damage;
}

}  // namespace

std::string ToText(const Damage& damage) {
  const std::string at = " at offset " + std::to_string(damage.offset);
  const std::string bytes =
      damage.length == 1 ? "a byte" : std::to_string(damage.length) + " bytes";
  const std::string verb = damage.length == 1 ? " is " : " are ";
  switch (damage.kind) {
    case DamageKind::kFlipBit:
      return damage.file + ": bit " + std::to_string(damage.length) + " of the byte" + at +
             " is inverted";
    case DamageKind::kOverwrite:
      return damage.file + ": " + bytes + at + verb + "overwritten";
    case DamageKind::kInsert:
      return damage.file + ": " + bytes + verb + "put in" + at;
    case DamageKind::kRemove:
      return damage.file + ": " + bytes + at + verb + "removed";
    case DamageKind::kTruncate:
      return damage.file + ": the file ends" + at;
    case DamageKind::kDuplicateRecord:
      return damage.file + ": the record" + at + " is there twice";
    case DamageKind::kSwapRecords:
      return damage.file + ": the records at offsets " + std::to_string(damage.offset) + " and " +
             std::to_string(damage.other) + " have changed places";
  }
  return "";
}

std::optional<Damage> DamageFiles(FilesByName& files, DamageKind kind, Random& random) {
  if (kind == DamageKind::kDuplicateRecord || kind == DamageKind::kSwapRecords)
    return DamageRecords(files, kind, random);
  const std::optional<Place> place = AnyByte(files, random);
  if (!place) return std::nullopt;
  Buffer& content = files.at(*place->file);
  const std::size_t left = content.size() - place->offset;
  const auto count = [&](std::uint64_t most) {
    return 1 + static_cast<std::size_t>(random.Below(std::min<std::uint64_t>(most, left)));
  };
  Damage damage{kind, *place->file, place->offset, 0, 0};
  switch (kind) {
    case DamageKind::kFlipBit: {
      damage.length = static_cast<std::size_t>(random.Below(8));
      const auto bit = static_cast<std::uint8_t>(1U << damage.length);
      content[place->offset] = static_cast<std::uint8_t>(content[place->offset] ^ bit);
      break;
    }
    case DamageKind::kOverwrite:
      damage.length = count(8);
      for (std::size_t i = 0; i < damage.length; ++i) content[place->offset + i] = AnyValue(random);
      break;
    case DamageKind::kInsert: {
      Buffer bytes(1 + static_cast<std::size_t>(random.Below(16)));
      for (std::uint8_t& byte : bytes) byte = AnyValue(random);
      damage.length = bytes.size();
      content.insert(Iterator(content, place->offset), bytes.begin(), bytes.end());
      break;
    }
    case DamageKind::kRemove:
      damage.length = count(16);
      content.erase(Iterator(content, place->offset),
                    Iterator(content, place->offset + damage.length));
      break;
    case DamageKind::kTruncate:
    case DamageKind::kDuplicateRecord:  // done above
    case DamageKind::kSwapRecords:
      content.resize(place->offset);
      break;
  }
  return damage;
}

std::optional<Damage> DamageFiles(FilesByName& files, Random& random) {
  if (auto damage = DamageFiles(files, random.Pick(kDamageKinds), random)) return damage;
  return DamageFiles(files, DamageKind::kFlipBit, random);
}

}  // namespace pmproof::generators
