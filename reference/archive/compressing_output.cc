// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/compressing_output.h"

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

namespace pmproof::archive {
namespace {

// How hard each library tries. Archives are long and repetitive: more gains little and takes much
// longer.
constexpr std::uint32_t kXzPreset = 2;
constexpr int kGzipLevel = 6;
constexpr int kBzip2Blocks = 9;
constexpr int kZstdLevel = 3;

constexpr std::size_t kOutputWindow = std::size_t{1} << 16;
// The libraries count in 32 bits.
constexpr std::size_t kLargestInput = std::size_t{1} << 30;

// What a library does: takes bytes from the front of `in`, puts some to the front of `out`, and
// shortens both by that. With `finish` it is called until it says kEnd.
class Encoder {
 public:
  enum class State : std::uint8_t { kMore, kEnd, kFailed };
  virtual ~Encoder() = default;
  virtual bool initialised() const = 0;
  virtual State Encode(Bytes* in, std::span<std::uint8_t>* out, bool finish) = 0;
};

class XzEncoder final : public Encoder {
 public:
  XzEncoder() : initialised_(lzma_easy_encoder(&stream_, kXzPreset, LZMA_CHECK_CRC64) == LZMA_OK) {}
  XzEncoder(const XzEncoder&) = delete;
  XzEncoder& operator=(const XzEncoder&) = delete;
  ~XzEncoder() override { lzma_end(&stream_); }
  bool initialised() const override { return initialised_; }
  State Encode(Bytes* in, std::span<std::uint8_t>* out, bool finish) override {
    stream_.next_in = in->data();
    stream_.avail_in = in->size();
    stream_.next_out = out->data();
    stream_.avail_out = out->size();
    const lzma_ret result = lzma_code(&stream_, finish ? LZMA_FINISH : LZMA_RUN);
    *in = in->last(stream_.avail_in);
    *out = out->last(stream_.avail_out);
    if (result == LZMA_STREAM_END) return State::kEnd;
    return result == LZMA_OK ? State::kMore : State::kFailed;
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool initialised_;
};

class GzipEncoder final : public Encoder {
 public:
  // 15 + 16: the largest window, with gzip's header, which has no time and no name.
  GzipEncoder()
      : initialised_(deflateInit2(&stream_, kGzipLevel, Z_DEFLATED, 15 + 16, 8,
                                  Z_DEFAULT_STRATEGY) == Z_OK) {}
  GzipEncoder(const GzipEncoder&) = delete;
  GzipEncoder& operator=(const GzipEncoder&) = delete;
  ~GzipEncoder() override { deflateEnd(&stream_); }
  bool initialised() const override { return initialised_; }
  State Encode(Bytes* in, std::span<std::uint8_t>* out, bool finish) override {
    stream_.next_in = const_cast<Bytef*>(in->data());
    stream_.avail_in = static_cast<uInt>(in->size());
    stream_.next_out = out->data();
    stream_.avail_out = static_cast<uInt>(out->size());
    const int result = deflate(&stream_, finish ? Z_FINISH : Z_NO_FLUSH);
    *in = in->last(stream_.avail_in);
    *out = out->last(stream_.avail_out);
    if (result == Z_STREAM_END) return State::kEnd;
    return result == Z_OK || result == Z_BUF_ERROR ? State::kMore : State::kFailed;
  }

 private:
  z_stream stream_ = {};
  bool initialised_;
};

class Bzip2Encoder final : public Encoder {
 public:
  Bzip2Encoder() : initialised_(BZ2_bzCompressInit(&stream_, kBzip2Blocks, 0, 0) == BZ_OK) {}
  Bzip2Encoder(const Bzip2Encoder&) = delete;
  Bzip2Encoder& operator=(const Bzip2Encoder&) = delete;
  ~Bzip2Encoder() override { BZ2_bzCompressEnd(&stream_); }
  bool initialised() const override { return initialised_; }
  State Encode(Bytes* in, std::span<std::uint8_t>* out, bool finish) override {
    stream_.next_in = reinterpret_cast<char*>(const_cast<std::uint8_t*>(in->data()));
    stream_.avail_in = static_cast<unsigned>(in->size());
    stream_.next_out = reinterpret_cast<char*>(out->data());
    stream_.avail_out = static_cast<unsigned>(out->size());
    const int result = BZ2_bzCompress(&stream_, finish ? BZ_FINISH : BZ_RUN);
    *in = in->last(stream_.avail_in);
    *out = out->last(stream_.avail_out);
    if (result == BZ_STREAM_END) return State::kEnd;
    return result == BZ_RUN_OK || result == BZ_FINISH_OK ? State::kMore : State::kFailed;
  }

