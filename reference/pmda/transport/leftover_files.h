// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_LEFTOVER_FILES_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_LEFTOVER_FILES_H_

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reference/core/status.h"

namespace pmproof::pmda {

// The files of some directories at one time, to tell what an agent left there (CKA-014: sockets,
// temporary and lock files). A value.
class DirectorySnapshot {
 public:
  // Direct entries; directories that are not there are empty ones.
  static DirectorySnapshot Take(const std::vector<std::string>& directories);

  // Paths that are here and were not in `before`, sorted. A directory that others use too (/tmp)
  // also shows what they made.
  std::vector<std::string> NewSince(const DirectorySnapshot& before) const;

 private:
  std::set<std::string> paths_{};
};

// A directory of one's own for an agent's work, TMPDIR and socket. A resource, moved, not copied;
// its destructor removes it with all its content. Its path is short enough for a socket in it.
class ScratchDirectory {
 public:
  // In $TMPDIR if that is set and short enough, else in /tmp.
  static Result<ScratchDirectory> Make();
  ScratchDirectory(ScratchDirectory&& other) noexcept;
  ScratchDirectory& operator=(ScratchDirectory&& other) noexcept;
  ~ScratchDirectory();

  const std::string& path() const { return path_; }

 private:
  explicit ScratchDirectory(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_LEFTOVER_FILES_H_
