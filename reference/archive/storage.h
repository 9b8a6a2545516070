// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_STORAGE_H_
#define PMPROOF_REFERENCE_ARCHIVE_STORAGE_H_

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference/core/bytes.h"
#include "reference/core/lifetime.h"
#include "reference/core/status.h"

namespace pmproof::archive {

// The bytes of one stored file, as they lie there (compressed or not). Read only; the view lives as
// long as the object.
class StoredFile {
 public:
  virtual ~StoredFile() = default;
  virtual Bytes bytes() const PMPROOF_LIFETIME_BOUND = 0;

  // Somebody else cut the file short since it was opened, or its device failed: kUnreadable, with
  // the offset (in the file as it lies there) from which on bytes() are zeros and not what the file
  // held. Nothing: whatever was read so far is good. From any thread.
  virtual std::optional<Status> lost() const { return std::nullopt; }

  // Copies what bytes() show from `offset` on; all of `into` lies within them. Faster than a first
  // look at the pages of a mapped file. What is lost is zeros, as in bytes(). From any thread.
  virtual void Read(std::uint64_t offset, std::span<std::uint8_t> into) const {
    const Bytes part = bytes().subspan(static_cast<std::size_t>(offset), into.size());
    std::ranges::copy(part, into.begin());
  }

  // The bytes from `begin` to `end` will be looked at seldom, if at all: what shows them may be
  // made anew then. From any thread.
  virtual void LetGo(std::uint64_t /*begin*/, std::uint64_t /*end*/) const {}

  // True if a look at a few of the bytes() around `offset` takes longer than TryRead() of them: the
  // system has the file in memory in single pages, and maps each. May look at some. Changes nothing
  // but the time that reading takes.
  virtual bool IsDearToMap(std::uint64_t /*offset*/) const { return false; }

  // Read(), if no device need be waited for and all is there; else false, and `into` may be
  // anything: bytes() are to be looked at then. From any thread.
  virtual bool TryRead(std::uint64_t /*offset*/, std::span<std::uint8_t> /*into*/) const {
    return false;
  }
};

// True for what the operating system answers about a file (no such file, no permission, an
// input/output error, a stale handle): nothing is known of the file's content then, and no verdict
// on it is possible.
inline bool IsStorageFailure(const Status& status) {
  return status.kind == Status::Kind::kNotFound || status.kind == Status::Kind::kUnreadable;
}

struct DirectoryEntry {
  enum class Kind : std::uint8_t { kFile, kDirectory, kOther };
  std::string name;
  Kind kind = Kind::kFile;
};

// Where files are: the operating system's, or in memory for tests. Paths are opaque but for '/'.
class Storage {
 public:
  virtual ~Storage() = default;

  // The entries of a directory, sorted by name (bytes). Symbolic links are followed for files; a
  // link to a directory is given as kOther unless `path` itself is the link, so that walks end (no
  // loops).
  virtual Result<std::vector<DirectoryEntry>> List(const std::string& path) const = 0;

  // What `path` is; kNotFound if there is nothing.
  virtual Result<DirectoryEntry::Kind> KindOf(const std::string& path) const = 0;

  // kUnreadable if it is not a regular file or permission is missing (ARC-1016), kNotFound if there
  // is nothing. Never waits for a pipe or device.
  virtual Result<std::unique_ptr<StoredFile>> Open(const std::string& path) const = 0;
};

// How the operating system's files are read.
//
// A large file is mapped. If another process cuts a mapped file short, looking at the bytes that
// are gone raises SIGBUS. The core installs no signal handlers: a program calls HandleLostPages()
// (guarded_mapping.h), and StoredFile::lost() says afterwards which file it was. A file up to
// `copy_up_to` is copied when it is opened, and what happens to it later does no harm.
struct PosixOptions {
  std::uint64_t copy_up_to = std::uint64_t{64} << 10;
};

// The size of a file is that at Open(): what is appended later is not seen.
std::unique_ptr<Storage> MakePosixStorage(const PosixOptions& options = {});

// Files in memory: path -> content. Directories exist where a path has them as a prefix; "." is the
// one of paths without a slash, and a leading "./" means nothing. Opened files are views: `files`
// must stay as it is while they are in use.
class MemoryStorage final : public Storage {
 public:
  std::map<std::string, std::vector<std::uint8_t>, std::less<>> files;

  Result<std::vector<DirectoryEntry>> List(const std::string& path) const override;
  Result<DirectoryEntry::Kind> KindOf(const std::string& path) const override;
  Result<std::unique_ptr<StoredFile>> Open(const std::string& path) const override;
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_STORAGE_H_