 private:
  bz_stream stream_ = {};
  bool initialised_;
};

class ZstdEncoder final : public Encoder {
 public:
  ZstdEncoder() : context_(ZSTD_createCCtx()) {
    if (context_ == nullptr) return;
    ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, kZstdLevel);
    ZSTD_CCtx_setParameter(context_, ZSTD_c_checksumFlag, 1);
  }
  ZstdEncoder(const ZstdEncoder&) = delete;
  ZstdEncoder& operator=(const ZstdEncoder&) = delete;
  ~ZstdEncoder() override { ZSTD_freeCCtx(context_); }
  bool initialised() const override { return context_ != nullptr; }
  State Encode(Bytes* in, std::span<std::uint8_t>* out, bool finish) override {
    ZSTD_inBuffer input{in->data(), in->size(), 0};
    ZSTD_outBuffer output{out->data(), out->size(), 0};
    const std::size_t left =
        ZSTD_compressStream2(context_, &output, &input, finish ? ZSTD_e_end : ZSTD_e_continue);
    *in = in->subspan(input.pos);
    *out = out->subspan(output.pos);
    if (ZSTD_isError(left) != 0) return State::kFailed;
    return finish && left == 0 ? State::kEnd : State::kMore;
  }

 private:
  ZSTD_CCtx* context_;
};

class CompressingFile final : public OutputFile {
 public:
  CompressingFile(std::unique_ptr<OutputFile> file, std::unique_ptr<Encoder> encoder)
      : file_(std::move(file)), encoder_(std::move(encoder)) {}

  std::optional<Status> Write(Bytes bytes) override {
    while (!bytes.empty()) {
      Bytes piece = bytes.first(std::min(bytes.size(), kLargestInput));
      bytes = bytes.subspan(piece.size());
      while (!piece.empty()) {
        if (auto error = Step(&piece, /*finish=*/false)) return error;
      }
    }
    return std::nullopt;
  }

  std::optional<Status> Close() override {
    static constexpr std::uint8_t kNothing = 0;
    Bytes none(&kNothing, 0);
    while (!ended_) {
      if (auto error = Step(&none, /*finish=*/true)) return error;
    }
    return file_->Close();
  }

 private:
  std::optional<Status> Step(Bytes* in, bool finish) {
    std::span<std::uint8_t> out = window_;
    const Encoder::State state = encoder_->Encode(in, &out, finish);
    if (state == Encoder::State::kFailed) {
      return Status{.kind = Status::Kind::kBudget,
                    .message = "the file cannot be compressed: the library failed"};
    }
    ended_ = state == Encoder::State::kEnd;
    const std::size_t made = window_.size() - out.size();
    return made == 0 ? std::nullopt : file_->Write(Bytes(window_).first(made));
  }

  std::unique_ptr<OutputFile> file_;
  std::unique_ptr<Encoder> encoder_;
  bool ended_ = false;
  std::array<std::uint8_t, kOutputWindow> window_{};
};

std::unique_ptr<Encoder> MakeEncoder(Compression compression) {
  switch (compression) {
    case Compression::kXz:
      return std::make_unique<XzEncoder>();
    case Compression::kGzip:
      return std::make_unique<GzipEncoder>();
    case Compression::kBzip2:
      return std::make_unique<Bzip2Encoder>();
    case Compression::kZstd:
      return std::make_unique<ZstdEncoder>();
    case Compression::kNone:
    case Compression::kLzma:
    case Compression::kCompress:
      break;
  }
  return nullptr;
}

}  // namespace

Result<std::unique_ptr<OutputFile>> MakeCompressing(std::unique_ptr<OutputFile> file,
                                                    Compression compression) {
  if (compression == Compression::kNone) return file;
  std::unique_ptr<Encoder> encoder = MakeEncoder(compression);
  if (encoder == nullptr) {
    return tl::unexpected(Status{.kind = Status::Kind::kUnsupported,
                                 .message = "files of this compression are not written"});
  }
  if (!encoder->initialised()) {
    return tl::unexpected(
        Status{.kind = Status::Kind::kBudget, .message = "no memory for the compressor"});
  }
  return std::make_unique<CompressingFile>(std::move(file), std::move(encoder));
}

std::string_view SuffixOf(Compression compression) {
  for (const CompressionSuffix& known : kCompressionSuffixes) {
    if (known.compression == compression) return known.suffix;
  }
  return "";
}

}  // namespace pmproof::archive
