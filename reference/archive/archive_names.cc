// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "reference/archive/file_set.h"

namespace pmproof::archive {
namespace {

// Whether content begins as a label does: length word and upper bytes of the magic (ARC-100,
// ARC-101). Errors: those of Storage::Open.
Result<bool> BeginsLikeLabel(const Storage& storage, const std::string& path,
                             Compression compression) {
  const Result<std::unique_ptr<StoredFile>> file = storage.Open(path);
  if (!file) return tl::unexpected(file.error());
  const NewSource source = MakeSource(**file, path, compression);
  const Result<Bytes> head = source->Window(kMinRecord);
  if (!head || head->size() < kMinRecord) return false;
  const std::size_t length = LoadU32(head->data());
  const std::uint32_t magic = LoadU32(head->data() + kLengthWord);
  return (length == kLayoutV2.label || length == kLayoutV3.label) &&
         (magic & 0xffffff00) == kLabelMagic;
}

// Whether the name is that of a .tar, compressed or not, or of a .zip.
bool IsPacked(const std::string& path) {
  static constexpr std::string_view kSuffixes[] = {".tar", ".tar.gz",  ".tgz",     ".tar.xz",
                                                   ".txz", ".tar.bz2", ".tar.zst", ".tar.lz",
                                                   ".zip", ".7z"};
  return std::ranges::any_of(kSuffixes,
                             [&](std::string_view suffix) { return path.ends_with(suffix); });
}

// The files in one directory that have a base name in common.
struct Group {
  bool meta = false;
  bool index = false;
  bool volume = false;
  struct File {
    std::string name;
    Compression compression = Compression::kNone;
    bool regular = false;
  };
  std::vector<File> files;
};

class Lister {
 public:
  Lister(const Storage& storage, bool recursive) : storage_(storage), recursive_(recursive) {}

  void Add(const std::string& argument, bool may_be_list) {
    const Result<DirectoryEntry::Kind> kind = storage_.KindOf(argument);
    if (kind && *kind == DirectoryEntry::Kind::kDirectory) return Walk(argument);
    if (AddArchive(ResolveName(storage_, argument))) return;
    if (may_be_list && argument.find(',') != std::string::npos) return AddList(argument);
    if (argument == "-") {
      Fail(
          Status::Kind::kNotFound, argument,
          "an archive is several files, which cannot come from standard input: give its base name, "
          "one of its files, or a directory");
    } else if (kind && IsPacked(argument)) {
      Fail(Status::Kind::kNotAnArchive, argument,
           "files that are packed into one are not looked into: unpack it into a directory, and "
           "give that");
    } else if (kind) {
      Fail(Status::Kind::kNotAnArchive, argument,
           "has no name of an archive's file (.meta, .index, .0, .1, ...)");
    } else if (kind.error().kind == Status::Kind::kNotFound) {
      Fail(Status::Kind::kNotFound, argument, "no such archive, file or directory");
    } else {
      found_.errors.push_back(kind.error());
    }
  }

  void AddDirectoryAlone(const std::string& directory) {
    const std::vector<DirectoryEntry>* entries = Listing(directory, /*report=*/true);
    if (entries != nullptr) AddGroups(directory, *entries, /*top=*/false);
  }

  ArchiveNames Take() { return std::move(found_); }

 private:
  void Fail(Status::Kind kind, const std::string& file, const char* message) {
    found_.errors.push_back({.kind = kind, .file = file, .message = message});
  }

  const std::vector<DirectoryEntry>* Listing(const std::string& directory, bool report) {
    const auto known = found_.listings.find(directory);
    if (known != found_.listings.end()) return &known->second;
    Result<std::vector<DirectoryEntry>> entries = storage_.List(directory);
    if (!entries) {
      if (report) found_.errors.push_back(entries.error());
      return nullptr;
    }
    return &found_.listings.emplace(directory, std::move(*entries)).first->second;
  }

  void AddList(const std::string& list) {
    list_ = {list, {}};
    std::size_t begin = 0;
    while (begin <= list.size()) {
      const std::size_t comma = std::min(list.find(',', begin), list.size());
      if (comma > begin) Add(list.substr(begin, comma - begin), /*may_be_list=*/false);
      begin = comma + 1;
    }
    found_.lists.push_back(std::move(*list_));
    list_.reset();
  }

  void AddToList(std::size_t index) {
    if (list_ && in_list_.insert({found_.lists.size(), index}).second) {
      list_->members.push_back(index);
    }
  }

  // False if there is no file of it.
  bool AddArchive(const ArchiveName& archive) {
    const std::vector<DirectoryEntry>* entries = Listing(archive.directory, /*report=*/false);
    if (entries == nullptr) return false;
    const auto less = [](const DirectoryEntry& entry, const std::string& text) {
      return entry.name < text;
    };
    const std::string prefix = archive.base + ".";
    for (auto entry = std::lower_bound(entries->begin(), entries->end(), prefix, less);
         entry != entries->end() && entry->name.starts_with(prefix); ++entry) {
      const std::optional<FileName> name = ParseFileName(entry->name);
      if (!name || name->base != archive.base) continue;
      AddToList(Found(archive, entry->name));
      return true;
    }
    return false;
  }

