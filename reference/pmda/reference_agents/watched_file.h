// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_REFERENCE_AGENTS_WATCHED_FILE_H_
#define PMPROOF_REFERENCE_PMDA_REFERENCE_AGENTS_WATCHED_FILE_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "reference/pmda/transport/descriptor.h"

namespace pmproof::pmda {

// The modification time of a file that is asked for at every fetch (PMD-224). The kernel is asked
// for it only after it told of a change in the file's folder: to look at a path costs several times
// as much as to ask whether anything was told. What a call to the system changes is seen by the
// next ChangeTime(). Where the kernel tells nothing (a file with another name, or on another host;
// a folder further up that is renamed; stores to a mapping), a change is seen after kLongest. Needs
// no watch to be right: without one each call looks. A resource.
class WatchedFile {
 public:
  static constexpr std::chrono::milliseconds kLongest{10};

  // `path` need not be there.
  explicit WatchedFile(std::string path);

  // In nanoseconds since 1970; nothing if the file cannot be looked at.
  std::optional<std::int64_t> ChangeTime();

 private:
  bool Unchanged();
  void Watch();

  std::string path_;
  Descriptor watch_;  // not open where nothing is told
  int folder_ = -1;   // its number among what is watched
  std::optional<std::int64_t> known_;
  std::int64_t looked_at_ = 0;  // nanoseconds of a clock that only goes on
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_REFERENCE_AGENTS_WATCHED_FILE_H_
