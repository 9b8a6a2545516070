// SPDX-License-Identifier: Apache-2.0
#include "validator/output/report_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <streambuf>
#include <system_error>

#include "reference/archive/archive_output.h"
#include "reference/archive/file_set.h"
#include "reference/archive/layout.h"

namespace pmproof::validator {
namespace {

namespace fs = std::filesystem;

// A stream into a file; the first error ends it.
class FileBuffer final : public std::streambuf {
 public:
  explicit FileBuffer(archive::OutputFile& file) : file_(file) { Empty(); }

  const std::optional<Status>& error() const { return error_; }

  int sync() override {
    const auto size = static_cast<std::size_t>(pptr() - pbase());
    if (!error_ && size > 0) {
      error_ = file_.Write({reinterpret_cast<const std::uint8_t*>(pbase()), size});
    }
    Empty();
    return error_ ? -1 : 0;
  }

 protected:
  int_type overflow(int_type c) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) {
      *pptr() = traits_type::to_char_type(c);
      pbump(1);
    }
    return traits_type::not_eof(c);
  }

 private:
  void Empty() { setp(buffer_.data(), buffer_.data() + buffer_.size()); }

  archive::OutputFile& file_;
  std::array<char, std::size_t{1} << 16> buffer_;
  std::optional<Status> error_;
};

// ARC-100, ARC-101: length word and upper bytes of the magic.
bool BeginsLikeLabel(const archive::Storage& storage, const std::string& path) {
  const auto file = storage.Open(path);
  if (!file) return false;
  const auto name = archive::ParseFileName(path.substr(path.rfind('/') + 1));
  const auto compression = name ? name->compression : archive::Compression::kNone;
  const auto source = archive::MakeSource(**file, path, compression);
  const Result<Bytes> head = source->Window(archive::kMinRecord);
  if (!head || head->size() < archive::kMinRecord) return false;
  const std::uint32_t length = LoadU32(head->data());
  const std::uint32_t magic = LoadU32(head->data() + archive::kLengthWord);
  return (length == archive::kLayoutV2.label || length == archive::kLayoutV3.label) &&
         (magic & 0xffffff00) == archive::kLabelMagic;
}

// An archive of whose files the report would be one; empty if there is none.
std::string ArchiveOf(const archive::Storage& storage, const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const auto name = archive::ParseFileName(path.substr(slash + 1));
  if (!name) return "";
  std::string base = (slash == std::string::npos ? "" : path.substr(0, slash + 1)) + name->base;
  for (const std::string& file : archive::FilesOf(storage, base)) {
    if (BeginsLikeLabel(storage, file)) return base;
  }
  return "";
}

// What a link stands for: it stays a link.
std::string Resolved(const std::string& path) {
  std::error_code error;
  const fs::path resolved = fs::canonical(path, error);
  return error ? path : resolved.string();
}

bool IsDevice(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

std::optional<Status> WriteDevice(const std::string& path,
                                  const std::function<void(std::ostream&)>& render) {
  std::ofstream file(path, std::ios::binary);
  if (file) render(file);
  if (file.flush()) return std::nullopt;
  return Status{.kind = Status::Kind::kUnreadable,
                .file = path,
                .message = "the report could not be written"};
}

// A new file in the directory of `target`, of a name that nobody takes for an archive's.
Result<std::unique_ptr<archive::OutputFile>> CreateBeside(archive::OutputStorage& output,
                                                          const std::string& target,
                                                          std::string* temporary) {
  constexpr int kAttempts = 1000;  // another process, now gone, may have left one of that name
  const std::size_t slash = target.rfind('/');
  const std::string directory = slash == std::string::npos ? "" : target.substr(0, slash + 1);
  Result<std::unique_ptr<archive::OutputFile>> created = tl::unexpected(Status{});
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    *temporary = directory + ".pmproof-" + std::to_string(getpid()) + "-report-" +
                 std::to_string(attempt) + ".tmp";
    created = output.Create(*temporary);
    if (created || created.error().code != archive::kFileExists) break;
  }
  return created;
}

// Asks for the right to make a file there; makes none, which a signal could leave behind.
std::string RefuseDirectory(const std::string& path) {
  const std::string directory = fs::path(Resolved(path)).parent_path().string();
  if (faccessat(AT_FDCWD, directory.empty() ? "." : directory.c_str(), W_OK | X_OK, AT_EACCESS) ==
      0) {
    return "";
  }
  return path + ": " + std::generic_category().message(errno);
}

}  // namespace

std::string RefuseReport(const archive::Storage& storage, const std::string& path, bool force) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (fs::exists(status)) {
    if (fs::is_directory(path, error)) return path + ": is a directory";
    if (IsDevice(path)) return "";  // a pipe, a terminal: nothing in it is overwritten
    if (BeginsLikeLabel(storage, Resolved(path))) {
      return path + ": is part of an archive; it is not overwritten";
    }
    if (!force) return path + ": exists already; --force overwrites it";
  }
  if (const std::string archive = ArchiveOf(storage, Resolved(path)); !archive.empty()) {
    return path + ": would be part of an archive that is there, " + archive;
  }
  return RefuseDirectory(path);
}

std::optional<Status> WriteReport(archive::OutputStorage& output, const std::string& path,
                                  const std::function<void(std::ostream&)>& render) {
  if (IsDevice(path)) return WriteDevice(path, render);
  const std::string target = Resolved(path);
  std::string temporary;
  auto file = CreateBeside(output, target, &temporary);
  if (!file)
    return Status{.kind = file.error().kind, .file = path, .message = file.error().message};
  // Whatever ends this, an exception of `render` too.
  struct Removal {
    archive::OutputStorage& output;
    const std::string& path;
    bool wanted = true;
    ~Removal() {
      if (wanted) output.Remove(path);
    }
  } removal{output, temporary};
  FileBuffer buffer(**file);
  std::ostream stream(&buffer);
  render(stream);
  stream.flush();
  std::optional<Status> error = buffer.error();
  if (!error && !stream) error = Status{.message = "the report could not be written"};
  if (!error) error = (*file)->Close();
  file->reset();
  if (!error) {
    // The rights of the report that it replaces, where there was one.
    std::error_code ignored;
    const fs::file_status old = fs::status(target, ignored);
    if (fs::is_regular_file(old)) fs::permissions(temporary, old.permissions(), ignored);
    error = output.Replace(temporary, target);
  }
  removal.wanted = error.has_value();
  if (error) error->file = path;
  return error;
}

}  // namespace pmproof::validator
