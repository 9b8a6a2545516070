// SPDX-License-Identifier: Apache-2.0
#include "validator/custody/tree.h"

#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "reference/archive/file_set.h"

namespace pmproof::validator {
namespace {

// A file that is named as its tree names it.
class NamedFile final : public archive::StoredFile {
 public:
  NamedFile(std::unique_ptr<archive::StoredFile> file, std::string path)
      : file_(std::move(file)), path_(std::move(path)) {}

  Bytes bytes() const override { return file_->bytes(); }
  std::optional<Status> lost() const override {
    std::optional<Status> loss = file_->lost();
    if (loss) loss->file = path_;
    return loss;
  }

 private:
  std::unique_ptr<archive::StoredFile> file_;
  std::string path_;
};

template <typename T>
Result<T> Named(Result<T> result, const std::string& path) {
  if (!result) result.error().file = path;
  return result;
}

std::string Nanoseconds(const timespec& time) {
  return std::to_string(time.tv_sec) + "." + std::to_string(time.tv_nsec);
}

// A slash is before all characters that a name can have.
int Compare(std::string_view a, std::string_view b) {
  const auto rank = [](char c) { return c == '/' ? 0 : static_cast<unsigned char>(c); };
  const std::size_t both = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < both; ++i) {
    if (a[i] != b[i]) return rank(a[i]) < rank(b[i]) ? -1 : 1;
  }
  return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
}

std::size_t NameBegin(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? 0 : slash + 1;
}

}  // namespace

std::string StampOf(const std::string& path) {
  struct stat state = {};
  if (stat(path.c_str(), &state) != 0) return "";
  return std::to_string(state.st_dev) + " " + std::to_string(state.st_ino) + " " +
         std::to_string(state.st_size) + " " + Nanoseconds(state.st_mtim) + " " +
         Nanoseconds(state.st_ctim);
}

Tree::Tree(const archive::Storage& storage, std::string root, Stamp stamp)
    : storage_(storage), root_(std::move(root)), stamp_(std::move(stamp)) {}

std::string Tree::Below(const std::string& path) const {
  return path == "." ? root_ : archive::JoinPath(root_, path);
}

Result<std::vector<archive::DirectoryEntry>> Tree::List(const std::string& path) const {
  return Named(storage_.List(Below(path)), path);
}

Result<archive::DirectoryEntry::Kind> Tree::KindOf(const std::string& path) const {
  return Named(storage_.KindOf(Below(path)), path);
}

Result<std::unique_ptr<archive::StoredFile>> Tree::Open(const std::string& path) const {
  auto file = Named(storage_.Open(Below(path)), path);
  if (!file) return file;
  return std::make_unique<NamedFile>(*std::move(file), path);
}

bool StaysBelow(std::string_view path) {
  if (path.find('\0') != std::string_view::npos) return false;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    if (part.empty() || part == "." || part == "..") return false;
    begin = end + 1;
  }
  return true;
}

bool ComesBefore(std::string_view a, std::string_view b) {
  const std::size_t name_a = NameBegin(a);
  const std::size_t name_b = NameBegin(b);
  const int order = Compare(a.substr(0, name_a), b.substr(0, name_b));
  return order != 0 ? order < 0 : Compare(a.substr(name_a), b.substr(name_b)) < 0;
}

std::string DirectoryOf(std::string_view path) {
  const std::size_t begin = NameBegin(path);
  return begin == 0 ? "." : std::string(path.substr(0, begin - 1));
}

std::string NameIn(std::string_view path) { return std::string(path.substr(NameBegin(path))); }

}  // namespace pmproof::validator
