// SPDX-License-Identifier: Apache-2.0
#include "validator/custody/spool.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace pmproof::validator {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 16;

Status Failure(const std::string& directory, int error) {
  return {.kind = Status::Kind::kUnreadable,
          .file = directory,
          .message = "a temporary file: " + std::generic_category().message(error)};
}

}  // namespace

Result<Spool> Spool::Create(const std::string& directory) {
  int descriptor = open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
    // The file system knows no files without a name.
    std::string name = directory + "/.pmproof-spool-XXXXXX";
    descriptor = mkostemp(name.data(), O_CLOEXEC);
    if (descriptor >= 0) unlink(name.c_str());
  }
  if (descriptor < 0) return tl::unexpected(Failure(directory, errno));
  return Spool(descriptor, directory);
}

Spool::Spool(int descriptor, std::string directory)
    : descriptor_(descriptor), directory_(std::move(directory)) {}

Spool::Spool(Spool&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      directory_(std::move(other.directory_)),
      held_(std::move(other.held_)),
      error_(std::move(other.error_)) {}

Spool::~Spool() {
  if (descriptor_ >= 0) close(descriptor_);
}

void Spool::Add(std::string_view text) {
  if (error_) return;
  held_ += text;
  if (held_.size() >= kBuffer) Flush();
}

void Spool::Flush() {
  for (std::string_view rest = held_; !error_ && !rest.empty();) {
    const ssize_t written = write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno != EINTR) Fail(errno);
    if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
  }
  held_.clear();
}

void Spool::Fail(int error) { error_ = Failure(directory_, error); }

std::optional<Status> Spool::CopyTo(std::ostream& out) {
  Flush();
  if (error_) return error_;
  std::string buffer(kBuffer, '\0');
  off_t at = 0;
  while (out) {
    const ssize_t got = pread(descriptor_, buffer.data(), buffer.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) Fail(errno);
    if (got <= 0) break;
    out.write(buffer.data(), got);
    at += got;
  }
  return error_;
}

}  // namespace pmproof::validator
