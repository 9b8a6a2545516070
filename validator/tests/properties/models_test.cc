// SPDX-License-Identifier: Apache-2.0
// Whole archives: decode(encode(m)) = m and encode(decode(b)) = b (ARC-600). That of single records
// is in reference/archive/decode_model_test.cc.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "generators/arbitrary/arbitrary_story.h"
#include "generators/plan_of.h"
#include "generators/story/composer.h"
#include "reference/archive/archive_model.h"
#include "reference/archive/testing/arbitrary_model.h"

namespace pmproof::archive {
namespace {

using generators::ArchiveImage;
using generators::Story;

constexpr char kName[] = "dir/archive";

Result<ArchiveModel> Decode(const MemoryStorage& storage) {
  IgnoringReporter ignore;
  const auto files = FindArchive(storage, kName, ignore);
  if (!files) return tl::unexpected(files.error());
  return DecodeArchive(storage, *files);
}

Result<ArchiveModel> Decode(const std::map<std::string, Buffer>& files) {
  MemoryStorage storage;
  for (const auto& [suffix, content] : files)
    storage.files[std::string(kName) + "." + suffix] = content;
  return Decode(storage);
}

std::map<std::string, Buffer> Encode(const ArchiveModel& model) {
  std::map<std::string, Buffer> files;
  for (auto& [part, content] : EncodeArchive(model)) files[PartSuffix(part)] = std::move(content);
  return files;
}

// Up to seven records, sometimes none.
template <typename Make>
auto AnyRecords(Make make) {
  std::vector<decltype(make())> records;
  for (int count = *rc::gen::inRange(0, 8); count > 0; --count) records.push_back(make());
  return records;
}

LabelModel AnyLabelOf(int version, Part part) {
  LabelModel label = testing::AnyLabel(version);
  label.volume = part;
  return label;
}

// An archive that readers take, however odd: several volumes with gaps between their numbers, or no
// index, with bytes left over after the last record.
ArchiveModel AnyArchive() {
  const int version = testing::AnyVersion();
  ArchiveModel archive;
  archive.meta.label = AnyLabelOf(version, kMetaPart);
  archive.meta.records = AnyRecords([version] { return testing::AnyMetaRecord(version); });
  for (int count = *rc::gen::inRange(1, 4); count > 0; --count) {
    const Part part = *rc::gen::inRange(0, 12);
    VolumeModel& volume = archive.volumes[part];
    volume.label = AnyLabelOf(version, part);
    volume.records = AnyRecords([version] { return testing::AnyResult(version); });
    // Too few bytes for a length word (ARC-084).
    volume.rest = testing::AnyBytes(3).substr(0, 3);
  }
  if (*rc::gen::inRange(0, 4) != 0) {
    IndexModel& index = archive.index.emplace();
    index.label = AnyLabelOf(version, kIndexPart);
    index.records = AnyRecords([version] { return testing::AnyIndexEntry(version); });
    index.rest = testing::AnyBytes(19).substr(0, 19);  // less than an entry (ARC-453)
  }
  return archive;
}

RC_GTEST_PROP(ModelsTest, AnArchiveComesBackAsItWasEncoded, ()) {
  const ArchiveModel archive = AnyArchive();
  const auto decoded = Decode(Encode(archive));
  if (!decoded) RC_LOG() << decoded.error().ToText();
  RC_ASSERT(decoded.has_value());
  RC_ASSERT(*decoded == archive);
}

RC_GTEST_PROP(ModelsTest, AStoryComesBackAsModelAndAsPlan, (const Story& story)) {
  const ArchiveImage image = Encode(Compose(story));
  const auto decoded = Decode(image.files);
  if (!decoded) RC_LOG() << decoded.error().ToText();
  RC_ASSERT(decoded.has_value());
  RC_ASSERT(Encode(*decoded) == image.files);
  const auto plan = generators::PlanOf(*decoded);
  RC_ASSERT(plan.has_value());
  RC_ASSERT(Encode(*plan).files == image.files);
}

// Changes bytes, cuts a file, or appends to it.
void Damage(ArchiveImage& image) {
  std::vector<std::string> names;
  for (const auto& [suffix, content] : image.files) names.push_back(suffix);
  for (int count = *rc::gen::inRange(1, 5); count > 0; --count) {
    Buffer& file = image.files[*rc::gen::elementOf(names)];
    const auto at = *rc::gen::inRange<std::size_t>(0, file.size() + 1);
    switch (*rc::gen::inRange(0, 8)) {
      case 0:
        file.resize(at);
        break;
      case 1:
        for (const char c : testing::AnyBytes(40)) file.push_back(static_cast<std::uint8_t>(c));
        break;
      default:
        if (at < file.size()) file[at] ^= *rc::gen::inRange<std::uint8_t>(1, 255);
    }
  }
}

RC_GTEST_PROP(ModelsTest, DamagedBytesAreRefusedOrComeBack, (const Story& story)) {
  ArchiveImage image = Encode(Compose(story));
  Damage(image);
  const auto decoded = Decode(image.files);
  RC_CLASSIFY(decoded.has_value(), "decoded");
  if (!decoded) {
    RC_ASSERT(!decoded.error().message.empty());
    return;
  }
  RC_ASSERT(Encode(*decoded) == image.files);
}

}  // namespace
}  // namespace pmproof::archive
