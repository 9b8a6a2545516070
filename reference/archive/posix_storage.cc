// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include "reference/archive/guarded_mapping.h"
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
  // `has_holes`: zeros may be mapped over some of them, so that they are not read.
  MappedFile(std::string path, const struct stat& state, void* address, bool has_holes)
      : path_(std::move(path)),
        device_(state.st_dev),
        inode_(state.st_ino),
        has_holes_(has_holes),
        address_(address),
        size_(static_cast<std::size_t>(state.st_size)),
        guard_(address, size_) {}
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() override { munmap(address_, size_); }
  Bytes bytes() const override { return {static_cast<const std::uint8_t*>(address_), size_}; }

  // Where a file ends inside a page, the rest of that page is zeros and raises nothing: its size
  // has to be looked at too.
  std::optional<Status> lost() const override {
    std::optional<std::uint64_t> fault = guard_.lost_from();
    const std::uint64_t unread = unread_from_.load();
    if (unread < size_) fault = std::min(fault.value_or(unread), unread);
    struct stat state = {};
    const bool same =
        stat(path_.c_str(), &state) == 0 && state.st_dev == device_ && state.st_ino == inode_;
    const std::uint64_t end = same ? static_cast<std::uint64_t>(state.st_size) : size_;
    if (!fault && end >= size_) return std::nullopt;
    const std::string had = std::to_string(size_) + " bytes";
    return Status{.kind = Status::Kind::kUnreadable,
                  .file = path_,
                  .offset = std::min(fault.value_or(end), end),
                  .message = same && end >= size_
                                 ? "the operating system could not read on here, of " + had
                                 : "the file was cut short here while it was read; it had " + had};
  }

  void Read(std::uint64_t offset, std::span<std::uint8_t> into) const override {
    if (!IsOpenAgain()) return StoredFile::Read(offset, into);
    while (!into.empty()) {
      const ssize_t got =
          pread(again_->number(), into.data(), into.size(), static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return NoteUnread(offset, into);
      offset += static_cast<std::uint64_t>(got);
      into = into.subspan(static_cast<std::size_t>(got));
    }
  }

  // Pages that are in part outside stay.
  void LetGo(std::uint64_t begin, std::uint64_t end) const override {
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    begin += (page - begin % page) % page;
    end = std::min<std::uint64_t>(end, size_);
    end -= end % page;
    if (begin < end)
      madvise(static_cast<std::uint8_t*>(address_) + begin, end - begin, MADV_DONTNEED);
  }

  // What is in memory is there in single pages or in pieces of many. A fault maps pages for 64 KiB
  // around it, one by one, or a whole piece, if that is larger: then the next 64 KiB are there,
  // too.
  bool IsDearToMap(std::uint64_t offset) const override {
    const std::uint64_t begin = offset / kLargestPiece * kLargestPiece;
    const std::uint64_t middle =
        begin + (std::min<std::uint64_t>(size_, begin + kLargestPiece) - begin) / 2;
    if (middle - begin < kLargestPiece / 8) return false;
    return TakesFault(middle) && TakesFault(middle + kMappedAround) && IsOpenAgain();
  }

  bool TryRead(std::uint64_t offset, std::span<std::uint8_t> into) const override {
    if (!IsOpenAgain()) return false;
    const iovec all = {into.data(), into.size()};
    const ssize_t got = preadv2(again_->number(), &all, 1, static_cast<off_t>(offset), RWF_NOWAIT);
    return got >= 0 && static_cast<std::size_t>(got) == into.size();
  }

 private:
  static constexpr std::uint64_t kLargestPiece = std::uint64_t{2} << 20;
  static constexpr std::uint64_t kMappedAround = std::uint64_t{64} << 10;

  bool TakesFault(std::uint64_t offset) const {
    const long before = Faults();
    const volatile std::uint8_t* const address = static_cast<std::uint8_t*>(address_) + offset;
    static_cast<void>(*address);
    return Faults() != before;
  }
  static long Faults() {
    struct rusage usage = {};
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_minflt + usage.ru_majflt;
  }

  bool IsOpenAgain() const {
    std::call_once(opened_, [this] { OpenAgain(); });
    return again_.has_value();
  }

  // Not kept from Open() on: there may be more files than a process may have descriptors.
  void OpenAgain() const {
    if (has_holes_) return;
    again_.emplace(open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat state = {};
    const bool same = again_->number() >= 0 && fstat(again_->number(), &state) == 0 &&
                      state.st_dev == device_ && state.st_ino == inode_;
    if (!same) again_.reset();
  }

  void NoteUnread(std::uint64_t offset, std::span<std::uint8_t> into) const {
    std::ranges::fill(into, std::uint8_t{0});
    std::uint64_t before = unread_from_.load();
    while (offset < before && !unread_from_.compare_exchange_weak(before, offset)) {
    }
  }

  std::string path_;
  dev_t device_;
  ino_t inode_;
  bool has_holes_;
  mutable std::once_flag opened_;
  mutable std::optional<Descriptor> again_;  // none: it is another file by now
  mutable std::atomic<std::uint64_t> unread_from_ = ~std::uint64_t{0};
  void* address_;
  std::size_t size_;
  GuardedMapping guard_;
};

// Long holes of a sparse file are mapped as zeros that take no memory, neither of the page cache
// nor of this process: a short file of zeros, again and again. Anonymous memory would do on kernels
// that have a page of zeros for it; not all have. At most so many holes and windows: a process may
// have some 65000 mappings. What is beyond is read from the file.
constexpr int kMostHoles = 16;
constexpr off_t kLongHole = off_t{1} << 20;
constexpr off_t kWindow = off_t{4} << 20;
constexpr int kMostWindows = 8192;

// Maps zeros over [begin, end) of the mapping at `address`. False if that is not whole any more.
bool CoverHole(int zeros, std::uint8_t* address, off_t begin, off_t end, int* windows) {
  for (; begin < end && *windows < kMostWindows; begin += kWindow, ++*windows) {
    const auto length = static_cast<std::size_t>(std::min(kWindow, end - begin));
    if (mmap(address + begin, length, PROT_READ, MAP_PRIVATE | MAP_FIXED, zeros, 0) == MAP_FAILED)
      return false;
  }
  return true;
}

// False if the mapping at `address` is not whole any more.
bool CoverHoles(int descriptor, std::uint8_t* address, off_t size) {
  const Descriptor zeros(memfd_create("zeros", MFD_CLOEXEC));
  if (zeros.number() < 0 || ftruncate(zeros.number(), kWindow) != 0) return true;
  const off_t page = sysconf(_SC_PAGESIZE);
  off_t at = 0;
  int windows = 0;
  for (int i = 0; i < kMostHoles; ++i) {
    off_t begin = lseek(descriptor, at, SEEK_HOLE);
    if (begin < 0 || begin >= size) return true;
    off_t end = lseek(descriptor, begin, SEEK_DATA);
    if (end < 0 || end > size) end = size;
    at = end;
    begin = (begin + page - 1) / page * page;
    if (end < size) end = end / page * page;
    if (end - begin < kLongHole) continue;
    if (!CoverHole(zeros.number(), address, begin, end, &windows)) return false;
  }
  return true;
}

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
    const bool sparse = state.st_blocks < state.st_size / 512;
    if (sparse && !CoverHoles(file.number(), static_cast<std::uint8_t*>(address), state.st_size)) {
      const int error = errno;
      munmap(address, size);
      return tl::unexpected(Failure(path, error));
    }
    return std::make_unique<MappedFile>(path, state, address, sparse);
  }

 private:
  PosixOptions options_;
};

}  // namespace

std::unique_ptr<Storage> MakePosixStorage(const PosixOptions& options) {
  return std::make_unique<PosixStorage>(options);
}

}  // namespace pmproof::archive
