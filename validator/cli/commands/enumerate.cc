#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

#include "generators/enumerate.h"
#include "reference/archive/archive_output.h"
#include "reference/archive/output_storage.h"
#include "validator/cli/command_support.h"
#include "validator/cli/commands/synthesis.h"
#include "validator/text/display.h"
#include "validator/text/progress.h"

namespace pmproof::validator {
namespace {

// Writes the archives into a directory. What was written is removed, and the directory if it was
// made for them, unless all of it was written.
class Enumeration {
 public:
  // The directory exists.
  explicit Enumeration(std::string directory)
      : directory_(std::move(directory)), output_(archive::MakePosixOutput({.durable = false})) {}
  Enumeration(const Enumeration&) = delete;
  Enumeration& operator=(const Enumeration&) = delete;
  ~Enumeration() {
    while (written_ > 0) {
      const std::string name = generators::EnumeratedName(--written_);
      for (const auto& file : Encode(*generators::EnumeratedArchive(name)).files)
        output_->Remove(PathOf(name) + "." + file.first);
    }
  }

  std::optional<Status> Write(std::uint64_t archives, ProgressSink* progress) {
    if (progress != nullptr) progress->Expect(archives, 0);
    for (; written_ < archives; ++written_) {
      if (auto error = WriteOne(generators::EnumeratedName(written_))) return error;
      if (progress != nullptr) progress->ArchiveDone();
    }
    written_ = 0;  // it stays
    return std::nullopt;
  }

 private:
  std::string PathOf(const std::string& name) const { return directory_ + "/" + name; }

  std::optional<Status> WriteOne(const std::string& name) {
    archive::ArchiveOutput files(*output_, PathOf(name));
    for (const auto& [suffix, content] : Encode(*generators::EnumeratedArchive(name)).files) {
      const archive::Part part = suffix == "meta"    ? archive::kMetaPart
                                 : suffix == "index" ? archive::kIndexPart
                                                     : 0;
      const auto file = files.Add(part, "", archive::Compression::kNone);
      if (!file) return file.error();
      *(*file)->buffer() = content;
    }
    return files.Publish();
  }

  std::string directory_;
  std::unique_ptr<archive::OutputStorage> output_;
  std::uint64_t written_ = 0;
};

// Why the archives can not be in `directory`; empty if they can. `is_there`: an empty one.
std::string RefuseDirectory(const archive::Storage& storage, const std::string& directory,
                            bool* is_there) {
  const auto kind = storage.KindOf(directory);
  *is_there = kind.has_value();
  if (!kind) return kind.error().kind == Status::Kind::kNotFound ? "" : kind.error().message;
  if (*kind != archive::DirectoryEntry::Kind::kDirectory) return "is not a directory";
  const auto entries = storage.List(directory);
  if (!entries) return entries.error().message;
  return entries->empty() ? "" : "is not empty; give a new or an empty directory";
}

ExitStatus Fail(ExitStatus status, const std::string& message, const Environment& environment) {
  environment.err << "pmproof: " << Displayable(message) << '\n';
  return status;
}

}  // namespace

ExitStatus RunEnumerate(const EnumerateArguments& arguments, const CommonArguments& common,
                        const Environment& environment) {
  const std::string& directory = arguments.directory;
  bool is_there = false;
  if (const std::string refusal = RefuseDirectory(environment.storage, directory, &is_there);
      !refusal.empty()) {
    return Fail(ExitStatus::kUsage, directory + ": " + refusal, environment);
  }
  std::error_code error;
  if (!is_there && !std::filesystem::create_directory(directory, error)) {
    const bool no_parent = error == std::errc::no_such_file_or_directory;
    return Fail(no_parent ? ExitStatus::kUsage : ExitStatus::kInternal,
                directory + ": " + (no_parent ? "its directory is not there" : error.message()),
                environment);
  }

  const std::uint64_t archives =
      generators::EnumeratedArchives(static_cast<std::size_t>(arguments.records));
  std::optional<Status> failure;
  {
    std::unique_ptr<ProgressBar> bar;
    if (WantsBar(common, environment)) bar = std::make_unique<ProgressBar>(environment.err);
    failure = Enumeration(directory).Write(archives, bar.get());
  }
  if (failure) {
    if (!is_there) std::filesystem::remove(directory, error);
    return Fail(ExitStatus::kInternal, failure->ToText(), environment);
  }
  if (!common.quiet) {
    environment.err << std::to_string(archives) << " archives in " << Displayable(directory)
                    << '\n';
  }
  return ExitStatus::kOk;
}

}  // namespace pmproof::validator
