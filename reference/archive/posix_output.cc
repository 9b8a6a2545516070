// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "reference/archive/output_storage.h"

namespace pmproof::archive {
namespace {

Status Failure(const std::string& path, int error) {
  return {.kind = Status::Kind::kUnreadable,
          .file = path,
          .message = std::generic_category().message(error),
          .code = error == EEXIST ? kFileExists : ErrorCode::kOk};
}

class PosixFile final : public OutputFile {
 public:
  PosixFile(std::string path, int descriptor, bool durable)
      : path_(std::move(path)), descriptor_(descriptor), durable_(durable) {}
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;
  ~PosixFile() override {
    if (descriptor_ >= 0) close(descriptor_);
  }

  std::optional<Status> Write(Bytes bytes) override {
    while (!bytes.empty()) {
      const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno != EINTR) return Failure(path_, errno);
      if (written > 0) bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return std::nullopt;
  }

  // A disk that is full, or gone, may be known only now.
  std::optional<Status> Close() override {
    const int synced =
        !durable_ || fsync(descriptor_) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
    const int closed = close(std::exchange(descriptor_, -1)) == 0 ? 0 : errno;
    if (synced != 0) return Failure(path_, synced);
    if (closed != 0) return Failure(path_, closed);
    return std::nullopt;
  }

 private:
  std::string path_;
  int descriptor_;
  bool durable_;
};

class PosixOutput final : public OutputStorage {
 public:
  explicit PosixOutput(const PosixOutputOptions& options) : options_(options) {}

  Result<std::unique_ptr<OutputFile>> Create(const std::string& path) override {
    const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) return tl::unexpected(Failure(path, errno));
    return std::make_unique<PosixFile>(path, descriptor, options_.durable);
  }

  std::optional<Status> Rename(const std::string& from, const std::string& to) override {
    if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0)
      return std::nullopt;
    if (errno != EINVAL && errno != ENOSYS) return Failure(to, errno);
    // The file system does not know how to.
    struct stat state = {};
    if (lstat(to.c_str(), &state) == 0) return Failure(to, EEXIST);
    if (rename(from.c_str(), to.c_str()) != 0) return Failure(to, errno);
    return std::nullopt;
  }

  std::optional<Status> Replace(const std::string& from, const std::string& to) override {
    if (rename(from.c_str(), to.c_str()) != 0) return Failure(to, errno);
    return std::nullopt;
  }

  std::optional<Status> Remove(const std::string& path) override {
    if (unlink(path.c_str()) != 0) return Failure(path, errno);
    return std::nullopt;
  }

 private:
  PosixOutputOptions options_;
};

}  // namespace

std::unique_ptr<OutputStorage> MakePosixOutput(const PosixOutputOptions& options) {
  return std::make_unique<PosixOutput>(options);
}

}  // namespace pmproof::archive
