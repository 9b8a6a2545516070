// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/addressable_source.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pmproof::archive {
namespace {

class BufferedSource final : public Source {
 public:
  BufferedSource(std::vector<std::uint8_t> content, std::optional<Status> error)
      : content_(std::move(content)), error_(std::move(error)) {}

  Result<Bytes> Window(std::size_t size) override {
    const Bytes rest = Bytes(content_).subspan(position_);
    if (error_ && rest.size() < size) return tl::unexpected(*error_);
    return rest;
  }
  void Skip(std::size_t size) override { position_ += std::min(size, content_.size() - position_); }
  std::uint64_t position() const override { return position_; }
  std::optional<Bytes> mapped() const override {
    if (error_) return std::nullopt;
    return Bytes(content_);
  }

 private:
  std::vector<std::uint8_t> content_;
  std::optional<Status> error_;  // what ended decompression
  std::size_t position_ = 0;
};

}  // namespace

Result<std::unique_ptr<Source>> MakeAddressable(std::unique_ptr<Source> source, std::string name,
                                                std::size_t budget) {
  if (source->mapped()) return source;
  std::vector<std::uint8_t> content;
  std::optional<Status> error;
  while (true) {
    // A view of at least one byte is refused only where no byte remains in front of the damage.
    const Result<Bytes> window = source->Window(1);
    if (!window) {
      if (window.error().kind != Status::Kind::kDamaged) return tl::unexpected(window.error());
      error = window.error();
      break;
    }
    if (window->empty()) break;
    if (window->size() > budget - content.size()) {
      return tl::unexpected(
          Status{.kind = Status::Kind::kBudget,
                 .file = std::move(name),
                 .message = "decompresses to more than " + std::to_string(budget) +
                            " bytes, the limit for a file that is held in memory"});
    }
    content.insert(content.end(), window->begin(), window->end());
    source->Skip(window->size());
  }
  return std::make_unique<BufferedSource>(std::move(content), std::move(error));
}

}  // namespace pmproof::archive
