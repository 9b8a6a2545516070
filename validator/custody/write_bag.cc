// SPDX-License-Identifier: Apache-2.0
#include "validator/custody/write_bag.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "reference/archive/file_set.h"
#include "validator/custody/bag.h"
#include "validator/output/report_file.h"

namespace pmproof::validator {
namespace {

constexpr const char* kDeclaration = "bagit.txt";
constexpr const char* kInfo = "bag-info.txt";
constexpr const char* kManifest = "manifest-sha256.txt";
constexpr const char* kTagManifest = "tagmanifest-sha256.txt";

struct TagFile {
  std::string name;
  std::string text;
};

}  // namespace

Result<bool> IsBag(const Tree& directory) {
  const auto kind = directory.KindOf(kDeclaration);
  if (kind) return true;
  if (kind.error().kind == Status::Kind::kNotFound) return false;
  return tl::unexpected(kind.error());
}

std::string RefuseBag(const Tree& directory, bool force) {
  const auto payload = directory.KindOf("data");
  if (!payload || *payload != archive::DirectoryEntry::Kind::kDirectory) {
    return directory.root() + ": has no directory data, in which the payload of a bag is";
  }
  for (const char* const name : {kInfo, kManifest, kTagManifest}) {
    if (!force && directory.KindOf(name)) {
      return archive::JoinPath(directory.root(), name) + ": is there, though " + kDeclaration +
             " is not; --force replaces it";
    }
  }
  return "";
}

std::optional<Status> WriteBag(const Tree& directory, archive::OutputStorage& output,
                               std::string_view date, std::string_view software) {
  const auto payload = HashPayload(directory, /*with_sha512=*/false);
  if (!payload) return payload.error();
  auto certificate = HashBagFile(directory, kCertificateInBag, BagDigest::kSha256);
  if (!certificate) return certificate.error();
  std::vector<TagFile> files = {{kInfo, BagInfoText(*payload, date, software)},
                                {kManifest, ManifestText(payload->sha256)},
                                {kDeclaration, BagDeclaration()}};
  std::vector<BagEntry> tags = {{kCertificateInBag, *std::move(certificate)}};
  for (const TagFile& file : files) {
    tags.push_back({file.name, BagDigestOf(AsBytes(file.text), BagDigest::kSha256)});
  }
  std::ranges::sort(tags, {}, &BagEntry::path);
  files.insert(files.end() - 1, {kTagManifest, ManifestText(tags)});
  std::vector<std::string> written;
  for (const TagFile& file : files) {
    const std::string path = archive::JoinPath(directory.root(), file.name);
    if (auto error = WriteReport(output, path, [&](std::ostream& out) { out << file.text; })) {
      for (const std::string& before : written) (void)output.Remove(before);
      return error;
    }
    written.push_back(path);
  }
  return std::nullopt;
}

}  // namespace pmproof::validator
