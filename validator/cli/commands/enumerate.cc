// SPDX-License-Identifier: Apache-2.0
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
#include "validator/cli/command_table.h"
#include "validator/output/interruptible_output.h"
#include "validator/output/interruption.h"
#include "validator/text/display.h"
#include "validator/text/progress.h"

namespace pmproof::validator {
namespace {

struct EnumerateArguments {
  std::uint64_t records = 0;
  std::string directory;
};

// Writes the archives into a directory. What was written is removed, and the directory if it was
// made for them, unless all of it was written.
class Enumeration {
 public:
  // The directory exists.
  Enumeration(std::string directory, archive::OutputStorage& output)
      : directory_(std::move(directory)), output_(output) {}
  Enumeration(const Enumeration&) = delete;
  Enumeration& operator=(const Enumeration&) = delete;
  ~Enumeration() {
    while (written_ > 0) {
      const std::string name = generators::EnumeratedName(--written_);
      for (const auto& file : Encode(*generators::EnumeratedArchive(name)).files)
        output_.Remove(PathOf(name) + "." + file.first);
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
    archive::ArchiveOutput files(output_, PathOf(name));
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
  archive::OutputStorage& output_;
  std::uint64_t written_ = 0;
};

// Why the archives cannot be in `directory`; empty if they can. `is_there`: an empty one.
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

ExitStatus Enumerate(const EnumerateArguments& arguments, const CommonArguments& common,
                     const Environment& environment) {
  const std::string& directory = arguments.directory;
  bool is_there = false;
  if (const std::string refusal = RefuseDirectory(environment.storage, directory, &is_there);
      !refusal.empty()) {
    return Fail(environment, ExitStatus::kUsage, directory + ": " + refusal);
  }
  Interruption interruption;
  interruption.Defer();
  std::error_code error;
  if (!is_there && !std::filesystem::create_directory(directory, error)) {
    const bool no_parent = error == std::errc::no_such_file_or_directory;
    return Fail(environment, no_parent ? ExitStatus::kUsage : ExitStatus::kInternal,
                directory + ": " + (no_parent ? "its directory is not there" : error.message()));
  }

  const std::uint64_t archives =
      generators::EnumeratedArchives(static_cast<std::size_t>(arguments.records));
  std::optional<Status> failure;
  {
    std::unique_ptr<ProgressBar> bar;
    if (WantsBar(common, environment)) bar = std::make_unique<ProgressBar>(environment.err);
    InterruptibleOutput output(archive::MakePosixOutput({.durable = false}),
                               [&] { return interruption.wished(); });
    failure = Enumeration(directory, output).Write(archives, bar.get());
  }
  if (failure) {
    if (!is_there) std::filesystem::remove(directory, error);
    return FailToWrite(environment, interruption, ExitStatus::kInternal, failure->ToText());
  }
  if (!common.quiet) {
    environment.err << std::to_string(archives) << " archives in " << Displayable(directory)
                    << '\n';
  }
  return ExitStatus::kOk;
}

class EnumerateCommand final : public Command {
 public:
  void Declare(Options& options) override {
    std::string records = "Archives of 1 to N data records:";
    for (std::size_t n = 1; n <= generators::kMostEnumeratedRecords; ++n) {
      records += (n == 1 ? " " : ", ") + std::to_string(generators::EnumeratedArchives(n)) +
                 (n == 1 ? " archives for 1" : " for " + std::to_string(n));
    }
    options
        .Number("--records", "N", records, 1, generators::kMostEnumeratedRecords,
                &arguments_.records)
        .Required();
    options.Operand("OUTDIR", "A new or an empty directory", &arguments_.directory).Required();
    options
        .Notes(
            "A name says what is in the archive, v3-VMIB-1011 for example. Its letters are the "
            "records:\n"
            "  V  values\n"
            "  M  a mark\n"
            "  I  a change of the instance domain, then values\n"
            "  D  the descriptor of one metric more, then values\n"
            "  B  both, then values\n"
            "Its digits say whether the index has an entry for the record. With zeros only, .index "
            "is just "
            "a label and the archive cannot be read; 'none': there is no .index.")
        .Examples({"pmproof enumerate --records 3 all"})
        .ExitStatuses(
            "0 done; 2 wrong usage, or OUTDIR is not empty; 5 OUTDIR could not be written, which "
            "leaves "
            "nothing in it");
  }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    return Enumerate(arguments_, common, environment);
  }

 private:
  EnumerateArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeEnumerate() { return std::make_unique<EnumerateCommand>(); }

}  // namespace pmproof::validator
