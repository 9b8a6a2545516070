// SPDX-License-Identifier: Apache-2.0
// To be loaded in front of a program (LD_PRELOAD): as soon as it has mapped a file whose name ends
// in $CUT_FILE for the $CUT_AT-th time, that file is cut to $CUT_TO bytes, as by somebody else.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

void* Map(const char* symbol, void* address, std::size_t size, int protection, int flags, int file,
          off_t offset) {
  static std::atomic<int> count{0};
  using Function = void* (*)(void*, std::size_t, int, int, int, off_t);
  const auto real = reinterpret_cast<Function>(dlsym(RTLD_NEXT, symbol));
  void* const mapped = real(address, size, protection, flags, file, offset);
  const char* const victim = std::getenv("CUT_FILE");
  if (victim == nullptr || file < 0) return mapped;
  char path[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  const ssize_t length = readlink(link.c_str(), path, sizeof path);
  if (length < 0) return mapped;
  const std::string name(path, static_cast<std::size_t>(length));
  if (name.ends_with(victim) && ++count == std::atoi(std::getenv("CUT_AT"))) {
    if (truncate(name.c_str(), std::atol(std::getenv("CUT_TO"))) != 0) std::abort();
  }
  return mapped;
}

}  // namespace

extern "C" void* mmap(void* address, std::size_t size, int protection, int flags, int file,
                      off_t offset) noexcept {
  return Map("mmap", address, size, protection, flags, file, offset);
}

extern "C" void* mmap64(void* address, std::size_t size, int protection, int flags, int file,
                        off_t offset) noexcept {
  return Map("mmap64", address, size, protection, flags, file, offset);
}
