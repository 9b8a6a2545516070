// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.1: the set of files, as a whole.

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "generators/mutations/file_mutations.h"
#include "generators/mutations/files.h"
#include "generators/mutations/mutations.h"
#include "generators/mutations/volumes.h"

namespace pmproof::generators {
namespace {

using archive::Part;

// A volume that is neither the first nor the last, and without which no two marks would follow each
// other (ARC-1723).
std::vector<Part> Dispensable(const ArchivePlan& plan) {
  std::vector<Part> parts;
  if (plan.volumes.size() < 3) return parts;
  for (auto volume = std::next(plan.volumes.begin()); std::next(volume) != plan.volumes.end();
       ++volume) {
    const auto& before = std::prev(volume)->second;
    const auto& behind = std::next(volume)->second;
    const bool marks =
        before.empty() || behind.empty() || before.back().sets.empty() || behind[0].sets.empty();
    if (!marks) parts.push_back(volume->first);
  }
  return parts;
}

void Rename(MutatedFiles& files, const std::string& from, const std::string& to) {
  auto file = files.files.extract(files.base + "." + from);
  file.key() = files.base + "." + to;
  files.files.insert(std::move(file));
}

NotApplicable NoMetadata(MutatedFiles& files, const ArchivePlan&, Random&) {
  files.files.erase(files.base + ".meta");
  return std::nullopt;
}

NotApplicable NoVolume(MutatedFiles& files, const ArchivePlan& plan, Random&) {
  for (const auto& [number, results] : plan.volumes)
    files.files.erase(files.base + "." + std::to_string(number));
  return std::nullopt;
}

NotApplicable NoIndex(ArchivePlan& plan, Random&) {
  if (!plan.has_index) return "it has no index";
  plan.has_index = false;
  plan.index.clear();
  return std::nullopt;
}

NotApplicable EmptyFile(MutatedFiles& files, const ArchivePlan& plan, Random& random) {
  const std::vector<Part> parts = Parts(plan);
  files.of(SuffixOf(random.Pick(parts))).clear();
  return std::nullopt;
}

NotApplicable FileWithoutLengthWord(MutatedFiles& files, const ArchivePlan& plan, Random& random) {
  const std::vector<Part> parts = Parts(plan);
  files.of(SuffixOf(random.Pick(parts))).resize(1 + random.Below(3));
  return std::nullopt;
}

NotApplicable MetadataOfALabel(ArchivePlan& plan, Random&) {
  plan.meta.clear();
  for (PlannedIndexEntry& entry : plan.index) entry.meta_record = 0;
  return std::nullopt;
}

NotApplicable IndexOfALabel(ArchivePlan& plan, Random&) {
  if (!plan.has_index) return "it has no index";
  plan.index.clear();
  return std::nullopt;
}

NotApplicable FirstVolumeOfALabel(ArchivePlan& plan, Random&) {
  const Part first = plan.volumes.begin()->first;
  if (!plan.has_index) {
    Renumber(plan, first, 1);
    plan.volumes[first];
    return std::nullopt;
  }
  // An entry for the first record of each volume would be there twice (ARC-1909), or missing.
  if (plan.volumes.size() > 1) return "it has several volumes and an index";
  plan.volumes[first].clear();
  plan.index.resize(1);
  return std::nullopt;
}

NotApplicable ThreeVolumes(ArchivePlan& plan, Random& random) {
  return DivideInto(plan, 3, random);
}

NotApplicable VolumeMissing(MutatedFiles& files, const ArchivePlan& plan, Random& random) {
  const std::vector<Part> parts = Dispensable(plan);
  if (parts.empty()) return "marks stand at the ends of all its volumes";
  files.files.erase(files.base + "." + SuffixOf(random.Pick(parts)));
  return std::nullopt;
}

NotApplicable NumberLeftOut(ArchivePlan& plan, Random& random) {
  if (const NotApplicable lack = DivideInto(plan, 2, random)) return lack;
  const auto behind = 1 + static_cast<std::ptrdiff_t>(random.Below(plan.volumes.size() - 1));
  Renumber(plan, std::next(plan.volumes.begin(), behind)->first,
           static_cast<Part>(random.Between(1, 9)));
  return std::nullopt;
}

NotApplicable FirstVolumeNotZero(ArchivePlan& plan, Random& random) {
  if (plan.volumes.begin()->first != 0) return "its first volume is not volume 0";
  Renumber(plan, 0, static_cast<Part>(random.Between(1, 99)));
  return std::nullopt;
}

NotApplicable UnknownSuffix(MutatedFiles& files, const ArchivePlan& plan, Random& random) {
  constexpr const char* kSuffixes[] = {"lz4", "lzo", "br", "zip", "7z", "part", "old"};
  const Part next = plan.volumes.rbegin()->first + 1;
  const Part number = static_cast<Part>(random.Between(0, next));
  files.files[files.base + "." + std::to_string(number) + "." + random.Pick(kSuffixes)] = {1, 2, 3};
  return std::nullopt;
}

std::string AnyVolume(const ArchivePlan& plan, Random& random) {
  const auto volume = static_cast<std::ptrdiff_t>(random.Below(plan.volumes.size()));
  return std::to_string(std::next(plan.volumes.begin(), volume)->first);
}

NotApplicable LeadingZeros(MutatedFiles& files, const ArchivePlan& plan, Random& random) {
  const std::string number = AnyVolume(plan, random);
  Rename(files, number, std::string(1 + random.Below(3), '0') + number);
  return std::nullopt;
}

NotApplicable PlusSign(MutatedFiles& files, const ArchivePlan& plan, Random& random) {
  const std::string number = AnyVolume(plan, random);
  Rename(files, number, "+" + number);
  return std::nullopt;
}

NotApplicable Blank(MutatedFiles& files, const ArchivePlan& plan, Random& random) {
  const std::string number = AnyVolume(plan, random);
  Rename(files, number, " " + number);
  return std::nullopt;
}

void RenameAll(MutatedFiles& files, const std::string& base) {
  std::map<std::string, archive::Buffer> renamed;
  for (auto& [name, content] : files.files)
    renamed[base + name.substr(files.base.size())] = std::move(content);
  files.files = std::move(renamed);
  files.base = base;
}

NotApplicable BaseNameWithComma(MutatedFiles& files, const ArchivePlan&, Random& random) {
  const std::string base = files.base;
  const auto at =
      static_cast<std::size_t>(random.Between(1, static_cast<std::int64_t>(base.size())));
  RenameAll(files, base.substr(0, at) + "," + base.substr(at) + "1");
  return std::nullopt;
}

NotApplicable BaseNameLikeAFile(MutatedFiles& files, const ArchivePlan&, Random& random) {
  constexpr const char* kEndings[] = {".meta", ".index", ".xz", ".gz", ".zst", ".Z"};
  RenameAll(files, files.base + random.Pick(kEndings));
  return std::nullopt;
}

NotApplicable LastVolumeOfALabel(ArchivePlan& plan, Random&) {
  if (plan.volumes.rbegin()->second.empty()) return "its last volume is only a label";
  plan.volumes[plan.volumes.rbegin()->first + 1];
  return std::nullopt;
}

NotApplicable MiddleVolumeOfALabel(ArchivePlan& plan, Random& random) {
  if (const NotApplicable lack = DivideInto(plan, 2, random)) return lack;
  const auto behind = 1 + static_cast<std::ptrdiff_t>(random.Below(plan.volumes.size() - 1));
  const Part number = std::next(plan.volumes.begin(), behind)->first;
  Renumber(plan, number, 1);
  plan.volumes[number];
  return std::nullopt;
}

// Not a volume without which what is left would break rules of its own.
NotApplicable Directory(MutatedFiles& files, const ArchivePlan& plan, Random& random) {
  std::vector<Part> parts = Dispensable(plan);
  if (plan.volumes.size() == 1) parts.push_back(plan.volumes.begin()->first);
  parts.push_back(archive::kMetaPart);
  if (plan.has_index) parts.push_back(archive::kIndexPart);
  const std::string name = files.base + "." + SuffixOf(random.Pick(parts));
  files.files.erase(name);
  files.directories.push_back(name);
  return std::nullopt;
}

constexpr Mutation kMutations[] = {
    {.rule = "ARC-1001"_clause, .edit = ".meta is missing", .files = NoMetadata},
    {.rule = "ARC-1002"_clause, .edit = "all volumes are missing", .files = NoVolume},
    {.rule = "ARC-1003"_clause, .edit = ".index is missing", .plan = NoIndex},
    {.rule = "ARC-1004"_clause, .edit = "a file is empty", .files = EmptyFile},
    {.rule = "ARC-1004"_clause,
     .edit = "a file ends in the first word of its label",
     .files = FileWithoutLengthWord},
    {.rule = "ARC-1005"_clause, .edit = ".meta is nothing but a label", .plan = MetadataOfALabel},
    {.rule = "ARC-1005"_clause, .edit = ".index is nothing but a label", .plan = IndexOfALabel},
    {.rule = "ARC-1005"_clause,
     .edit = "the first volume is nothing but a label",
     .plan = FirstVolumeOfALabel},
    {.rule = "ARC-1006"_clause,
     .edit = "a volume between others is missing",
     .plan = ThreeVolumes,
     .files = VolumeMissing},
    {.rule = "ARC-1006"_clause,
     .edit = "the volumes from one on have higher numbers",
     .plan = NumberLeftOut},
    {.rule = "ARC-1007"_clause,
     .edit = "all volumes have higher numbers",
     .plan = FirstVolumeNotZero},
    {.rule = "ARC-1008"_clause,
     .edit = "a compressed copy lies beside a file",
     .files = CompressedCopy},
    {.rule = "ARC-1008"_clause,
     .edit = "two compressed copies take the place of a file",
     .files = TwoCompressedCopies},
    {.rule = "ARC-1009"_clause,
     .edit = "a file is compressed, and its check sum is damaged",
     .files = CompressedAndDamaged},
    {.rule = "ARC-1009"_clause,
     .edit = "a file is compressed and cut short",
     .files = CompressedAndCut},
    {.rule = "ARC-1009"_clause,
     .edit = "a file is compressed and followed by other bytes",
     .files = CompressedAndFollowed},
    {.rule = "ARC-1010"_clause,
     .edit = "a file is named like a volume, with an unknown suffix",
     .files = UnknownSuffix},
    {.rule = "ARC-1011"_clause,
     .edit = "the number of a volume has leading zeros",
     .files = LeadingZeros},
    {.rule = "ARC-1011"_clause,
     .edit = "the number of a volume has a plus sign",
     .files = PlusSign},
    {.rule = "ARC-1011"_clause,
     .edit = "the number of a volume has a blank in front",
     .files = Blank},
    {.rule = "ARC-1012"_clause,
     .edit = "a file is compressed with zstd",
     .files = CompressedByZstd},
    {.rule = "ARC-1012"_clause,
     .edit = "all files are compressed with zstd",
     .files = AllCompressedByZstd},
    {.rule = "ARC-1013"_clause,
     .edit = "the base name contains a comma",
     .files = BaseNameWithComma},
    {.rule = "ARC-1013"_clause,
     .edit = "the base name ends like that of an archive's or a compressed file",
     .files = BaseNameLikeAFile},
    {.rule = "ARC-1014"_clause,
     .edit = "a last volume is added, nothing but a label",
     .plan = LastVolumeOfALabel},
    {.rule = "ARC-1015"_clause,
     .edit = "a volume is added between others, nothing but a label",
     .plan = MiddleVolumeOfALabel},
    {.rule = "ARC-1016"_clause,
     .edit = "a directory stands in place of a file",
     .files = Directory},
};

}  // namespace

std::span<const Mutation> FileMutations() { return kMutations; }

}  // namespace pmproof::generators
