#ifndef PMPROOF_REFERENCE_ARCHIVE_FILE_SET_H_
#define PMPROOF_REFERENCE_ARCHIVE_FILE_SET_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/archive/layout.h"
#include "reference/archive/reporter.h"
#include "reference/archive/source.h"
#include "reference/archive/storage.h"

namespace pmproof::archive {

// One file of an archive: its path and how it is compressed.
struct ArchiveFile {
  std::string path;
  Compression compression = Compression::kNone;
};

// The files that make up one archive (ARC-030..041): which file stands for which part. A part that
// exists in several forms is represented by the plain one, else by the first suffix of ARC-033.
struct FileSet {
  std::string directory;  // "." or without a trailing slash
  std::string base;       // name without directory and suffix
  std::map<Part, ArchiveFile> parts;  // kIndexPart, kMetaPart, 0, 1, ...

  std::string Name() const;             // directory/base, base alone in "."
  std::string FileName(Part part) const;  // "base.meta.xz": as findings and errors name it
};

// "meta", "index" or the decimal volume number (ARC-030).
std::string PartSuffix(Part part);

// An archive file's name taken apart (ARC-037); nothing if it is no such name. `canonical` is false
// for volume numbers with a sign, blanks or leading zeros (ARC-031).
struct FileName {
  std::string base;
  Part part = kWholeArchive;
  Compression compression = Compression::kNone;
  bool canonical = true;
};
std::optional<FileName> ParseFileName(std::string_view name);

// Resolves a name given by a user (ARC-038) and collects the files of that archive. Reports the rules
// on sets of files that need no content (ARC-1001..1003, 1006..1008, 1010..1013, 1016). Error:
// kNotFound if no file of the archive exists at all.
Result<FileSet> FindArchive(const Storage& storage, const std::string& name, Reporter& reporter);

// All archives named by a list as users give it: archive names, any file of an archive, directories
// (with all below them if `recursive`; ARC-550 enters no subdirectories), comma lists. Sorted by name
// within a directory, each archive once. Files that look like parts of no archive are ignored
// (ARC-040). Unreadable directories and names that do not exist are in `errors`.
struct ArchiveNames {
  std::vector<std::string> names;  // for FindArchive
  std::vector<Status> errors;
};
ArchiveNames ListArchives(const Storage& storage, const std::vector<std::string>& arguments, bool recursive);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_FILE_SET_H_
