// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.1: compressed files.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "generators/mutations/file_mutations.h"
#include "generators/mutations/files.h"
#include "reference/archive/compressing_output.h"

namespace pmproof::generators {
namespace {

using archive::Compression;

// Those that all versions of PCP know (ARC-1012).
constexpr Compression kCommon[] = {Compression::kXz, Compression::kGzip, Compression::kBzip2};

NotApplicable Compress(MutatedFiles& files, const std::string& name, Compression compression) {
  const char* const failed = "it cannot be compressed in the memory that is there";
  archive::MemoryStorage storage;
  archive::MemoryOutput output(storage);
  auto file = output.Create(name);
  if (!file) return failed;
  auto compressing = archive::MakeCompressing(*std::move(file), compression);
  if (!compressing || (*compressing)->Write(files.files.at(name)) || (*compressing)->Close())
    return failed;
  files.files[name + std::string(archive::SuffixOf(compression))] =
      std::move(storage.files.at(name));
  return std::nullopt;
}

std::string AnyFile(const MutatedFiles& files, const ArchivePlan& plan, Random& random) {
  const std::vector<archive::Part> parts = Parts(plan);
  return files.base + "." + SuffixOf(random.Pick(parts));
}

// Compresses a file, and hands its new content to `edit`.
template <typename Edit>
NotApplicable Replace(MutatedFiles& files, const std::string& name, Compression compression,
                      Edit edit) {
  if (const NotApplicable lack = Compress(files, name, compression)) return lack;
  files.files.erase(name);
  edit(files.files.at(name + std::string(archive::SuffixOf(compression))));
  return std::nullopt;
}

}  // namespace

NotApplicable CompressedCopy(MutatedFiles& files, const ArchivePlan& plan, Random& random) {
  const std::string name = AnyFile(files, plan, random);
  return Compress(files, name, random.Pick(kCommon));
}

NotApplicable TwoCompressedCopies(MutatedFiles& files, const ArchivePlan& plan, Random& random) {
  const std::string name = AnyFile(files, plan, random);
  const std::size_t left_out = random.Below(std::size(kCommon));
  for (std::size_t i = 0; i < std::size(kCommon); ++i) {
    if (i == left_out) continue;
    if (const NotApplicable lack = Compress(files, name, kCommon[i])) return lack;
  }
  files.files.erase(name);
  return std::nullopt;
}

// The last byte is part of what says that the content is right, in each of the formats.
NotApplicable CompressedAndDamaged(MutatedFiles& files, const ArchivePlan& plan, Random& random) {
  const std::string name = AnyFile(files, plan, random);
  return Replace(files, name, random.Pick(kCommon),
                 [](archive::Buffer& content) { content.back() ^= 0xff; });
}

// What is cut off is less than what follows the content in each of the formats.
NotApplicable CompressedAndCut(MutatedFiles& files, const ArchivePlan& plan, Random& random) {
  const std::string name = AnyFile(files, plan, random);
  const auto by = static_cast<std::ptrdiff_t>(1 + random.Below(3));
  return Replace(files, name, random.Pick(kCommon), [by](archive::Buffer& content) {
    content.erase(content.end() - by, content.end());
  });
}

NotApplicable CompressedAndFollowed(MutatedFiles& files, const ArchivePlan& plan, Random& random) {
  const std::string name = AnyFile(files, plan, random);
  // bzip2 passes over what follows.
  const Compression compression = random.Chance(1, 2) ? Compression::kXz : Compression::kGzip;
  return Replace(files, name, compression, [](archive::Buffer& content) {
    content.insert(content.end(), {'j', 'u', 'n', 'k'});
  });
}

NotApplicable CompressedByZstd(MutatedFiles& files, const ArchivePlan& plan, Random& random) {
  return Replace(files, AnyFile(files, plan, random), Compression::kZstd, [](archive::Buffer&) {});
}

NotApplicable AllCompressedByZstd(MutatedFiles& files, const ArchivePlan& plan, Random&) {
  for (const archive::Part part : Parts(plan)) {
    const std::string name = files.base + "." + SuffixOf(part);
    if (const NotApplicable lack =
            Replace(files, name, Compression::kZstd, [](archive::Buffer&) {}))
      return lack;
  }
  return std::nullopt;
}

}  // namespace pmproof::generators
