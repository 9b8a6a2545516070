#ifndef PMPROOF_REFERENCE_ARCHIVE_STORAGE_H_
#define PMPROOF_REFERENCE_ARCHIVE_STORAGE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/bytes.h"
#include "reference/core/status.h"

namespace pmproof::archive {

// The bytes of one stored file, as they lie there (compressed or not). Read only; the view lives as
// long as the object.
class StoredFile {
 public:
  virtual ~StoredFile() = default;
  virtual Bytes bytes() const = 0;
};

struct DirectoryEntry {
  enum class Kind : std::uint8_t { kFile, kDirectory, kOther };
  std::string name;
  Kind kind = Kind::kFile;
};

// Where files are: the operating system's, or in memory for tests. Paths are opaque but for '/'.
class Storage {
 public:
  virtual ~Storage() = default;

  // The entries of a directory, sorted by name (bytes). Symbolic links are followed for files; a link
  // to a directory is given as kOther unless `path` itself is the link, so that walks end (no loops).
  virtual Result<std::vector<DirectoryEntry>> List(const std::string& path) const = 0;

  // What `path` is; kNotFound if there is nothing.
  virtual Result<DirectoryEntry::Kind> KindOf(const std::string& path) const = 0;

  // kUnreadable if it is no regular file or permission is missing (ARC-1016).
  virtual Result<std::unique_ptr<StoredFile>> Open(const std::string& path) const = 0;
};

// The operating system's files, mapped. A file that shrinks while it is mapped does not end the
// program: what is gone reads as zeros [see posix_storage.cc].
std::unique_ptr<Storage> MakePosixStorage();

// Files in memory: path -> content. Directories exist where a path has them as a prefix.
class MemoryStorage final : public Storage {
 public:
  std::map<std::string, std::vector<std::uint8_t>, std::less<>> files;

  Result<std::vector<DirectoryEntry>> List(const std::string& path) const override;
  Result<DirectoryEntry::Kind> KindOf(const std::string& path) const override;
  Result<std::unique_ptr<StoredFile>> Open(const std::string& path) const override;
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_STORAGE_H_
