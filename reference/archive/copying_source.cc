// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/copying_source.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace pmproof::archive {
namespace {

constexpr std::size_t kPage = 4096;
// It fits the second cache of a processor. A copy ends where a page of the file ends, so that the
// next one begins there: after what is left over, at the same place of the buffer.
constexpr std::size_t kPart = std::size_t{256} << 10;
static_assert(kLargestCopy <= kPart - kPage);

class CopyingSource final : public Source {
 public:
  explicit CopyingSource(const StoredFile& file)
      : file_(file),
        size_(file.bytes().size()),
        buffer_(std::make_unique_for_overwrite<std::uint8_t[]>(2 * kPart)) {}

  Result<Bytes> Window(std::size_t size) override {
    if (end_ - begin_ < size && copied_ < size_) {
      if (size > kLargestCopy) return file_.bytes().subspan(position_, std::min(size, Rest()));
      Copy();
    }
    return Bytes(buffer_.get() + begin_, end_ - begin_);
  }

  void Skip(std::size_t size) override {
    position_ += std::min(size, Rest());
    if (size <= end_ - begin_) {
      begin_ += size;
      return;
    }
    begin_ = end_ = kPart;
    copied_ = position_;
  }

  std::uint64_t position() const override { return position_; }
  std::optional<Bytes> mapped() const override { return file_.bytes(); }

 private:
  std::size_t Rest() const { return size_ - position_; }

  void Copy() {
    const std::size_t left = end_ - begin_;
    std::memmove(buffer_.get() + kPart - left, buffer_.get() + begin_, left);
    const std::size_t part = std::min(kPart - copied_ % kPage, size_ - copied_);
    file_.Read(copied_, std::span(buffer_.get() + kPart, part));
    copied_ += part;
    begin_ = kPart - left;
    end_ = kPart + part;
  }

  const StoredFile& file_;
  const std::size_t size_;
  std::unique_ptr<std::uint8_t[]> buffer_;  // the view is [begin_, end_) of it
  std::size_t begin_ = kPart;
  std::size_t end_ = kPart;
  std::size_t position_ = 0;  // in the file, of begin_
  std::size_t copied_ = 0;    // in the file, of end_
};

}  // namespace

NewSource MakeCopyingSource(const StoredFile& file) {
  return NewSource(std::make_unique<CopyingSource>(file));
}

}  // namespace pmproof::archive
