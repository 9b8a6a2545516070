// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/memory_option.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace pmproof::validator {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#else
constexpr bool kSanitized = false;
#endif

// What the program and its libraries need for themselves: buffers of streams, the catalogue,
// listings of directories.
constexpr std::uint64_t kProgram = std::uint64_t{32} << 20;
// The stack of a thread counts in full, whether it is used or not. A job has up to two threads.
constexpr std::uint64_t kJob = std::uint64_t{18} << 20;
// A sound archive takes 5 KiB: what it is, its label and the names of its files.
constexpr std::uint64_t kKeptOfArchive = std::uint64_t{16} << 10;

// What is mapped to be written to, in bytes; 0 if that is not known.
std::uint64_t Taken() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t pages = 0;
  for (int field = 0; field < 6; ++field) statm >> pages;
  return statm ? pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace

void MemoryOption::Declare(Options& options, const char* more) {
  std::string help = of_ == Of::kEachArchive
                         ? "What one archive may take beside the mapping of its files"
                         : "What this may take beside mapped files";
  help += "; where that is not enough the exit status is 6";
  if (*more != '\0') help += std::string(". ") + more;
  options.Size("--memory", std::move(help), &bytes_).Default(Text()).FromSettings();
}

std::string MemoryOption::Text() const {
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
  return bytes_ % kMiB == 0 ? std::to_string(bytes_ / kMiB) + "M" : std::to_string(bytes_);
}

MemoryLimit MemoryOption::LimitOf(unsigned jobs) const {
  std::uint64_t most = 0;
  const std::uint64_t units = of_ == Of::kEachArchive ? jobs : 1;
  if (kSanitized || __builtin_mul_overflow(bytes_, units, &most) ||
      __builtin_add_overflow(most, Taken() + kProgram + jobs * kJob, &most)) {
    return {};
  }
  return MemoryLimit(most);
}

MemoryLimit::MemoryLimit(std::uint64_t bytes) : bytes_(bytes) {
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    of_system_ = limit.rlim_cur;
}

void MemoryLimit::Enforce() const { EnforceFor(0); }

void MemoryLimit::EnforceFor(std::size_t archives) const {
  std::uint64_t most = 0;
  rlimit limit{};
  if (bytes_ == kNone || __builtin_mul_overflow(kKeptOfArchive, archives, &most) ||
      __builtin_add_overflow(most, bytes_, &most) || getrlimit(RLIMIT_DATA, &limit) != 0) {
    return;
  }
  if (archives > 0) most = std::max<std::uint64_t>(most, limit.rlim_cur);
  limit.rlim_cur = std::min(most, of_system_);
  setrlimit(RLIMIT_DATA, &limit);
}

}  // namespace pmproof::validator
