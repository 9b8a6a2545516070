// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <iterator>
#include <limits>
#include <utility>

#include "reference/archive/file_set.h"

namespace pmproof::archive {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Sets part and canonical as C's strtol takes a whole text for a number (ARC-037); false if it does
// not.
bool ParseVolume(std::string_view text, FileName* name) {
  const std::size_t blanks = text.find_first_not_of(" \t\n\v\f\r");
  if (blanks == std::string_view::npos) return false;
  std::string_view digits = text.substr(blanks);
  const bool negative = digits[0] == '-';
  if (negative || digits[0] == '+') digits.remove_prefix(1);
  if (digits.empty() || !IsDigit(digits[0])) return false;

  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (end != digits.data() + digits.size()) return false;
  const bool fits = error == std::errc() && number <= std::numeric_limits<std::int32_t>::max() &&
                    (!negative || number == 0);
  name->part = fits ? static_cast<Part>(number) : kWholeArchive;
  name->canonical = fits && text == std::to_string(number);
  return true;
}

}  // namespace

std::string PartSuffix(Part part) {
  if (part == kMetaPart) return "meta";
  if (part == kIndexPart) return "index";
  return std::to_string(part);
}

std::optional<FileName> ParseFileName(std::string_view name) {
  FileName parsed;
  for (const CompressionSuffix& known : kCompressionSuffixes) {
    if (!name.ends_with(known.suffix)) continue;
    name.remove_suffix(known.suffix.size());
    parsed.compression = known.compression;
    break;
  }
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return std::nullopt;
  const std::string_view suffix = name.substr(dot + 1);
  if (suffix == "meta") {
    parsed.part = kMetaPart;
  } else if (suffix == "index") {
    parsed.part = kIndexPart;
  } else if (!ParseVolume(suffix, &parsed)) {
    return std::nullopt;
  }
  parsed.base = name.substr(0, dot);
  return parsed;
}

std::string JoinPath(const std::string& directory, const std::string& name) {
  if (directory == ".") return name;
  return directory.ends_with('/') ? directory + name : directory + "/" + name;
}

ArchiveName ResolveName(const Storage& storage, const std::string& name) {
  const std::size_t slash = name.rfind('/');
  ArchiveName archive{".", slash == std::string::npos ? name : name.substr(slash + 1)};
  if (slash != std::string::npos) {
    const std::size_t last = name.find_last_not_of('/', slash);
    archive.directory = last == std::string::npos ? "/" : name.substr(0, last + 1);
  }
  const auto is_file = [&](const std::string& path) {
    const Result<DirectoryEntry::Kind> kind = storage.KindOf(path);
    return kind && *kind == DirectoryEntry::Kind::kFile;
  };
  const std::optional<FileName> file = ParseFileName(archive.base);
  if (!file) return archive;
  const std::string path = JoinPath(archive.directory, archive.base);
  bool exists = is_file(path);
  for (const CompressionSuffix& known : kCompressionSuffixes)
    exists = exists || is_file(path + std::string(known.suffix));
  if (exists) archive.base = file->base;
  return archive;
}

std::string FileSet::Name() const { return JoinPath(directory, base); }

bool FileSet::HasAllVolumes() const {
  if (!refused.empty() && *refused.rbegin() >= 0) return false;
  const auto first = parts.lower_bound(0);
  if (first == parts.end()) return false;
  const auto count = std::distance(first, parts.end());
  return std::int64_t{parts.rbegin()->first} - first->first + 1 == count;
}

std::string FileSet::FileName(Part part) const {
  const auto file = parts.find(part);
  if (file == parts.end()) return base + "." + PartSuffix(part);
  return file->second.path.substr(file->second.path.rfind('/') + 1);
}

}  // namespace pmproof::archive
