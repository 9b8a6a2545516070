// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/copying_source.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace pmproof::archive {
namespace {

constexpr std::size_t kPage = 4096;
// It fits the second cache of a processor. A copy ends where a page of the file ends, so that the
// next one begins there: after what is left over, at the same place of the buffer.
constexpr std::size_t kPart = std::size_t{256} << 10;
static_assert(kLargestCopy <= kPart - kPage);

// After the end of what is looked at there is the rest of a record.
constexpr std::size_t kPartAfter = std::size_t{16} << 10;

// What is copied begins at the beginning of a page, in the file and here. Some processors take four
// times as long where it begins 16 bytes later here, which malloc() may well give.
constexpr std::align_val_t kAlignment{kPage};

CopyBuffers::Buffer NewBuffer() {
  return CopyBuffers::Buffer(new (kAlignment) std::uint8_t[2 * kPart]);
}

class CopyingSource final : public Source {
 public:
  CopyingSource(const StoredFile& file, CopiedPart part, CopyBuffers* buffers)
      : file_(file),
        size_(file.bytes().size()),
        most_(std::min(part.end, size_)),
        buffers_(buffers),
        buffer_(buffers == nullptr ? NewBuffer() : buffers->Take()),
        position_(std::min(part.begin, size_)),
        copied_(position_) {}

  CopyingSource(const CopyingSource&) = delete;
  CopyingSource& operator=(const CopyingSource&) = delete;
  ~CopyingSource() override {
    if (buffers_ != nullptr) buffers_->GiveBack(std::move(buffer_));
  }

  Result<Bytes> Window(std::size_t size) override {
    if (end_ - begin_ < size && copied_ < size_) {
      if (size > kLargestCopy) return file_.bytes().subspan(position_, std::min(size, Rest()));
      Copy(size);
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

  // So that the view shows `size` bytes, which are more than it does, or all that remain.
  void Copy(std::size_t size) {
    const std::size_t left = end_ - begin_;
    std::memmove(buffer_.get() + kPart - left, buffer_.get() + begin_, left);
    const std::size_t wanted = copied_ < most_ ? std::min(kPart - copied_ % kPage, most_ - copied_)
                                               : kPartAfter - copied_ % kPage;
    const std::size_t part = std::min(std::max(wanted, size - left), size_ - copied_);
    file_.Read(copied_, std::span(buffer_.get() + kPart, part));
    copied_ += part;
    begin_ = kPart - left;
    end_ = kPart + part;
  }

  const StoredFile& file_;
  const std::size_t size_;
  const std::size_t most_;  // up to here it is read in large parts
  CopyBuffers* const buffers_;
  CopyBuffers::Buffer buffer_;  // the view is [begin_, end_) of it
  std::size_t begin_ = kPart;
  std::size_t end_ = kPart;
  std::size_t position_;  // in the file, of begin_
  std::size_t copied_;    // in the file, of end_
};

}  // namespace

void CopyBuffers::Release::operator()(std::uint8_t* bytes) const {
  ::operator delete[](bytes, kAlignment);
}

CopyBuffers::Buffer CopyBuffers::Take() {
  const std::lock_guard lock(mutex_);
  if (spare_.empty()) return NewBuffer();
  Buffer buffer = std::move(spare_.back());
  spare_.pop_back();
  return buffer;
}

void CopyBuffers::GiveBack(Buffer buffer) {
  const std::lock_guard lock(mutex_);
  spare_.push_back(std::move(buffer));
}

NewSource MakeCopyingSource(const StoredFile& file, CopiedPart part, CopyBuffers* buffers) {
  return NewSource(std::make_unique<CopyingSource>(file, part, buffers));
}

}  // namespace pmproof::archive
