// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "reference/archive/storage.h"

namespace pmproof::archive {
namespace {

class MemoryFile final : public StoredFile {
 public:
  explicit MemoryFile(Bytes bytes) : bytes_(bytes) {}
  Bytes bytes() const override { return bytes_; }

 private:
  Bytes bytes_;
};

std::string WithoutDot(std::string path) {
  while (path.starts_with("./")) path.erase(0, 2);
  return path.empty() ? "." : path;
}

// What the paths of all that lies below a directory begin with.
std::string PrefixOf(const std::string& name) {
  std::string path = WithoutDot(name);
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  if (path == ".") return "";
  return path == "/" ? path : path + "/";
}

Status NotFound(const std::string& path) {
  return {.kind = Status::Kind::kNotFound, .file = path, .message = "no such file or directory"};
}

}  // namespace

Result<std::vector<DirectoryEntry>> MemoryStorage::List(const std::string& path) const {
  const std::string prefix = PrefixOf(path);
  std::vector<DirectoryEntry> entries;
  for (auto file = files.lower_bound(prefix); file != files.end(); ++file) {
    if (!file->first.starts_with(prefix)) break;
    const std::string rest = file->first.substr(prefix.size());
    const std::size_t slash = rest.find('/');
    if (slash == std::string::npos) {
      entries.push_back({rest, DirectoryEntry::Kind::kFile});
    } else {
      entries.push_back({rest.substr(0, slash), DirectoryEntry::Kind::kDirectory});
    }
  }
  if (entries.empty() && !prefix.empty()) return tl::unexpected(NotFound(path));
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  const auto same = [](const auto& a, const auto& b) { return a.name == b.name; };
  entries.erase(std::unique(entries.begin(), entries.end(), same), entries.end());
  return entries;
}

Result<DirectoryEntry::Kind> MemoryStorage::KindOf(const std::string& path) const {
  if (files.contains(WithoutDot(path))) return DirectoryEntry::Kind::kFile;
  const std::string prefix = PrefixOf(path);
  const auto below = files.lower_bound(prefix);
  const bool found = below != files.end() && below->first.starts_with(prefix);
  if (found || prefix.empty()) return DirectoryEntry::Kind::kDirectory;
  return tl::unexpected(NotFound(path));
}

Result<std::unique_ptr<StoredFile>> MemoryStorage::Open(const std::string& path) const {
  const auto file = files.find(WithoutDot(path));
  if (file == files.end()) return tl::unexpected(NotFound(path));
  return std::make_unique<MemoryFile>(file->second);
}

}  // namespace pmproof::archive
