// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_FILE_SET_H_
#define PMPROOF_REFERENCE_ARCHIVE_FILE_SET_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reference/archive/layout.h"
#include "reference/archive/reporter.h"
#include "reference/archive/source.h"
#include "reference/archive/storage.h"
#include "reference/core/lifetime.h"

namespace pmproof::archive {

// One file of an archive: its path and how it is compressed.
struct ArchiveFile {
  std::string path;
  Compression compression = Compression::kNone;
};

// The files that make up one archive (ARC-030..041): which file stands for which part. A part that
// exists in several forms is represented by the plain one, else by the first suffix of ARC-033.
struct FileSet {
  std::string directory;              // "." or without a trailing slash
  std::string base;                   // name without directory and suffix
  std::map<Part, ArchiveFile> parts;  // kIndexPart, kMetaPart, 0, 1, ...
  std::uint64_t stored_size = 0;      // of all of them together, when they were found
  std::set<Part> refused;             // that are there and cannot be opened
  // Why the operating system does not let us read files of `refused`: permission is missing, a link
  // dangles, the file vanished after it was listed, an input/output error. They may be sound, and
  // no verdict on the archive is possible. A part of `refused` that is not named here is not a
  // regular file (ARC-1016).
  std::vector<Status> unreadable;

  // False if there are no volumes at all, or some are known to be missing or refused (ARC-1002,
  // ARC-1006, ARC-1016): what the others lack may have been in those.
  bool HasAllVolumes() const;

  std::string Name() const;               // directory/base, base alone in "."
  std::string FileName(Part part) const;  // "base.meta.xz": as findings and errors name it
};

// "meta", "index" or the decimal volume number (ARC-030).
std::string PartSuffix(Part part);

// An archive file's name taken apart (ARC-037); nothing if it is not such a name. `canonical` is
// false for volume numbers with a sign, blanks or leading zeros (ARC-031). Numbers that no volume
// can have, below 0 or beyond 31 bits, are not canonical and give kWholeArchive as part.
struct FileName {
  std::string base;
  Part part = kWholeArchive;
  Compression compression = Compression::kNone;
  bool canonical = true;
};
std::optional<FileName> ParseFileName(std::string_view name);

// An archive as a user names it: its directory ("." or without a trailing slash) and base name.
struct ArchiveName {
  std::string directory;
  std::string base;
};

// ARC-038: the archive that `name` stands for. It need not exist.
ArchiveName ResolveName(const Storage& storage, const std::string& name);

// "DIRECTORY/NAME", NAME alone in ".".
std::string JoinPath(const std::string& directory, const std::string& name);

// Directories that were listed, by name: for thousands of archives in one directory, listing it
// again for each would take quadratic time.
using Listings = std::map<std::string, std::vector<DirectoryEntry>, std::less<>>;

// Resolves a name given by a user (ARC-038) and collects the files of that archive. Reports the
// rules on sets of files that need no content: ARC-1001..1003, 1006..1008, 1010..1013, 1016. What
// is there is returned all the same, so that the other files can be checked:
//   - A volume with a suffix such as "00" (ARC-1011) stands for its number if no other file does.
//   - Files that are not regular ones (ARC-1016) are left out, and not also missing.
//   - Files that the operating system does not let us read break no rule: they are in `unreadable`.
//   - ARC-1012 is about .zst alone; whether decompressors are installed elsewhere cannot be known.
//   - ARC-1013: PCP itself names archives like "20150105.17.57", so a base name that ends in
//     a number is only reported if it stands for another archive's volume.
// Errors: kNotFound if no file of the archive exists at all, kUnreadable if none can be read or the
// directory cannot be listed. `listings`, if given, is looked at before the storage is.
Result<FileSet> FindArchive(const Storage& storage, const std::string& name, Reporter& reporter,
                            const Listings* listings = nullptr);

// What FindArchive() returns and reports, found once for all who need it.
class FoundArchive {
 public:
  FoundArchive(const Storage& storage, const std::string& name, const Listings* listings = nullptr);

  // Directory and base alone where there is an error.
  const FileSet& files() const PMPROOF_LIFETIME_BOUND { return files_; }
  const std::optional<Status>& error() const PMPROOF_LIFETIME_BOUND { return error_; }
  void ReportTo(Reporter& reporter) const;

 private:
  struct Violation {
    Clause rule;
    Location where;
    Gravity gravity = Gravity::kAsCatalogued;
    Details details;
  };
  class Keeper;

  FileSet files_;
  std::optional<Status> error_;
  std::vector<Violation> violations_;
};

// Finds archives one after the other, and lists each directory once. Not for several threads.
class ArchiveFinder {
 public:
  explicit ArchiveFinder(const Storage& storage PMPROOF_LIFETIME_BOUND) : storage_(storage) {}

  FoundArchive Find(const std::string& name);

 private:
  const Storage& storage_;
  Listings listings_;
};

// Archives that readers open together (ARC-550): those of a comma list, or of one directory.
struct ArchiveGroup {
  std::string name;                  // the list as given; the directory
  std::vector<std::size_t> members;  // in ArchiveNames::names; as they were named, none twice
};

// All archives named by a list as users give it: archive names, any file of an archive,
// directories, comma lists (a name that has commas itself is taken whole). Sorted by name within a
// directory, each archive once; an archive that several arguments name stands where the first does.
//
// A directory stands for the archives whose .meta file it contains (ARC-550). With `recursive`, as
// a validator looks at it, it stands for those of all directories below as well (links to
// directories are not followed), and also for archives without a .meta file, where other files look
// like an archive's: there is an index and a volume, or one of them begins like a label. So manual
// pages (pmcd.1) are passed over. Other files are ignored (ARC-040).
//
// `errors`: names that do not exist or are not an archive's file, directories without archives or
// that cannot be read, and files that cannot be read where only their content would show whether
// they belong to an archive.
struct ArchiveNames {
  // For FindArchive: "DIRECTORY/BASE" wherever that resolves to the base.
  std::vector<std::string> names;
  std::vector<Status> errors;
  // One for each comma list. A directory in it stands for the archives whose .meta file it
  // contains.
  std::vector<ArchiveGroup> lists;
  // One for each directory that contains a .meta file, with the archives that have one there.
  std::vector<ArchiveGroup> directories;
  Listings listings;  // of the directories where they are
};
ArchiveNames ListArchives(const Storage& storage, const std::vector<std::string>& arguments,
                          bool recursive);

// What a recursive ListArchives() gives of the archives of one directory, without those of
// directories below it. That there are none is no error, and the listing of the directory is given
// in any case: so a tree of any size can be walked in memory for one directory.
ArchiveNames ListDirectory(const Storage& storage, const std::string& directory);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_FILE_SET_H_
