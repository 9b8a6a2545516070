#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "reference/archive/file_set.h"

namespace pmproof::archive {
namespace {

// Whether content begins as a label does: length word and upper bytes of the magic (ARC-100,
// ARC-101).
bool BeginsLikeLabel(const Storage& storage, const std::string& path, Compression compression) {
  const Result<std::unique_ptr<StoredFile>> file = storage.Open(path);
  if (!file) return false;
  const Result<Bytes> head = MakeSource(**file, path, compression)->Window(kMinRecord);
  if (!head || head->size() < kMinRecord) return false;
  const std::size_t length = LoadU32(head->data());
  const std::uint32_t magic = LoadU32(head->data() + kLengthWord);
  return (length == kLayoutV2.label || length == kLayoutV3.label) &&
         (magic & 0xffffff00) == kLabelMagic;
}

// The files in one directory that have a base name in common.
struct Group {
  bool meta = false;
  bool index = false;
  bool volume = false;
  std::vector<std::pair<std::string, Compression>> files;
};

class Lister {
 public:
  Lister(const Storage& storage, bool recursive) : storage_(storage), recursive_(recursive) {}

  void Add(const std::string& argument, bool may_be_list) {
    const Result<DirectoryEntry::Kind> kind = storage_.KindOf(argument);
    if (kind && *kind == DirectoryEntry::Kind::kDirectory) return Walk(argument);
    if (AddArchive(ResolveName(storage_, argument))) return;
    if (may_be_list && argument.find(',') != std::string::npos) return AddList(argument);
    if (kind) {
      Fail(Status::Kind::kNotAnArchive, argument,
           "has no name of an archive's file (.meta, .index, .0, .1, ...)");
    } else if (kind.error().kind == Status::Kind::kNotFound) {
      Fail(Status::Kind::kNotFound, argument, "no such archive, file or directory");
    } else {
      found_.errors.push_back(kind.error());
    }
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
    std::size_t begin = 0;
    while (begin <= list.size()) {
      const std::size_t comma = std::min(list.find(',', begin), list.size());
      if (comma > begin) Add(list.substr(begin, comma - begin), /*may_be_list=*/false);
      begin = comma + 1;
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
      Found(archive, entry->name);
      return true;
    }
    return false;
  }

  // `file` is one of the archive's: its name stands for the archive where the base name would not.
  void Found(const ArchiveName& archive, const std::string& file) {
    const std::string path = JoinPath(archive.directory, archive.base);
    if (!seen_.insert(std::filesystem::path(path).lexically_normal().string()).second) return;
    const bool clear = ResolveName(storage_, path).base == archive.base;
    found_.names.push_back(clear ? path : JoinPath(archive.directory, file));
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
      const bool has_archives = AddGroups(directory, *entries);
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
  bool AddGroups(const std::string& directory, const std::vector<DirectoryEntry>& entries) {
    std::map<std::string, Group> groups;
    for (const DirectoryEntry& entry : entries) {
      if (entry.kind == DirectoryEntry::Kind::kDirectory) continue;
      const std::optional<FileName> name = ParseFileName(entry.name);
      if (!name) continue;
      Group& group = groups[name->base];
      group.meta = group.meta || name->part == kMetaPart;
      group.index = group.index || name->part == kIndexPart;
      group.volume = group.volume || (name->part != kMetaPart && name->part != kIndexPart);
      group.files.emplace_back(entry.name, name->compression);
    }
    bool any = false;
    for (const auto& [base, group] : groups) {
      if (!group.meta && !(recursive_ && LooksLikeArchive(directory, group))) continue;
      Found({directory, base}, group.files.front().first);
      any = true;
    }
    return any;
  }

  bool LooksLikeArchive(const std::string& directory, const Group& group) const {
    if (group.index && group.volume) return true;
    return std::any_of(group.files.begin(), group.files.end(), [&](const auto& file) {
      return BeginsLikeLabel(storage_, JoinPath(directory, file.first), file.second);
    });
  }

  const Storage& storage_;
  bool recursive_;
  ArchiveNames found_;
  std::set<std::string> seen_;
};

}  // namespace

ArchiveNames ListArchives(const Storage& storage, const std::vector<std::string>& arguments,
                          bool recursive) {
  Lister lister(storage, recursive);
  for (const std::string& argument : arguments) lister.Add(argument, /*may_be_list=*/true);
  return lister.Take();
}

}  // namespace pmproof::archive
