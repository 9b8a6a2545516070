// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_TESTING_FAILING_STORAGE_H_
#define PMPROOF_REFERENCE_ARCHIVE_TESTING_FAILING_STORAGE_H_

#include <algorithm>
#include <cerrno>
#include <map>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "reference/archive/storage.h"

namespace pmproof::archive::testing {

// Files in memory, some of which the operating system does not let us read.
class FailingStorage final : public Storage {
 public:
  MemoryStorage memory;
  // Listed as a regular file; opening it fails with this errno. A file that vanished: ENOENT.
  std::map<std::string, int> not_opened;
  // Listed as "other", because looking at it fails too: a stale handle, a dangling link.
  std::map<std::string, int> not_seen;

  Result<std::vector<DirectoryEntry>> List(const std::string& path) const override {
    auto entries = memory.List(path);
    for (const auto& [name, error] : not_seen) {
      if (!entries) break;
      const std::size_t slash = name.rfind('/');
      const std::string directory = slash == std::string::npos ? "." : name.substr(0, slash);
      if (directory != path) continue;
      const std::string base = slash == std::string::npos ? name : name.substr(slash + 1);
      std::erase_if(*entries, [&](const DirectoryEntry& entry) { return entry.name == base; });
      entries->push_back({base, DirectoryEntry::Kind::kOther});
    }
    if (entries) {
      std::ranges::sort(*entries, {}, &DirectoryEntry::name);
    }
    return entries;
  }

  Result<DirectoryEntry::Kind> KindOf(const std::string& path) const override {
    const auto failure = not_seen.find(path);
    if (failure != not_seen.end()) return tl::unexpected(Failure(path, failure->second));
    return memory.KindOf(path);
  }

  Result<std::unique_ptr<StoredFile>> Open(const std::string& path) const override {
    for (const auto& failures : {not_opened, not_seen}) {
      const auto failure = failures.find(path);
      if (failure != failures.end()) return tl::unexpected(Failure(path, failure->second));
    }
    return memory.Open(path);
  }

 private:
  static Status Failure(const std::string& path, int error) {
    return {.kind = error == ENOENT ? Status::Kind::kNotFound : Status::Kind::kUnreadable,
            .file = path,
            .message = std::generic_category().message(error)};
  }
};

}  // namespace pmproof::archive::testing

#endif  // PMPROOF_REFERENCE_ARCHIVE_TESTING_FAILING_STORAGE_H_
