// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_OUTPUT_STORAGE_H_
#define PMPROOF_REFERENCE_ARCHIVE_OUTPUT_STORAGE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/archive/storage.h"
#include "reference/core/bytes.h"
#include "reference/core/status.h"

namespace pmproof::archive {

// The code of a Status that says that there is a file of that name (-EEXIST).
inline constexpr ErrorCode kFileExists{-17};

// A file that is being written from front to back. A resource; one that is destroyed without
// Close() leaves nothing that anybody may rely on.
class OutputFile {
 public:
  virtual ~OutputFile() = default;

  // Nothing, or why not all bytes could be written (kUnreadable with the system's words, such as
  // "No space left on device"). Nothing more is written afterwards.
  virtual std::optional<Status> Write(Bytes bytes) = 0;

  // Writes what is still held back. Called once, last.
  virtual std::optional<Status> Close() = 0;
};

// Where files are written: the operating system's, or in memory for tests. What goes wrong is
// kUnreadable with the system's words.
class OutputStorage {
 public:
  virtual ~OutputStorage() = default;

  // A new file; an error if there is one of that name.
  virtual Result<std::unique_ptr<OutputFile>> Create(const std::string& path) = 0;

  // Gives a file another name in the same directory; an error if there is a file of that name.
  virtual std::optional<Status> Rename(const std::string& from, const std::string& to) = 0;

  // Gives a file the name of another in the same directory, which it replaces in one step if there
  // is one.
  virtual std::optional<Status> Replace(const std::string& from, const std::string& to) = 0;

  virtual std::optional<Status> Remove(const std::string& path) = 0;
};

struct PosixOutputOptions {
  // A file that was closed is on the disk itself, whatever happens to the machine. Takes a while
  // where there are many of them.
  bool durable = true;
};

std::unique_ptr<OutputStorage> MakePosixOutput(const PosixOutputOptions& options = {});

// Writes into the files of a MemoryStorage, and fails where a test wants it to.
class MemoryOutput final : public OutputStorage {
 public:
  explicit MemoryOutput(MemoryStorage& storage) : storage_(storage) {}

  // Bytes that can still be written: beyond them the disk is full.
  std::uint64_t space = ~std::uint64_t{0};
  // Renaming to such a path fails.
  std::function<bool(const std::string& path)> refuses_rename = [](const std::string&) {
    return false;
  };

  Result<std::unique_ptr<OutputFile>> Create(const std::string& path) override;
  std::optional<Status> Rename(const std::string& from, const std::string& to) override;
  std::optional<Status> Replace(const std::string& from, const std::string& to) override;
  std::optional<Status> Remove(const std::string& path) override;

 private:
  MemoryStorage& storage_;
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_OUTPUT_STORAGE_H_
