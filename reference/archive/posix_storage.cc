#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "reference/archive/storage.h"

namespace pmproof::archive {
namespace {

Status Failure(const std::string& path, int error) {
  const bool absent = error == ENOENT || error == ENOTDIR;
  return {.kind = absent ? Status::Kind::kNotFound : Status::Kind::kUnreadable,
          .file = path,
          .message = std::generic_category().message(error)};
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

class CopiedFile final : public StoredFile {
 public:
  explicit CopiedFile(std::vector<std::uint8_t> content) : content_(std::move(content)) {}
  Bytes bytes() const override { return content_; }

 private:
  std::vector<std::uint8_t> content_;
};

class MappedFile final : public StoredFile {
 public:
  MappedFile(void* address, std::size_t size) : address_(address), size_(size) {}
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() override { munmap(address_, size_); }
  Bytes bytes() const override { return {static_cast<const std::uint8_t*>(address_), size_}; }

 private:
  void* address_;
  std::size_t size_;
};

// A file that was cut since `size` was asked for gives what is there.
Result<std::unique_ptr<StoredFile>> Copy(const std::string& path, int descriptor,
                                         std::size_t size) {
  std::vector<std::uint8_t> content(size);
  std::size_t have = 0;
  while (have < size) {
    const ssize_t got = read(descriptor, content.data() + have, size - have);
    if (got == 0) break;
    if (got < 0 && errno != EINTR) return tl::unexpected(Failure(path, errno));
    if (got > 0) have += static_cast<std::size_t>(got);
  }
  content.resize(have);
  return std::make_unique<CopiedFile>(std::move(content));
}

DirectoryEntry::Kind KindOfMode(mode_t mode) {
  if (S_ISREG(mode)) return DirectoryEntry::Kind::kFile;
  return S_ISDIR(mode) ? DirectoryEntry::Kind::kDirectory : DirectoryEntry::Kind::kOther;
}

class PosixStorage final : public Storage {
 public:
  explicit PosixStorage(const PosixOptions& options) : options_(options) {}

  Result<std::vector<DirectoryEntry>> List(const std::string& path) const override {
    std::error_code error;
    std::vector<DirectoryEntry> entries;
    for (std::filesystem::directory_iterator entry(path, error), end; !error && entry != end;
         entry.increment(error)) {
      std::error_code gone;  // the kind of what vanishes meanwhile is "other"
      DirectoryEntry::Kind kind = DirectoryEntry::Kind::kOther;
      if (entry->is_regular_file(gone)) {
        kind = DirectoryEntry::Kind::kFile;
      } else if (entry->is_directory(gone) && !entry->is_symlink(gone)) {
        kind = DirectoryEntry::Kind::kDirectory;
      }
      entries.push_back({entry->path().filename().string(), kind});
    }
    if (error) return tl::unexpected(Failure(path, error.value()));
    std::sort(entries.begin(), entries.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    return entries;
  }

  Result<DirectoryEntry::Kind> KindOf(const std::string& path) const override {
    struct stat state = {};
    if (stat(path.c_str(), &state) != 0) return tl::unexpected(Failure(path, errno));
    return KindOfMode(state.st_mode);
  }

  Result<std::unique_ptr<StoredFile>> Open(const std::string& path) const override {
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (file.number() < 0) return tl::unexpected(Failure(path, errno));
    struct stat state = {};
    if (fstat(file.number(), &state) != 0) return tl::unexpected(Failure(path, errno));
    if (!S_ISREG(state.st_mode)) {
      return tl::unexpected(Status{
          .kind = Status::Kind::kUnreadable, .file = path, .message = "is not a regular file"});
    }
    const auto size = static_cast<std::size_t>(state.st_size);
    if (size <= options_.copy_up_to) return Copy(path, file.number(), size);
    void* address = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
    if (address == MAP_FAILED) return tl::unexpected(Failure(path, errno));
    madvise(address, size, MADV_SEQUENTIAL);
    return std::make_unique<MappedFile>(address, size);
  }

 private:
  PosixOptions options_;
};

}  // namespace

std::unique_ptr<Storage> MakePosixStorage(const PosixOptions& options) {
  return std::make_unique<PosixStorage>(options);
}

}  // namespace pmproof::archive
