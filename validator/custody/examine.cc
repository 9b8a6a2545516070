// SPDX-License-Identifier: Apache-2.0
#include "validator/custody/examine.h"

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "reference/archive/source.h"
#include "validator/check/archive_check.h"

namespace pmproof::validator {
namespace {

// Compressed content is hashed in views of this size.
constexpr std::size_t kView = std::size_t{1} << 18;

Result<Content> HashContent(archive::Source& source) {
  Sha256 hash;
  while (true) {
    const Result<Bytes> view = source.Window(kView);
    if (!view) return tl::unexpected(view.error());
    if (view->empty()) return Content{source.position(), hash.Finish()};
    hash.Add(*view);
    source.Skip(view->size());
  }
}

ArchiveReport WithoutVerdict(const std::string& name, Status failure) {
  ArchiveReport report;
  report.archive = name;
  report.not_checked.push_back({name, failure.message});
  report.failure = std::move(failure);
  return report;
}

Status Changed(const std::string& path) {
  return {.kind = Status::Kind::kUnreadable,
          .file = path,
          .message =
              "the file was changed while it was read: digest and verdict would not be "
              "about the same content"};
}

// One archive on its way.
class Examination {
 public:
  Examination(const Tree& tree, const std::string& name, const archive::Listings& listings,
              const Catalogue& catalogue, const CheckOptions& options)
      : tree_(tree),
        name_(name),
        directory_(DirectoryOf(name)),
        base_(NameIn(name)),
        listings_(listings),
        catalogue_(catalogue),
        options_(options) {}

  ExaminedArchive Run(const WantsVerdict& wants_verdict, const AfterCheck& after_check) {
    ExaminedArchive examined;
    examined.name = name_;
    const auto listing = listings_.find(directory_);
    if (listing == listings_.end()) return examined;
    Find(listing->second);
    if (names_.empty()) return examined;
    const std::string path = NameForReaders();
    const archive::FoundArchive found(tree_, path, &listings_);
    for (const std::string& name : names_) {
      const std::string file_path = archive::JoinPath(directory_, name);
      stamps_.push_back(tree_.StampOfFile(file_path));
      Result<CertifiedFile> file = HashFile(tree_, file_path, LimitsOf(options_));
      if (!file) return Fail(std::move(file.error()));
      file->judged = IsJudged(found.files(), file_path);
      examined.files.push_back(*std::move(file));
    }
    if (wants_verdict(examined.files)) {
      examined.report = ArchiveCheck(tree_, found, catalogue_, options_, nullptr).Run(name_);
      if (after_check) after_check(*examined.report, path);
    }
    if (std::optional<Status> change = FindChange(examined.files)) return Fail(*std::move(change));
    return examined;
  }

 private:
  ExaminedArchive Fail(Status failure) const {
    return {name_, {}, WithoutVerdict(name_, std::move(failure))};
  }

  void Find(const std::vector<archive::DirectoryEntry>& entries) {
    const std::string prefix = base_ + ".";
    const auto less = [](const archive::DirectoryEntry& entry, const std::string& text) {
      return entry.name < text;
    };
    for (auto entry = std::lower_bound(entries.begin(), entries.end(), prefix, less);
         entry != entries.end() && entry->name.starts_with(prefix); ++entry) {
      const auto name = archive::ParseFileName(entry->name);
      if (!name || name->base != base_) continue;
      // What is no regular file is the check's to judge.
      if (entry->kind == archive::DirectoryEntry::Kind::kFile) names_.push_back(entry->name);
    }
  }

  // ARC-038: where the name of the archive is also that of a file of another one, one of its own
  // files stands for it.
  std::string NameForReaders() const {
    if (archive::ResolveName(tree_, name_).base == base_) return name_;
    return archive::JoinPath(directory_, names_.front());
  }

  static bool IsJudged(const archive::FileSet& files, const std::string& path) {
    return std::ranges::any_of(files.parts,
                               [&](const auto& part) { return part.second.path == path; });
  }

  std::optional<Status> FindChange(const std::vector<CertifiedFile>& files) const {
    for (std::size_t i = 0; i < files.size(); ++i) {
      const std::string path = archive::JoinPath(directory_, files[i].name);
      const auto file = tree_.Open(path);
      if (!file) return file.error();
      const Bytes bytes = (*file)->bytes();
      const bool same = Content{bytes.size(), Sha256Of(bytes)} == files[i].stored;
      if (!same || (*file)->lost() || tree_.StampOfFile(path) != stamps_[i]) return Changed(path);
    }
    return std::nullopt;
  }

  const Tree& tree_;
  const std::string name_;
  const std::string directory_;
  const std::string base_;
  const archive::Listings& listings_;
  const Catalogue& catalogue_;
  const CheckOptions& options_;
  std::vector<std::string> names_;   // of its files
  std::vector<std::string> stamps_;  // from before they were hashed
};

}  // namespace

archive::Compression CompressionOf(const std::string& file_name) {
  const auto name = archive::ParseFileName(file_name);
  return name ? name->compression : archive::Compression::kNone;
}

Result<CertifiedFile> HashFile(const Tree& tree, const std::string& path,
                               const archive::SourceLimits& limits) {
  const auto file = tree.Open(path);
  if (!file) return tl::unexpected(file.error());
  CertifiedFile hashed;
  hashed.name = NameIn(path);
  const Bytes bytes = (*file)->bytes();
  hashed.stored = {bytes.size(), Sha256Of(bytes)};
  const archive::Compression compression = CompressionOf(hashed.name);
  if (compression == archive::Compression::kNone) {
    hashed.content = hashed.stored;
  } else {
    const archive::NewSource source = archive::MakeSource(**file, path, compression, limits);
    const Result<Content> content = HashContent(*source);
    if (content) {
      hashed.content = *content;
    } else if (content.error().kind == Status::Kind::kBudget) {
      return tl::unexpected(content.error());
    }
  }
  if (std::optional<Status> loss = (*file)->lost()) return tl::unexpected(*std::move(loss));
  return hashed;
}

ExaminedArchive Examine(const Tree& tree, const std::string& name,
                        const archive::Listings& listings, const Catalogue& catalogue,
                        const CheckOptions& options, const WantsVerdict& wants_verdict,
                        const AfterCheck& after_check) {
  try {
    return Examination(tree, name, listings, catalogue, options).Run(wants_verdict, after_check);
  } catch (const std::bad_alloc&) {
    return {name, {}, WithoutVerdict(name, archive::BeyondBudget(name))};
  }
}

}  // namespace pmproof::validator
