// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/transport/process_info.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <memory>
#include <set>

#include "reference/pmda/transport/system_error.h"

namespace pmproof::pmda {
namespace {

// Takes the number at the front of `text`, and the blank after it.
bool TakeNumber(std::string_view& text, pid_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.empty() || text.front() != ' ') return false;
  text.remove_prefix(1);
  return true;
}

// The first bytes of a small file; empty if it cannot be read.
std::string ReadFront(int directory, const char* path) {
  const Descriptor file(openat(directory, path, O_RDONLY | O_CLOEXEC));
  char content[512];
  const ssize_t size = file.open() ? read(file.get(), content, sizeof content) : -1;
  return size > 0 ? std::string(content, static_cast<std::size_t>(size)) : std::string();
}

using Directory = std::unique_ptr<DIR, int (*)(DIR*)>;

Directory OpenDirectory(int at, const char* path) {
  const int descriptor = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const directory = descriptor >= 0 ? fdopendir(descriptor) : nullptr;
  if (directory == nullptr && descriptor >= 0) close(descriptor);
  return {directory, closedir};
}

bool IsNumber(const char* name) {
  return *name != '\0' && std::all_of(name, name + std::string_view(name).size(),
                                      [](char c) { return c >= '0' && c <= '9'; });
}

// The second number of a file "schedstat": nanoseconds of a thread.
std::chrono::nanoseconds WaitedIn(int directory, const char* path) {
  const std::string content = ReadFront(directory, path);
  const std::size_t blank = content.find(' ');
  std::int64_t waited = 0;
  if (blank != std::string::npos)
    std::from_chars(content.data() + blank + 1, content.data() + content.size(), waited);
  return std::chrono::nanoseconds(waited);
}

}  // namespace

std::string ProcessInfo::ToText() const {
  std::string text = std::to_string(process) + " (" + name + ")";
  if (zombie()) text += ", zombie";
  if (state == 'T') text += ", stopped";
  return text;
}

std::optional<ProcessInfo> ParseProcessStat(std::string_view content) {
  ProcessInfo info;
  if (!TakeNumber(content, info.process)) return std::nullopt;
  const std::size_t name_end = content.rfind(')');
  if (content.empty() || content.front() != '(' || name_end == std::string_view::npos)
    return std::nullopt;
  info.name = content.substr(1, name_end - 1);
  content.remove_prefix(name_end + 1);
  if (content.size() < 3 || content[0] != ' ' || content[2] != ' ') return std::nullopt;
  info.state = content[1];
  content.remove_prefix(3);
  if (!TakeNumber(content, info.parent) || !TakeNumber(content, info.group) ||
      !TakeNumber(content, info.session))
    return std::nullopt;
  return info;
}

Result<std::vector<ProcessInfo>> ListProcesses() {
  const Directory proc = OpenDirectory(AT_FDCWD, "/proc");
  if (!proc) return tl::unexpected(SystemError("listing processes in /proc", errno));
  std::vector<ProcessInfo> all;
  while (const dirent* const entry = readdir(proc.get())) {
    if (!IsNumber(entry->d_name)) continue;
    const std::string path = std::string(entry->d_name) + "/stat";
    if (auto info = ParseProcessStat(ReadFront(dirfd(proc.get()), path.c_str())))
      all.push_back(std::move(*info));
  }
  return all;
}

std::vector<ProcessInfo> DescendantsOf(pid_t ancestor, const std::vector<ProcessInfo>& all) {
  std::vector<ProcessInfo> found;
  std::set<pid_t> known = {ancestor};
  // Each round goes one generation down; a child may be listed before its parent.
  for (bool more = true; more;) {
    more = false;
    for (const ProcessInfo& info : all) {
      if (!known.contains(info.parent) || known.contains(info.process)) continue;
      known.insert(info.process);
      found.push_back(info);
      more = true;
    }
  }
  return found;
}

std::chrono::nanoseconds WaitedForProcessor(const std::vector<pid_t>& processes) {
  std::chrono::nanoseconds waited{};
  for (const pid_t process : processes) {
    const std::string path = "/proc/" + std::to_string(process) + "/task";
    const Directory threads = OpenDirectory(AT_FDCWD, path.c_str());
    while (const dirent* const entry = threads ? readdir(threads.get()) : nullptr) {
      if (!IsNumber(entry->d_name)) continue;
      const std::string file = std::string(entry->d_name) + "/schedstat";
      waited += WaitedIn(dirfd(threads.get()), file.c_str());
    }
  }
  return waited;
}

std::chrono::nanoseconds WaitedForProcessor() {
  return WaitedIn(AT_FDCWD, "/proc/thread-self/schedstat");
}

Result<ProcessHandle> ProcessHandle::Open(pid_t process) {
  const std::string path = "/proc/" + std::to_string(process);
  Descriptor directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.open()) return tl::unexpected(SystemError("looking at " + path, errno));
  return ProcessHandle(std::move(directory));
}

Result<ProcessResources> ProcessHandle::Resources() const {
  if (!directory_.open()) return tl::unexpected(SystemError("looking at a process", EBADF));
  // "total resident ..." in pages; of a process that has ended "0 0 ..." or nothing.
  const std::string sizes = ReadFront(directory_.get(), "statm");
  const std::size_t blank = sizes.find(' ');
  std::uint64_t pages = 0;
  if (blank != std::string::npos)
    std::from_chars(sizes.data() + blank + 1, sizes.data() + sizes.size(), pages);
  const Directory descriptors = OpenDirectory(directory_.get(), "fd");
  if (!descriptors || pages == 0) {
    const int error = !descriptors && errno == EACCES ? EACCES : ESRCH;
    return tl::unexpected(SystemError("looking at a process", error));
  }
  ProcessResources resources;
  while (const dirent* const entry = readdir(descriptors.get()))
    resources.descriptors += IsNumber(entry->d_name) ? 1 : 0;
  resources.resident_bytes = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return resources;
}

}  // namespace pmproof::pmda
