// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_TESTING_DEAR_STORAGE_H_
#define PMPROOF_REFERENCE_ARCHIVE_TESTING_DEAR_STORAGE_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/storage.h"

namespace pmproof::archive::testing {

// A file that is dear to map. Of `refused_in` reads one is refused, as where not all of the file is
// in memory; 0: none is.
class DearFile final : public StoredFile {
 public:
  DearFile(std::unique_ptr<StoredFile> file, std::uint64_t refused_in)
      : file_(std::move(file)), refused_in_(refused_in) {}

  Bytes bytes() const override { return file_->bytes(); }
  std::optional<Status> lost() const override { return file_->lost(); }
  bool IsDearToMap(std::uint64_t) const override { return true; }
  bool TryRead(std::uint64_t offset, std::span<std::uint8_t> into) const override {
    ++reads_;
    if (refused_in_ > 0 && reads_ % refused_in_ == 0) {
      std::ranges::fill(into, std::uint8_t{0xee});
      return false;
    }
    const Bytes bytes = file_->bytes();
    if (offset > bytes.size() || into.size() > bytes.size() - offset) return false;
    std::ranges::copy(bytes.subspan(offset, into.size()), into.begin());
    return true;
  }
  std::uint64_t reads() const { return reads_; }

 private:
  std::unique_ptr<StoredFile> file_;
  std::uint64_t refused_in_;
  mutable std::uint64_t reads_ = 0;
};

// A storage of such files. `storage` outlives it.
class DearStorage final : public Storage {
 public:
  explicit DearStorage(const Storage& storage, std::uint64_t refused_in = 0)
      : storage_(storage), refused_in_(refused_in) {}

  Result<std::vector<DirectoryEntry>> List(const std::string& path) const override {
    return storage_.List(path);
  }
  Result<DirectoryEntry::Kind> KindOf(const std::string& path) const override {
    return storage_.KindOf(path);
  }
  Result<std::unique_ptr<StoredFile>> Open(const std::string& path) const override {
    Result<std::unique_ptr<StoredFile>> file = storage_.Open(path);
    if (!file) return file;
    return std::make_unique<DearFile>(*std::move(file), refused_in_);
  }

 private:
  const Storage& storage_;
  std::uint64_t refused_in_;
};

}  // namespace pmproof::archive::testing

#endif  // PMPROOF_REFERENCE_ARCHIVE_TESTING_DEAR_STORAGE_H_
