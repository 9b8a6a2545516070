// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/file_set.h"

#include <algorithm>
#include <utility>

namespace pmproof::archive {
namespace {

// A file that stands for a part of the archive.
struct Candidate {
  std::string name;
  DirectoryEntry::Kind kind = DirectoryEntry::Kind::kFile;
  Compression compression = Compression::kNone;
  bool canonical = true;
};

std::size_t Preference(Compression compression) {
  std::size_t rank = 1;
  for (const CompressionSuffix& known : kCompressionSuffixes) {
    if (known.compression == compression) return rank;
    ++rank;
  }
  return 0;
}

// The plain form before the compressed ones in the order of ARC-033; a wrong suffix last of all.
bool Better(const Candidate& a, const Candidate& b) {
  if (a.canonical != b.canonical) return a.canonical;
  const std::size_t a_rank = Preference(a.compression);
  const std::size_t b_rank = Preference(b.compression);
  return a_rank != b_rank ? a_rank < b_rank : a.name < b.name;
}

Location Of(Part part) { return {part, 0, 0, 0}; }

class Finder {
 public:
  Finder(const Storage& storage, ArchiveName name, const std::vector<DirectoryEntry>& entries,
         Reporter& reporter)
      : storage_(storage), entries_(entries), reporter_(reporter) {
    set_.directory = std::move(name.directory);
    set_.base = std::move(name.base);
  }

  Result<FileSet> Find() {
    Collect();
    if (candidates_.empty()) {
      return tl::unexpected(Status{.kind = Status::Kind::kNotFound,
                                   .file = set_.Name(),
                                   .clause = "ARC-041"_clause,
                                   .message = "no file of such an archive exists",
                                   .code = ErrorCode::kNoEntry});
    }
    CheckBase();
    for (auto& [part, candidates] : candidates_) Choose(part, std::move(candidates));
    CheckComplete();
    if (set_.parts.empty() && !set_.unreadable.empty())
      return tl::unexpected(set_.unreadable.front());
    if (set_.parts.empty() && refused_) return tl::unexpected(*refused_);
    return std::move(set_);
  }

 private:
  auto WithPrefix(const std::string& prefix) const {
    const auto begin = std::lower_bound(
        entries_.begin(), entries_.end(), prefix,
        [](const DirectoryEntry& entry, const std::string& text) { return entry.name < text; });
    const auto end = std::find_if_not(begin, entries_.end(), [&](const DirectoryEntry& entry) {
      return entry.name.starts_with(prefix);
    });
    return std::span(begin, end);
  }

  void Collect() {
    const std::string prefix = set_.base + ".";
    for (const DirectoryEntry& entry : WithPrefix(prefix)) {
      const std::optional<FileName> name = ParseFileName(entry.name);
      if (!name && entry.kind == DirectoryEntry::Kind::kFile) {
        strangers_.push_back(entry.name);
      } else if (name && name->base == set_.base) {
        candidates_[name->part].push_back(
            {entry.name, entry.kind, name->compression, name->canonical});
      }
    }
    if (candidates_.empty()) return;
    for (const std::string& name : strangers_)
      CheckStranger(name, std::string_view(name).substr(prefix.size()));
  }

  // ARC-1010: B.<number>.* that is not a file of an archive, neither of B nor of one called
  // B.<number>.
  void CheckStranger(const std::string& name, std::string_view rest) {
    const std::size_t digits = rest.find_first_not_of("0123456789");
    if (digits == 0 || digits == std::string_view::npos || rest[digits] != '.') return;
    const std::string volume = set_.base + "." + std::string(rest.substr(0, digits));
    for (const DirectoryEntry& entry : WithPrefix(volume + ".")) {
      const std::optional<FileName> other = ParseFileName(entry.name);
      if (other && other->base == volume) return;
    }
    const std::optional<FileName> parsed = ParseFileName(volume);
    reporter_.Report("ARC-1010"_clause, Of(parsed ? parsed->part : kWholeArchive), [&] {
      return Details{"file", name, volume + ", or with a suffix of ARC-033",
                     "the file is not seen as a volume"};
    });
  }

