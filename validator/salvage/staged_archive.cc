// SPDX-License-Identifier: Apache-2.0
#include "validator/salvage/staged_archive.h"

#include <algorithm>

#include "reference/archive/file_set.h"

namespace pmproof::validator {
namespace {

Status NotThere(const std::string& path) {
  return {.kind = Status::Kind::kNotFound, .file = path, .message = "no such file"};
}

}  // namespace

Result<std::unique_ptr<archive::OutputFile>> NamedOutput::Create(const std::string& path) {
  auto file = output_.Create(path);
  if (file) created_ = path;
  return file;
}

std::optional<Status> NamedOutput::Rename(const std::string& from, const std::string& to) {
  return output_.Rename(from, to);
}

std::optional<Status> NamedOutput::Replace(const std::string& from, const std::string& to) {
  return output_.Replace(from, to);
}

std::optional<Status> NamedOutput::Remove(const std::string& path) { return output_.Remove(path); }

Result<std::vector<archive::DirectoryEntry>> StagedArchive::List(const std::string& path) const {
  if (path != directory_) return tl::unexpected(NotThere(path));
  std::vector<archive::DirectoryEntry> entries;
  for (const auto& [name, stored] : names_) {
    entries.push_back({name.substr(name.rfind('/') + 1), archive::DirectoryEntry::Kind::kFile});
  }
  std::ranges::sort(entries, {}, &archive::DirectoryEntry::name);
  return entries;
}

Result<archive::DirectoryEntry::Kind> StagedArchive::KindOf(const std::string& path) const {
  if (path == directory_) return archive::DirectoryEntry::Kind::kDirectory;
  if (names_.contains(path)) return archive::DirectoryEntry::Kind::kFile;
  return tl::unexpected(NotThere(path));
}

Result<std::unique_ptr<archive::StoredFile>> StagedArchive::Open(const std::string& path) const {
  const auto found = names_.find(path);
  if (found == names_.end()) return tl::unexpected(NotThere(path));
  return storage_.Open(found->second);
}

}  // namespace pmproof::validator
