// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/source.h"

#include <algorithm>
#include <utility>

#include "reference/archive/stream_source.h"

namespace pmproof::archive {
namespace {

class MappedSource final : public Source {
 public:
  explicit MappedSource(Bytes content) : content_(content) {}

  Result<Bytes> Window(std::size_t) override { return content_.subspan(position_); }
  void Skip(std::size_t size) override { position_ += std::min(size, content_.size() - position_); }
  std::uint64_t position() const override { return position_; }
  std::optional<Bytes> mapped() const override { return content_; }

 private:
  Bytes content_;
  std::size_t position_ = 0;
};

// For files that are certain not to be read.
class RefusingDecoder final : public Decoder {
 public:
  explicit RefusingDecoder(Outcome outcome) : outcome_(std::move(outcome)) {}
  Outcome Decompress(Bytes*, std::span<std::uint8_t>*) override { return outcome_; }

 private:
  Outcome outcome_;
};

std::unique_ptr<Decoder> MakeCompressDecoder(Bytes content) {
  const unsigned magic = content.size() < 2 ? 0U : LoadU16(content.data());
  if (magic == 0x1f8b) return MakeGzipDecoder();
  const bool known = magic == 0x1f9d || magic == 0x1f1e || magic == 0x1fa0;
  return std::make_unique<RefusingDecoder>(
      known ? Decoder::
                  Outcome{Decoder::State::kUnsupported,
                          "compressed by compress(1) or pack(1); decompress it with gzip -d first"}
            : Decoder::Outcome{Decoder::State::kDamaged, "no compressed data: wrong magic number"});
}

std::unique_ptr<Decoder> MakeDecoder(Bytes content, Compression compression, std::size_t memory) {
  switch (compression) {
    case Compression::kXz:
      return MakeXzDecoder(memory);
    case Compression::kLzma:
      return MakeLzmaDecoder(memory);
    case Compression::kBzip2:
      return MakeBzip2Decoder();
    case Compression::kGzip:
      return MakeGzipDecoder();
    case Compression::kCompress:
      return MakeCompressDecoder(content);
    case Compression::kZstd:
      return MakeZstdDecoder(memory);
    case Compression::kNone:
      break;
  }
  return nullptr;
}

}  // namespace

NewSource MakeSource(const StoredFile& file, std::string name, Compression compression,
                     const SourceLimits& limits) {
  const Bytes content = file.bytes();
  std::unique_ptr<Decoder> decoder = MakeDecoder(content, compression, limits.dictionary);
  if (!decoder) return NewSource(std::make_unique<MappedSource>(content));
  return NewSource(std::make_unique<StreamSource>(content, std::move(name), compression,
                                                  std::move(decoder), limits));
}

}  // namespace pmproof::archive