  static std::string Normal(const std::string& path) {
    return std::filesystem::path(path).lexically_normal().string();
  }

  // The archive's place in the names. `file` is one of its files: that name stands for the archive
  // where the base name would not.
  std::size_t Found(const ArchiveName& archive, const std::string& file) {
    const std::string path = JoinPath(archive.directory, archive.base);
    const auto [entry, added] = seen_.emplace(Normal(path), found_.names.size());
    if (added) {
      const bool clear = ResolveName(storage_, path).base == archive.base;
      found_.names.push_back(clear ? path : JoinPath(archive.directory, file));
    }
    return entry->second;
  }

  void Walk(std::string top) {
    while (top.size() > 1 && top.back() == '/') top.pop_back();
    const std::size_t before = seen_.size();
    bool known = false;
    std::vector<std::string> pending = {top};
    while (!pending.empty()) {
      const std::string directory = std::move(pending.back());
      pending.pop_back();
      const std::vector<DirectoryEntry>* entries = Listing(directory, /*report=*/true);
      if (entries == nullptr) {
        known = true;  // reported
        continue;
      }
      const bool has_archives = AddGroups(directory, *entries, /*top=*/directory == top);
      for (auto entry = entries->rbegin(); recursive_ && entry != entries->rend(); ++entry) {
        if (entry->kind == DirectoryEntry::Kind::kDirectory)
          pending.push_back(JoinPath(directory, entry->name));
      }
      if (!has_archives) found_.listings.erase(directory);  // nobody asks for it again
      known = known || has_archives;
    }
    if (!known && seen_.size() == before)
      Fail(Status::Kind::kNotFound, top, "no archive in this directory");
  }

  // True if the directory has archives, new ones or not.
  bool AddGroups(const std::string& directory, const std::vector<DirectoryEntry>& entries,
                 bool top) {
    std::map<std::string, Group> groups;
    for (const DirectoryEntry& entry : entries) {
      if (entry.kind == DirectoryEntry::Kind::kDirectory) continue;
      const std::optional<FileName> name = ParseFileName(entry.name);
      if (!name) continue;
      Group& group = groups[name->base];
      group.meta = group.meta || name->part == kMetaPart;
      group.index = group.index || name->part == kIndexPart;
      group.volume = group.volume || (name->part != kMetaPart && name->part != kIndexPart);
      group.files.push_back(
          {entry.name, name->compression, entry.kind == DirectoryEntry::Kind::kFile});
    }
    bool any = false;
    ArchiveGroup together{directory, {}};
    for (const auto& [base, group] : groups) {
      if (!group.meta && !(recursive_ && LooksLikeArchive(directory, group))) continue;
      const std::size_t index = Found({directory, base}, group.files.front().name);
      any = true;
      if (!group.meta) continue;
      together.members.push_back(index);
      if (top) AddToList(index);
    }
    if (!together.members.empty() && walked_.insert(Normal(directory)).second) {
      found_.directories.push_back(std::move(together));
    }
    return any;
  }

  bool LooksLikeArchive(const std::string& directory, const Group& group) {
    if (group.index && group.volume) return true;
    std::optional<Status> unreadable;
    for (const Group::File& file : group.files) {
      const Result<bool> like =
          BeginsLikeLabel(storage_, JoinPath(directory, file.name), file.compression);
      if (like.value_or(false)) return true;
      // What vanished, or is not a regular file, is nothing to be judged.
      if (!like && file.regular && like.error().kind == Status::Kind::kUnreadable && !unreadable)
        unreadable = like.error();
    }
    if (unreadable) {
      unreadable->message += ": whether it belongs to an archive is not known";
      found_.errors.push_back(std::move(*unreadable));
    }
    return false;
  }

  const Storage& storage_;
  bool recursive_;
  ArchiveNames found_;
  std::map<std::string, std::size_t> seen_;  // archives, and their places in the names
  std::set<std::string> walked_;             // directories
  std::optional<ArchiveGroup> list_;         // the comma list that is being taken apart
  std::set<std::pair<std::size_t, std::size_t>> in_list_;  // list and member
};

}  // namespace

ArchiveNames ListArchives(const Storage& storage, const std::vector<std::string>& arguments,
                          bool recursive) {
  Lister lister(storage, recursive);
  for (const std::string& argument : arguments) lister.Add(argument, /*may_be_list=*/true);
  return lister.Take();
}

ArchiveNames ListDirectory(const Storage& storage, const std::string& directory) {
  Lister lister(storage, /*recursive=*/true);
  lister.AddDirectoryAlone(directory);
  return lister.Take();
}

}  // namespace pmproof::archive
