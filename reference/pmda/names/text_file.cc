// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/names/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace pmproof::pmda {
namespace {

std::string ErrorText(int error) { return std::generic_category().message(error); }

tl::expected<std::string, std::string> ReadAll(int file) {
  struct stat status {};
  if (fstat(file, &status) != 0) return tl::unexpected(ErrorText(errno));
  if (!S_ISREG(status.st_mode)) return tl::unexpected(std::string("not a regular file"));
  std::string text;
  std::string block(1 << 16, '\0');
  while (true) {
    const ssize_t got = read(file, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return tl::unexpected(ErrorText(errno));
    if (got == 0) return text;
    text.append(block, 0, static_cast<std::size_t>(got));
    if (text.size() > kMaxTextFile) {
      return tl::unexpected("longer than " + std::to_string(kMaxTextFile) + " bytes");
    }
  }
}

}  // namespace

tl::expected<std::string, std::string> ReadTextFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return tl::unexpected(ErrorText(errno));
  auto text = ReadAll(file);
  close(file);
  return text;
}

IncludeReader IncludesFrom(std::vector<std::string> folders) {
  return [folders = std::move(folders)](const std::string& name) {
    auto text = ReadTextFile(name);
    if (text || name.starts_with('/')) return text;
    for (const std::string& folder : folders) {
      if (auto found = ReadTextFile(folder + "/" + name)) return found;
    }
    return text;
  };
}

IncludeReader NoIncludes() {
  return [](const std::string&) -> tl::expected<std::string, std::string> {
    return tl::unexpected(std::string("no files are included here"));
  };
}

}  // namespace pmproof::pmda