  void CheckBase() {
    const std::string& base = set_.base;
    const std::optional<FileName> name = ParseFileName(base);
    const bool archive_suffix = name && (name->part == kMetaPart || name->part == kIndexPart);
    const bool compression_suffix =
        std::any_of(std::begin(kCompressionSuffixes), std::end(kCompressionSuffixes),
                    [&](const CompressionSuffix& known) { return base.ends_with(known.suffix); });
    const bool comma = base.find(',') != std::string::npos;
    if (comma || archive_suffix || compression_suffix ||
        ResolveName(storage_, set_.Name()).base != base) {
      reporter_.Report(
          "ARC-1013"_clause, Of(kWholeArchive),
          [&] {
            return Details{"file", base,
                           "no comma, and no suffix of an archive's file or of compression",
                           comma ? "PCP takes the archive's name for a list and cannot open it"
                                 : "a tool may take the archive's name for that of another file"};
          },
          comma ? Gravity::kError : Gravity::kAsCatalogued);
    }
  }

  void Choose(Part part, std::vector<Candidate> candidates) {
    std::sort(candidates.begin(), candidates.end(), Better);
    const auto wrong = std::find_if(candidates.begin(), candidates.end(),
                                    [](const Candidate& c) { return !c.canonical; });
    for (auto candidate = wrong; candidate != candidates.end(); ++candidate) {
      reporter_.Report("ARC-1011"_clause, Of(part), [&] {
        return Details{"file", candidate->name, "a plain decimal number as suffix",
                       "PCP takes the file for a volume and fails to open it"};
      });
    }
    if (part == kWholeArchive) {
      odd_volumes_ = true;
      return;
    }
    if (wrong - candidates.begin() > 1) {
      reporter_.Report("ARC-1008"_clause, Of(part), [&] {
        std::string names = candidates.front().name;
        for (auto other = candidates.begin() + 1; other != wrong; ++other)
          names += ", " + other->name;
        return Details{"file", names, "one of them",
                       "which of the files is read depends on the reader"};
      });
    }
    for (auto candidate = candidates.begin(); candidate != wrong; ++candidate) {
      if (candidate->compression != Compression::kZstd) continue;
      reporter_.Report("ARC-1012"_clause, Of(part), [&] {
        return Details{"file", candidate->name, "another compression",
                       "versions of PCP before 6.3.2 do not see files compressed with zstd"};
      });
    }
    Open(part, candidates.front());
  }

  void Open(Part part, const Candidate& candidate) {
    const std::string path = JoinPath(set_.directory, candidate.name);
    Result<DirectoryEntry::Kind> kind = candidate.kind;
    // A listing gives as "other" also what cannot be looked at: a dangling link, a stale handle.
    if (candidate.kind == DirectoryEntry::Kind::kOther) kind = storage_.KindOf(path);
    if (!kind) return Unreadable(part, path, kind.error());
    if (*kind != DirectoryEntry::Kind::kFile) return RefuseIrregular(part, path, candidate);
    const Result<std::unique_ptr<StoredFile>> file = storage_.Open(path);
    if (!file) return Unreadable(part, path, file.error());
    set_.parts[part] = {path, candidate.compression};
    set_.stored_size += (*file)->bytes().size();
  }

  void Unreadable(Part part, const std::string& path, Status failure) {
    set_.refused.insert(part);
    failure.kind = Status::Kind::kUnreadable;
    failure.file = path;
    failure.clause = "ARC-1016"_clause;
    set_.unreadable.push_back(std::move(failure));
  }

  void RefuseIrregular(Part part, const std::string& path, const Candidate& candidate) {
    set_.refused.insert(part);
    reporter_.Report("ARC-1016"_clause, Of(part), [&] {
      return Details{"file", candidate.name, "a regular file", "is not a regular file"};
    });
    if (refused_) return;
    refused_ = Status{.kind = Status::Kind::kUnreadable,
                      .file = path,
                      .clause = "ARC-1016"_clause,
                      .message = "is not a regular file"};
  }

