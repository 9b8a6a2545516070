// SPDX-License-Identifier: Apache-2.0
// To be loaded in front of a program (LD_PRELOAD): the $FAIL_AT-th time that it opens, maps, reads
// or asks about a file whose name ends in $FAIL_FILE, that fails with the error number $FAIL_ERROR,
// as on a disk that is going. $FAIL_CALL: "open", "mmap", "read" or "fstat".

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

template <typename Function>
Function Real(const char* symbol) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, symbol));
}

// Whether this call is the one that fails; errno is set then.
bool Fails(std::string_view call, std::string_view path) {
  static std::atomic<int> count{0};
  const char* const wanted = std::getenv("FAIL_CALL");
  const char* const file = std::getenv("FAIL_FILE");
  if (wanted == nullptr || file == nullptr || call != wanted || !path.ends_with(file)) return false;
  if (++count != std::atoi(std::getenv("FAIL_AT"))) return false;
  errno = std::atoi(std::getenv("FAIL_ERROR"));
  return true;
}

bool Fails(std::string_view call, int file) {
  char path[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  const ssize_t length = readlink(link.c_str(), path, sizeof path);
  return length > 0 && Fails(call, std::string_view(path, static_cast<std::size_t>(length)));
}

int Open(const char* symbol, const char* path, int flags, mode_t mode) {
  if (Fails("open", path)) return -1;
  return Real<int (*)(const char*, int, mode_t)>(symbol)(path, flags, mode);
}

mode_t ModeOf(int flags, std::va_list& arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

extern "C" int open(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = ModeOf(flags, arguments);
  va_end(arguments);
  return Open("open", path, flags, mode);
}

extern "C" int open64(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = ModeOf(flags, arguments);
  va_end(arguments);
  return Open("open64", path, flags, mode);
}

extern "C" ssize_t read(int file, void* to, std::size_t size) {
  if (Fails("read", file)) return -1;
  return Real<ssize_t (*)(int, void*, std::size_t)>("read")(file, to, size);
}

extern "C" int fstat(int file, struct stat* state) noexcept {
  if (Fails("fstat", file)) return -1;
  return Real<int (*)(int, struct stat*)>("fstat")(file, state);
}

extern "C" void* mmap(void* address, std::size_t size, int protection, int flags, int file,
                      off_t offset) noexcept {
  if (file >= 0 && Fails("mmap", file)) return MAP_FAILED;
  return Real<void* (*)(void*, std::size_t, int, int, int, off_t)>("mmap")(
      address, size, protection, flags, file, offset);
}
