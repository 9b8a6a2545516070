#include "validator/protocol_check/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

namespace pmproof::validator {
namespace {

namespace fs = std::filesystem;

constexpr int kMostAttempts = 100;

// Renames; a file that is there already stays unless `replace`.
int Rename(const std::string& from, const std::string& to, bool replace) {
  if (replace) return std::rename(from.c_str(), to.c_str());
  const int done = renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
  // Not every file system knows that flag.
  if (done == 0 || errno != EINVAL) return done;
  std::error_code error;
  if (fs::exists(fs::symlink_status(to, error))) {
    errno = EEXIST;
    return -1;
  }
  return std::rename(from.c_str(), to.c_str());
}

// Makes an empty file beside `target`; empty, with errno: it cannot be made.
std::string MakeBeside(const std::string& target) {
  const fs::path folder = fs::path(target).parent_path();
  for (int i = 0; i < kMostAttempts; ++i) {
    const std::string name =
        ".pmproof-" + std::to_string(getpid()) + "-" + std::to_string(i) + ".tmp";
    const std::string path = (folder / name).string();
    constexpr mode_t kMode = 0666;  // less what the umask takes
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
    if (file >= 0) {
      close(file);
      return path;
    }
    if (errno != EEXIST) break;
  }
  return "";
}

}  // namespace

tl::expected<std::unique_ptr<OutputFile>, std::string> OutputFile::Create(const std::string& path,
                                                                          bool replace) {
  std::unique_ptr<OutputFile> output(new OutputFile(path, replace));
  std::error_code error;
  const bool there = fs::exists(fs::symlink_status(path, error));
  if (there && !replace) return tl::unexpected(path + " exists already; see --force");
  const auto cannot = [&] {
    return tl::unexpected(path + " can not be written: " + std::strerror(errno));
  };
  // A link stays one, and what it leads to is replaced.
  const fs::path target = fs::weakly_canonical(path, error);
  output->target_ = error ? path : target.string();
  if (fs::is_directory(output->target_, error)) {
    errno = EISDIR;
    return cannot();
  }
  if (there && fs::exists(output->target_, error) && !fs::is_regular_file(output->target_, error)) {
    output->stream_.open(path, std::ios::binary);
    if (!output->stream_) return cannot();
    return output;
  }
  output->temporary_ = MakeBeside(output->target_);
  if (output->temporary_.empty()) return cannot();
  output->stream_.open(output->temporary_, std::ios::binary | std::ios::trunc);
  if (!output->stream_) return cannot();
  return output;
}

tl::expected<void, std::string> OutputFile::Publish() {
  stream_.flush();
  const bool written = stream_.good();
  stream_.close();
  if (!written || stream_.fail()) {
    Discard();
    return tl::unexpected(path_ + ": the report could not be written");
  }
  if (temporary_.empty()) return {};
  if (Rename(temporary_, target_, replace_) != 0) {
    const std::string why = std::strerror(errno);
    Discard();
    return tl::unexpected(path_ + ": " + why);
  }
  temporary_.clear();
  return {};
}

void OutputFile::Discard() {
  if (temporary_.empty()) return;
  unlink(temporary_.c_str());
  temporary_.clear();
}

}  // namespace pmproof::validator
