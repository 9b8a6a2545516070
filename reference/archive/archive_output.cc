// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/archive_output.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "reference/archive/compressing_output.h"

namespace pmproof::archive {

ArchiveName SplitPath(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {".", path};
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

std::optional<Status> PartOutput::Flush() {
  auto error = file_->Write(buffer_);
  written_ += buffer_.size();
  buffer_.clear();
  return Named(std::move(error));
}

std::optional<Status> PartOutput::Named(std::optional<Status> error) const {
  if (error) error->file = path_;
  return error;
}

std::optional<Status> PartOutput::Write(Bytes bytes) {
  if (auto error = Flush()) return error;
  written_ += bytes.size();
  return Named(file_->Write(bytes));
}

std::optional<Status> PartOutput::Close() {
  if (file_ == nullptr) return std::nullopt;
  auto error = Flush();
  if (!error) error = file_->Close();
  file_.reset();
  Buffer().swap(buffer_);  // `= {}` keeps its memory
  return Named(std::move(error));
}

ArchiveOutput::ArchiveOutput(OutputStorage& storage, const std::string& path)
    : storage_(storage), directory_(SplitPath(path).directory), base_(SplitPath(path).base) {}

ArchiveOutput::~ArchiveOutput() {
  if (published_) return;
  for (File& file : files_) {
    file.output.reset();
    storage_.Remove(file.temporary);
  }
}

std::string ArchiveOutput::TemporaryName() {
  return JoinPath(directory_,
                  ".pmproof-" + std::to_string(getpid()) + "-" + std::to_string(names_++) + ".tmp");
}

Result<PartOutput*> ArchiveOutput::Add(Part part, std::string_view suffix,
                                       Compression compression) {
  return AddFile(base_ + "." + PartSuffix(part) + std::string(suffix), compression);
}

Result<PartOutput*> ArchiveOutput::AddFile(const std::string& name, Compression compression) {
  constexpr int kAttempts = 1000;
  File file;
  Result<std::unique_ptr<OutputFile>> created = tl::unexpected(Status{});
  // Another process, now gone, may have left one of that name behind.
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    file.temporary = TemporaryName();
    created = storage_.Create(file.temporary);
    if (created || created.error().code != kFileExists) break;
  }
  file.path = JoinPath(directory_, name);
  if (!created) {
    created.error().file = file.path;
    return tl::unexpected(created.error());
  }
  files_.push_back(std::move(file));
  Result<std::unique_ptr<OutputFile>> compressing =
      MakeCompressing(*std::move(created), compression);
  if (!compressing) return tl::unexpected(compressing.error());
  files_.back().output = std::make_unique<PartOutput>(*std::move(compressing), files_.back().path);
  return files_.back().output.get();
}

std::optional<Status> ArchiveOutput::Move(const std::string& from, const std::string& to) {
  auto error = storage_.Rename(from, to);
  if (!error) renamed_.push_back({from, to});
  return error;
}

std::optional<Status> ArchiveOutput::RenameAll(const std::vector<std::string>& replaced) {
  for (const std::string& path : replaced) {
    if (auto error = Move(path, TemporaryName())) return error;
  }
  for (const File& file : files_) {
    if (auto error = Move(file.temporary, file.path)) return error;
  }
  return std::nullopt;
}

std::optional<Status> ArchiveOutput::Publish(const std::vector<std::string>& replaced) {
  for (File& file : files_) {
    if (auto error = file.output->Close()) return error;
  }
  const auto is_meta = [](const File& file) {
    const std::optional<FileName> name = ParseFileName(SplitPath(file.path).base);
    return name && name->part == kMetaPart;
  };
  // Not std::ranges: clang 14 does not compile that.
  std::stable_partition(files_.begin(), files_.end(),
                        [&](const File& file) { return !is_meta(file); });
  if (auto error = RenameAll(replaced)) {
    while (!renamed_.empty()) {
      storage_.Rename(renamed_.back().to, renamed_.back().from);
      renamed_.pop_back();
    }
    return error;
  }
  published_ = true;
  for (std::size_t i = 0; i < replaced.size(); ++i) storage_.Remove(renamed_[i].to);
  return std::nullopt;
}

std::vector<std::string> FilesOf(const Storage& storage, const std::string& path) {
  const ArchiveName archive = SplitPath(path);
  const Result<std::vector<DirectoryEntry>> entries = storage.List(archive.directory);
  return entries ? FilesOf(*entries, archive) : std::vector<std::string>();
}

std::vector<std::string> FilesOf(const std::vector<DirectoryEntry>& entries,
                                 const ArchiveName& archive) {
  const std::string prefix = archive.base + ".";
  const auto less = [](const DirectoryEntry& entry, const std::string& text) {
    return entry.name < text;
  };
  std::vector<std::string> files;
  for (auto entry = std::lower_bound(entries.begin(), entries.end(), prefix, less);
       entry != entries.end() && entry->name.starts_with(prefix); ++entry) {
    if (entry->kind == DirectoryEntry::Kind::kDirectory) continue;
    const std::optional<FileName> name = ParseFileName(entry->name);
    if (name && name->base == archive.base)
      files.push_back(JoinPath(archive.directory, entry->name));
  }
  return files;
}

}  // namespace pmproof::archive
