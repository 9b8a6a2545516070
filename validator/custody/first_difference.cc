// SPDX-License-Identifier: Apache-2.0
#include "validator/custody/first_difference.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "reference/archive/file_set.h"
#include "validator/custody/examine.h"

namespace pmproof::validator {
namespace {

constexpr std::size_t kView = std::size_t{1} << 18;

// The path of the copy: as it is, else with another compression.
Result<std::string> FindCopy(const Tree& copy, const std::string& path) {
  const auto is_file = [&](const std::string& candidate) {
    return copy.KindOf(candidate).value_or(archive::DirectoryEntry::Kind::kOther) ==
           archive::DirectoryEntry::Kind::kFile;
  };
  if (is_file(path)) return path;
  std::string plain = path;
  for (const archive::CompressionSuffix& known : archive::kCompressionSuffixes) {
    if (!plain.ends_with(known.suffix)) continue;
    plain.resize(plain.size() - known.suffix.size());
    break;
  }
  if (is_file(plain)) return plain;
  for (const archive::CompressionSuffix& known : archive::kCompressionSuffixes) {
    std::string candidate = plain + std::string(known.suffix);
    if (is_file(candidate)) return candidate;
  }
  return tl::unexpected(Status{
      .kind = Status::Kind::kNotFound, .file = path, .message = "there is no copy of this file"});
}

std::uint64_t Compare(archive::Source& a, archive::Source& b) {
  while (true) {
    const Result<Bytes> left = a.Window(kView);
    const Result<Bytes> right = b.Window(kView);
    if (!left || !right) return a.position();
    const std::size_t both = std::min(left->size(), right->size());
    const auto differ = std::mismatch(
        left->begin(), left->begin() + static_cast<std::ptrdiff_t>(both), right->begin());
    const auto same = static_cast<std::size_t>(differ.first - left->begin());
    if (same < both || both == 0) return a.position() + same;
    a.Skip(both);
    b.Skip(both);
  }
}

}  // namespace

Result<std::uint64_t> FirstDifference(const Tree& tree, const std::string& path, const Tree& copy,
                                      const std::string& copy_path, const CertifiedFile& certified,
                                      const archive::SourceLimits& limits) {
  const Result<std::string> found = FindCopy(copy, copy_path);
  if (!found) return tl::unexpected(found.error());
  const Result<CertifiedFile> hashed = HashFile(copy, *found, limits);
  if (!hashed) return tl::unexpected(hashed.error());
  const bool whole = hashed->stored == certified.stored;
  if (!whole && !(certified.content && hashed->content == certified.content)) {
    return tl::unexpected(Status{.kind = Status::Kind::kDamaged,
                                 .file = *found,
                                 .message = "the copy is not what was certified either"});
  }
  const auto file = tree.Open(path);
  if (!file) return tl::unexpected(file.error());
  const auto other = copy.Open(*found);
  if (!other) return tl::unexpected(other.error());
  // What did not decompress when it was certified is compared as it lies there.
  const auto source = [&](const archive::StoredFile& stored, const std::string& name) {
    const auto compression = certified.content ? CompressionOf(name) : archive::Compression::kNone;
    return archive::MakeSource(stored, name, compression, limits);
  };
  const archive::NewSource a = source(**file, path);
  const archive::NewSource b = source(**other, *found);
  return Compare(*a, *b);
}

}  // namespace pmproof::validator
