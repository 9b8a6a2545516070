// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/reference_agents/watched_file.h"

#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <array>
#include <ctime>
#include <utility>

namespace pmproof::pmda {
namespace {

// Coarse, because it is read at each fetch: some milliseconds more do no harm.
std::int64_t Now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

std::string FolderOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return path.substr(0, slash + 1);
}

}  // namespace

WatchedFile::WatchedFile(std::string path) : path_(std::move(path)) {}

std::optional<std::int64_t> WatchedFile::ChangeTime() {
  if (Unchanged()) return known_;
  // The watch first: what is changed after it is told, what was before it is seen now.
  Watch();
  looked_at_ = Now();
  struct stat status {};
  if (stat(path_.c_str(), &status) == 0) {
    known_ = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  } else {
    known_.reset();
  }
  return known_;
}

bool WatchedFile::Unchanged() {
  int told = 0;
  return watch_.open() && ioctl(watch_.get(), FIONREAD, &told) == 0 && told == 0 &&
         Now() - looked_at_ < std::chrono::nanoseconds(kLongest).count();
}

void WatchedFile::Watch() {
  constexpr std::uint32_t kChanges = IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM |
                                     IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
  if (!watch_.open()) watch_ = Descriptor(inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!watch_.open()) return;
  alignas(inotify_event) std::array<char, 4096> told;
  while (read(watch_.get(), told.data(), told.size()) > 0) {
  }
  // Again each time, for another folder may have its name by now.
  const int before =
      std::exchange(folder_, inotify_add_watch(watch_.get(), FolderOf(path_).c_str(), kChanges));
  if (before >= 0 && before != folder_) inotify_rm_watch(watch_.get(), before);
  if (folder_ < 0) watch_.Reset();
  // Of the file that a link names its folder tells nothing.
  struct stat status {};
  if (lstat(path_.c_str(), &status) == 0 && S_ISLNK(status.st_mode)) watch_.Reset();
}

}  // namespace pmproof::pmda
