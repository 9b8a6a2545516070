// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_ARCHIVE_OUTPUT_H_
#define PMPROOF_REFERENCE_ARCHIVE_ARCHIVE_OUTPUT_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/encode.h"
#include "reference/archive/file_set.h"
#include "reference/archive/layout.h"
#include "reference/archive/output_storage.h"
#include "reference/archive/source.h"
#include "reference/core/status.h"

namespace pmproof::archive {

// Returns "DIRECTORY/BASE" taken apart; the directory of a path without a slash is ".". Unlike
// ResolveName, it looks at no file: the base stays as it is.
ArchiveName SplitPath(const std::string& path);

// One file in the making: the encoders append to buffer(), which is handed on now and then.
class PartOutput {
 public:
  // `path` is what the file will be called: errors name that.
  PartOutput(std::unique_ptr<OutputFile> file, std::string path)
      : file_(std::move(file)), path_(std::move(path)) {}

  Buffer* buffer() { return &buffer_; }

  // Uncompressed bytes so far.
  std::uint64_t position() const { return written_ + buffer_.size(); }

  // Hands on what is in the buffer once that is worth it. Called after each record.
  std::optional<Status> Settle() { return buffer_.size() < kEnough ? std::nullopt : Flush(); }

  // Appends bytes as they are.
  std::optional<Status> Write(Bytes bytes);

  // Nothing can be appended any more. Closing again does nothing.
  std::optional<Status> Close();

 private:
  static constexpr std::size_t kEnough = std::size_t{1} << 18;
  std::optional<Status> Flush();
  std::optional<Status> Named(std::optional<Status> error) const;

  std::unique_ptr<OutputFile> file_;
  std::string path_;
  Buffer buffer_;
  std::uint64_t written_ = 0;
};

// The files of one archive in the making. They have temporary names in the directory of the
// archive, which nobody takes for an archive's, until Publish() gives them their own; whatever is
// not published is removed when this is destroyed. A resource: not copied.
class ArchiveOutput {
 public:
  // `storage` outlives this. `path` is "DIRECTORY/BASE".
  ArchiveOutput(OutputStorage& storage, const std::string& path);
  ArchiveOutput(const ArchiveOutput&) = delete;
  ArchiveOutput& operator=(const ArchiveOutput&) = delete;
  ~ArchiveOutput();

  // Begins a file. It is called BASE.meta, BASE.index or BASE.NUMBER, and `suffix` after that;
  // what is written to it is compressed on the way. The result lives as long as this.
  Result<PartOutput*> Add(Part part, std::string_view suffix, Compression compression);

  // Begins a file of any name, in the same directory: what is damaged on purpose can be called as
  // no part is.
  Result<PartOutput*> AddFile(const std::string& name, Compression compression);

  // Closes all files and gives them their names, .meta last: without it nothing is an archive. The
  // files `replaced` are removed; another file in the way is an error. Either all of it is done or,
  // after an error, nothing.
  std::optional<Status> Publish(const std::vector<std::string>& replaced = {});

 private:
  struct File {
    std::string temporary;
    std::string path;
    std::unique_ptr<PartOutput> output;
  };
  std::string TemporaryName();
  std::optional<Status> RenameAll(const std::vector<std::string>& replaced);
  std::optional<Status> Move(const std::string& from, const std::string& to);

  OutputStorage& storage_;
  std::string directory_;
  std::string base_;
  std::uint64_t names_ = 0;
  std::vector<File> files_;
  struct Renamed {
    std::string from;
    std::string to;
  };
  std::vector<Renamed> renamed_;
  bool published_ = false;
};

// The files in a directory that belong to an archive of that base name, compressed ones too: what
// is in the way of a new one.
std::vector<std::string> FilesOf(const Storage& storage, const std::string& path);

// The same, of a directory that was listed: only the entries that may be the archive's are looked
// at.
std::vector<std::string> FilesOf(const std::vector<DirectoryEntry>& entries,
                                 const ArchiveName& archive);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_ARCHIVE_OUTPUT_H_
