// SPDX-License-Identifier: Apache-2.0
#include "validator/custody/bag.h"

#include <algorithm>

#include "reference/archive/file_set.h"
#include "reference/core/bytes.h"
#include "reference/core/utf8.h"
#include "validator/custody/sha256.h"

namespace pmproof::validator {
namespace {

constexpr std::size_t kMostDepth = 64;

}  // namespace

std::string BagDigestOf(Bytes bytes, BagDigest algorithm) {
  return algorithm == BagDigest::kSha256 ? ToHex(Sha256Of(bytes)) : ToHex(Sha512Of(bytes));
}

namespace {

// Section 2.1.3: CR, LF and "%" stand in manifests as %0D, %0A and %25.
std::string Encoded(std::string_view path) {
  std::string text;
  for (const char c : path) {
    if (c == '\r') {
      text += "%0D";
    } else if (c == '\n') {
      text += "%0A";
    } else if (c == '%') {
      text += "%25";
    } else {
      text += c;
    }
  }
  return text;
}

// Adds the files below a directory, by path.
std::optional<Status> ListFiles(const archive::Storage& bag, const std::string& directory,
                                std::size_t depth, std::vector<std::string>* files) {
  const auto unsupported = [](const std::string& path, const char* what) {
    return Status{.kind = Status::Kind::kUnsupported, .file = path, .message = what};
  };
  if (depth > kMostDepth) return unsupported(directory, "lies too deep for a bag");
  const auto entries = bag.List(directory);
  if (!entries) return entries.error();
  for (const archive::DirectoryEntry& entry : *entries) {
    const std::string path = archive::JoinPath(directory, entry.name);
    if (FirstInvalidUtf8(path) < path.size()) {
      return unsupported(path, "is not UTF-8: no manifest of a bag can name it");
    }
    switch (entry.kind) {
      case archive::DirectoryEntry::Kind::kFile:
        files->push_back(path);
        break;
      case archive::DirectoryEntry::Kind::kDirectory:
        if (auto error = ListFiles(bag, path, depth + 1, files)) return error;
        break;
      case archive::DirectoryEntry::Kind::kOther:
        return unsupported(path, "is neither a file nor a directory: a bag has no such thing");
    }
  }
  return std::nullopt;
}

}  // namespace

const char* ToText(BagDigest algorithm) {
  switch (algorithm) {
    case BagDigest::kSha256:
      return "sha256";
    case BagDigest::kSha512:
      return "sha512";
  }
  return "?";
}

Result<std::string> HashBagFile(const archive::Storage& bag, const std::string& path,
                                BagDigest algorithm) {
  const auto file = bag.Open(path);
  if (!file) return tl::unexpected(file.error());
  std::string digest = BagDigestOf((*file)->bytes(), algorithm);
  if (auto loss = (*file)->lost()) return tl::unexpected(*std::move(loss));
  return digest;
}

Result<BagPayload> HashPayload(const archive::Storage& bag, bool with_sha512) {
  std::vector<std::string> files;
  if (auto error = ListFiles(bag, "data", 0, &files)) return tl::unexpected(*std::move(error));
  std::ranges::sort(files);
  BagPayload payload;
  for (const std::string& path : files) {
    const auto file = bag.Open(path);
    if (!file) return tl::unexpected(file.error());
    const Bytes bytes = (*file)->bytes();
    payload.bytes += bytes.size();
    payload.sha256.push_back({path, BagDigestOf(bytes, BagDigest::kSha256)});
    if (with_sha512) payload.sha512.push_back({path, BagDigestOf(bytes, BagDigest::kSha512)});
    if (auto loss = (*file)->lost()) return tl::unexpected(*std::move(loss));
  }
  return payload;
}

std::string BagDeclaration() { return "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"; }

std::string ManifestText(const std::vector<BagEntry>& entries) {
  std::string text;
  for (const BagEntry& entry : entries) text += entry.digest + "  " + Encoded(entry.path) + "\n";
  return text;
}

std::string BagInfoText(const BagPayload& payload, std::string_view date,
                        std::string_view software) {
  return "Bagging-Date: " + std::string(date) + "\nPayload-Oxum: " + std::to_string(payload.bytes) +
         "." + std::to_string(payload.sha256.size()) +
         "\nBag-Software-Agent: " + std::string(software) + "\n";
}

}  // namespace pmproof::validator