  void Missing(Clause rule, Part part, const char* message) {
    reporter_.Report(rule, Of(part), [&] {
      return Details{"file", "", set_.FileName(part), message};
    });
  }

  void CheckComplete() {
    if (!candidates_.contains(kMetaPart))
      Missing("ARC-1001"_clause, kMetaPart, "the metadata file is missing");
    if (!candidates_.contains(kIndexPart))
      Missing("ARC-1003"_clause, kIndexPart, "the temporal index is missing");
    auto volume = candidates_.lower_bound(0);
    if (volume == candidates_.end()) {
      if (!odd_volumes_) Missing("ARC-1002"_clause, 0, "there is no data volume");
      return;
    }
    if (volume->first != 0) {
      reporter_.Report("ARC-1007"_clause, Of(volume->first), [&] {
        return Details{"file", set_.FileName(volume->first), set_.base + ".0",
                       "the first volume is not volume 0"};
      });
    }
    Part previous = volume->first;
    for (++volume; volume != candidates_.end(); ++volume) {
      const Part first = previous + 1;
      const Part last = volume->first - 1;
      previous = volume->first;
      if (first > last) continue;
      reporter_.Report("ARC-1006"_clause, Of(first), [&] {
        std::string names = set_.base + "." + std::to_string(first);
        if (first < last) names += " to " + set_.base + "." + std::to_string(last);
        return Details{"file", "", names, "readers pass over the missing volume without notice"};
      });
    }
  }

  const Storage& storage_;
  const std::vector<DirectoryEntry>& entries_;
  Reporter& reporter_;
  FileSet set_;
  std::map<Part, std::vector<Candidate>> candidates_;
  std::vector<std::string> strangers_;
  bool odd_volumes_ = false;  // there are volumes with an impossible number
  std::optional<Status> refused_;
};

}  // namespace

Result<FileSet> FindArchive(const Storage& storage, const std::string& name, Reporter& reporter,
                            const Listings* listings) {
  ArchiveName archive = ResolveName(storage, name);
  if (listings != nullptr) {
    const auto listing = listings->find(archive.directory);
    if (listing != listings->end())
      return Finder(storage, std::move(archive), listing->second, reporter).Find();
  }
  const Result<std::vector<DirectoryEntry>> entries = storage.List(archive.directory);
  if (!entries) return tl::unexpected(entries.error());
  return Finder(storage, std::move(archive), *entries, reporter).Find();
}

class FoundArchive::Keeper final : public Reporter {
 public:
  explicit Keeper(std::vector<Violation>& violations) : violations_(violations) {}

 protected:
  bool Count(Clause, const Location&, Gravity) override { return true; }
  void Keep(Clause rule, const Location& where, Gravity gravity, Details details) override {
    violations_.push_back({rule, where, gravity, std::move(details)});
  }

 private:
  std::vector<Violation>& violations_;
};

FoundArchive::FoundArchive(const Storage& storage, const std::string& name,
                           const Listings* listings) {
  Keeper keeper(violations_);
  Result<FileSet> found = FindArchive(storage, name, keeper, listings);
  if (found) {
    files_ = std::move(*found);
    return;
  }
  error_ = std::move(found.error());
  ArchiveName resolved = ResolveName(storage, name);
  files_.directory = std::move(resolved.directory);
  files_.base = std::move(resolved.base);
}

void FoundArchive::ReportTo(Reporter& reporter) const {
  for (const Violation& violation : violations_) {
    reporter.Report(
        violation.rule, violation.where, [&] { return violation.details; }, violation.gravity);
  }
}

FoundArchive ArchiveFinder::Find(const std::string& name) {
  const std::string directory = ResolveName(storage_, name).directory;
  if (!listings_.contains(directory)) {
    auto entries = storage_.List(directory);
    if (entries) listings_.emplace(directory, *std::move(entries));
  }
  return FoundArchive(storage_, name, &listings_);
}

}  // namespace pmproof::archive
