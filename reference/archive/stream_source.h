// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_STREAM_SOURCE_H_
#define PMPROOF_REFERENCE_ARCHIVE_STREAM_SOURCE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "reference/archive/source.h"

// What the sources of compressed files share. Not for use outside of this library.

namespace pmproof::archive {

// One decompressor.
class Decoder {
 public:
  enum class State : std::uint8_t {
    kMore,  // progress was made
    kEnd,   // all of the input was decompressed and is well formed
    kDamaged,
    kBudget,
    kUnsupported,
  };
  struct Outcome {
    State state = State::kMore;
    std::string message;  // why not, for the last three
  };

  virtual ~Decoder() = default;

  // Takes bytes from the front of `in` and puts what they stand for at the front of `out` (which is
  // not empty); both become what is left of them. `in` holds all that remains of the file: where it
  // is used up before the end of the compressed data, the file is cut. What was put into `out` is
  // valid whatever the outcome. Not called again after another outcome than kMore.
  virtual Outcome Decompress(Bytes* in, std::span<std::uint8_t>* out) = 0;
};

std::unique_ptr<Decoder> MakeXzDecoder(std::size_t memory);    // .xz, concatenated streams
std::unique_ptr<Decoder> MakeLzmaDecoder(std::size_t memory);  // .lzma, or what xz -dc takes for it
std::unique_ptr<Decoder> MakeGzipDecoder();
std::unique_ptr<Decoder> MakeBzip2Decoder();
std::unique_ptr<Decoder> MakeZstdDecoder(std::size_t memory);

// The message of every decoder for a file that is cut.
inline constexpr const char* kEndsInside = "the file ends inside the compressed data";

// Gives the output of a decoder through a sliding window, which grows as larger views are asked
// for.
class StreamSource final : public Source {
 public:
  StreamSource(Bytes compressed, std::string name, Compression compression,
               std::unique_ptr<Decoder> decoder, const SourceLimits& limits);

  Result<Bytes> Window(std::size_t size) override;
  void Skip(std::size_t size) override;
  std::uint64_t position() const override { return position_; }
  std::optional<Bytes> mapped() const override { return std::nullopt; }

 private:
  void MakeRoom(std::size_t size);
  void Fill(std::size_t size);
  Status Failure(Status::Kind kind, std::string message) const;

  Bytes compressed_;  // what the decoder has not taken yet
  std::string name_;
  Compression compression_;
  std::unique_ptr<Decoder> decoder_;
  SourceLimits limits_;
  std::uint64_t most_;  // output allowed in all

  std::unique_ptr<std::uint8_t[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;  // the view is [begin_, end_) of the buffer
  std::size_t end_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t produced_ = 0;
  bool ended_ = false;
  std::optional<Status> failure_;  // where decoding stopped: met when all before it has been given
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_STREAM_SOURCE_H_
