// SPDX-License-Identifier: Apache-2.0
#include "validator/agent_bench/process_watch.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <string>
#include <string_view>

#include "reference/pmda/transport/process_info.h"

namespace pmproof::validator::agent_bench {
namespace {

// "total resident ...", in pages; 0 of a process that has ended.
std::uint64_t ResidentBytes(int statm) {
  char content[128];
  const ssize_t size = pread(statm, content, sizeof content, 0);
  const std::string_view text(content, size > 0 ? static_cast<std::size_t>(size) : 0);
  const std::size_t blank = text.find(' ');
  std::uint64_t pages = 0;
  if (blank != std::string_view::npos) {
    std::from_chars(text.data() + blank + 1, text.data() + text.size(), pages);
  }
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

void ProcessWatch::Add(pid_t process) {
  const bool known = std::ranges::any_of(
      processes_, [process](const Process& one) { return one.number == process && !one.ended; });
  if (known) return;
  const std::string path = "/proc/" + std::to_string(process) + "/statm";
  Process added{.number = process,
                .memory = pmda::Descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC))};
  if (!added.memory.open() || clock_getcpuclockid(process, &added.clock) != 0) return;
  processes_.push_back(std::move(added));
}

void ProcessWatch::Find() {
  Add(agent_);
  const auto all = pmda::ListProcesses();
  if (!all) return;
  for (const pmda::ProcessInfo& info : pmda::DescendantsOf(agent_, *all)) {
    if (!info.zombie()) Add(info.process);
  }
}

ProcessUse ProcessWatch::Look() {
  ProcessUse use;
  for (Process& process : processes_) {
    const std::uint64_t bytes = process.ended ? 0 : ResidentBytes(process.memory.get());
    timespec time{};
    // Its number may be another's by now.
    process.ended |= bytes == 0 || clock_gettime(process.clock, &time) != 0;
    if (!process.ended) {
      process.cpu = std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    }
    use.resident_bytes += bytes;
    use.cpu += process.cpu;
  }
  return use;
}

}  // namespace pmproof::validator::agent_bench
