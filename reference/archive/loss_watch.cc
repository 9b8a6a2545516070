// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/loss_watch.h"

#include <mutex>
#include <set>
#include <utility>

namespace pmproof::archive {

struct LossWatch::Record {
  std::mutex mutex;
  std::set<const StoredFile*> open;
  std::optional<Status> loss;
};

class LossWatch::File final : public StoredFile {
 public:
  File(std::unique_ptr<StoredFile> file, std::shared_ptr<Record> record)
      : file_(std::move(file)), record_(std::move(record)) {
    const std::lock_guard lock(record_->mutex);
    record_->open.insert(file_.get());
  }
  ~File() override {
    std::optional<Status> loss = file_->lost();
    const std::lock_guard lock(record_->mutex);
    record_->open.erase(file_.get());
    if (loss && !record_->loss) record_->loss = std::move(loss);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  Bytes bytes() const override { return file_->bytes(); }
  std::optional<Status> lost() const override { return file_->lost(); }
  void Read(std::uint64_t offset, std::span<std::uint8_t> into) const override {
    file_->Read(offset, into);
  }
  void LetGo(std::uint64_t begin, std::uint64_t end) const override { file_->LetGo(begin, end); }
  bool IsDearToMap(std::uint64_t offset) const override { return file_->IsDearToMap(offset); }
  bool TryRead(std::uint64_t offset, std::span<std::uint8_t> into) const override {
    return file_->TryRead(offset, into);
  }

 private:
  std::unique_ptr<StoredFile> file_;
  std::shared_ptr<Record> record_;
};

LossWatch::LossWatch(const Storage& storage)
    : storage_(storage), record_(std::make_shared<Record>()) {}

LossWatch::~LossWatch() = default;

Result<std::vector<DirectoryEntry>> LossWatch::List(const std::string& path) const {
  return storage_.List(path);
}

Result<DirectoryEntry::Kind> LossWatch::KindOf(const std::string& path) const {
  return storage_.KindOf(path);
}

Result<std::unique_ptr<StoredFile>> LossWatch::Open(const std::string& path) const {
  Result<std::unique_ptr<StoredFile>> file = storage_.Open(path);
  if (!file) return file;
  return std::make_unique<File>(*std::move(file), record_);
}

std::optional<Status> LossWatch::loss() const {
  const std::lock_guard lock(record_->mutex);
  for (auto file = record_->open.begin(); !record_->loss && file != record_->open.end(); ++file) {
    record_->loss = (*file)->lost();
  }
  return record_->loss;
}

void LossWatch::Forget() {
  const std::lock_guard lock(record_->mutex);
  record_->loss.reset();
}

}  // namespace pmproof::archive
