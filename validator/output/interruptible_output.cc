// SPDX-License-Identifier: Apache-2.0
#include "validator/output/interruptible_output.h"

namespace pmproof::validator {
namespace {

class InterruptibleFile final : public archive::OutputFile {
 public:
  InterruptibleFile(std::unique_ptr<archive::OutputFile> file, const std::function<bool()>& stop)
      : file_(std::move(file)), stop_(stop) {}

  std::optional<Status> Write(Bytes bytes) override {
    return stop_() ? Interrupted() : file_->Write(bytes);
  }
  std::optional<Status> Close() override { return stop_() ? Interrupted() : file_->Close(); }

 private:
  std::unique_ptr<archive::OutputFile> file_;
  const std::function<bool()>& stop_;
};

}  // namespace

Status Interrupted() {
  return {.kind = Status::Kind::kBudget, .message = "interrupted; nothing was written"};
}

Result<std::unique_ptr<archive::OutputFile>> InterruptibleOutput::Create(const std::string& path) {
  if (stop_()) return tl::unexpected(Interrupted());
  auto file = storage_->Create(path);
  if (!file) return file;
  return std::make_unique<InterruptibleFile>(*std::move(file), stop_);
}

std::optional<Status> InterruptibleOutput::Rename(const std::string& from, const std::string& to) {
  return storage_->Rename(from, to);
}

std::optional<Status> InterruptibleOutput::Replace(const std::string& from, const std::string& to) {
  return storage_->Replace(from, to);
}

std::optional<Status> InterruptibleOutput::Remove(const std::string& path) {
  return storage_->Remove(path);
}

}  // namespace pmproof::validator
