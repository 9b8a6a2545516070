// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "reference/archive/output_storage.h"

namespace pmproof::archive {
namespace {

Status Failure(const std::string& path, const char* message, ErrorCode code = ErrorCode::kOk) {
  return {.kind = Status::Kind::kUnreadable, .file = path, .message = message, .code = code};
}

class MemoryFile final : public OutputFile {
 public:
  MemoryFile(std::string path, std::vector<std::uint8_t>& content, std::uint64_t& space)
      : path_(std::move(path)), content_(content), space_(space) {}

  std::optional<Status> Write(Bytes bytes) override {
    const Bytes fitting =
        bytes.first(static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), space_)));
    content_.insert(content_.end(), fitting.begin(), fitting.end());
    space_ -= fitting.size();
    if (fitting.size() < bytes.size()) return Failure(path_, "No space left on device");
    return std::nullopt;
  }
  std::optional<Status> Close() override { return std::nullopt; }

 private:
  std::string path_;
  std::vector<std::uint8_t>& content_;
  std::uint64_t& space_;
};

}  // namespace

Result<std::unique_ptr<OutputFile>> MemoryOutput::Create(const std::string& path) {
  const auto [file, created] = storage_.files.try_emplace(path);
  if (!created) return tl::unexpected(Failure(path, "File exists", kFileExists));
  return std::make_unique<MemoryFile>(path, file->second, space);
}

std::optional<Status> MemoryOutput::Rename(const std::string& from, const std::string& to) {
  if (refuses_rename(to)) return Failure(to, "Input/output error");
  if (storage_.files.contains(to)) return Failure(to, "File exists", kFileExists);
  auto file = storage_.files.extract(from);
  if (!file) return Failure(from, "No such file or directory");
  file.key() = to;
  storage_.files.insert(std::move(file));
  return std::nullopt;
}

std::optional<Status> MemoryOutput::Replace(const std::string& from, const std::string& to) {
  if (refuses_rename(to)) return Failure(to, "Input/output error");
  auto file = storage_.files.extract(from);
  if (!file) return Failure(from, "No such file or directory");
  storage_.files.erase(to);
  file.key() = to;
  storage_.files.insert(std::move(file));
  return std::nullopt;
}

std::optional<Status> MemoryOutput::Remove(const std::string& path) {
  if (storage_.files.erase(path) == 0) return Failure(path, "No such file or directory");
  return std::nullopt;
}

}  // namespace pmproof::archive
