// SPDX-License-Identifier: Apache-2.0
#include "validator/synthesis/write_files.h"

#include <filesystem>
#include <system_error>

#include "reference/archive/archive_output.h"

namespace pmproof::validator {
namespace {

namespace fs = std::filesystem;

// Directories that are removed again unless they are kept.
class NewDirectories {
 public:
  NewDirectories() = default;
  NewDirectories(const NewDirectories&) = delete;
  NewDirectories& operator=(const NewDirectories&) = delete;
  ~NewDirectories() {
    std::error_code ignored;
    for (const fs::path& path : made_) fs::remove(path, ignored);
  }

  std::optional<Status> Make(const fs::path& path) {
    std::error_code error;
    if (fs::create_directory(path, error)) made_.push_back(path);
    if (!error) return std::nullopt;
    return Status{
        .kind = Status::Kind::kUnreadable, .file = path.string(), .message = error.message()};
  }

  void Keep() { made_.clear(); }

 private:
  std::vector<fs::path> made_;
};

}  // namespace

std::optional<Status> WriteFiles(archive::OutputStorage& storage, const std::string& path,
                                 const NamedFiles& named,
                                 const std::vector<std::string>& replaced) {
  archive::ArchiveOutput output(storage, path);
  for (const auto& [name, content] : named.files) {
    const auto file = output.AddFile(name, archive::Compression::kNone);
    if (!file) return file.error();
    if (auto error = (*file)->Write(content)) {
      error->file = name;
      return error;
    }
  }
  NewDirectories directories;
  for (const std::string& name : named.directories) {
    if (auto error = directories.Make(fs::path(path).parent_path() / name)) return error;
  }
  if (auto error = output.Publish(replaced)) return error;
  directories.Keep();
  return std::nullopt;
}

}  // namespace pmproof::validator
