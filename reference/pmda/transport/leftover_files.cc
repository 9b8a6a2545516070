// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/transport/leftover_files.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "reference/pmda/transport/system_error.h"

namespace pmproof::pmda {

DirectorySnapshot DirectorySnapshot::Take(const std::vector<std::string>& directories) {
  DirectorySnapshot snapshot;
  for (const std::string& directory : directories) {
    std::error_code error;
    for (std::filesystem::directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error))
      snapshot.paths_.insert(entry->path().string());
  }
  return snapshot;
}

std::vector<std::string> DirectorySnapshot::NewSince(const DirectorySnapshot& before) const {
  std::vector<std::string> paths;
  std::set_difference(paths_.begin(), paths_.end(), before.paths_.begin(), before.paths_.end(),
                      std::back_inserter(paths));
  return paths;
}

Result<ScratchDirectory> ScratchDirectory::Make() {
  // A socket's path has 107 bytes at most.
  constexpr std::size_t kLongest = 64;
  const char* const wanted = getenv("TMPDIR");
  const bool usable = wanted != nullptr && *wanted == '/' && std::string(wanted).size() <= kLongest;
  std::string path = std::string(usable ? wanted : "/tmp") + "/pmproof-XXXXXX";
  if (mkdtemp(path.data()) == nullptr)
    return tl::unexpected(SystemError("making the directory " + path, errno));
  return ScratchDirectory(std::move(path));
}

ScratchDirectory::ScratchDirectory(ScratchDirectory&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

ScratchDirectory& ScratchDirectory::operator=(ScratchDirectory&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace pmproof::pmda
