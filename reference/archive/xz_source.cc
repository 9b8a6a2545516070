// SPDX-License-Identifier: Apache-2.0
#include <lzma.h>

#include <string>

#include "reference/archive/stream_source.h"

namespace pmproof::archive {
namespace {

// A .lzma file is recognised by its content, as xz -dc does (ARC-035): the format has no magic
// number.
class LzmaDecoder final : public Decoder {
 public:
  LzmaDecoder(bool recognise, std::size_t memory)
      : initialised_(recognise ? lzma_auto_decoder(&stream_, memory, LZMA_CONCATENATED)
                               : lzma_stream_decoder(&stream_, memory, LZMA_CONCATENATED)) {}
  LzmaDecoder(const LzmaDecoder&) = delete;
  LzmaDecoder& operator=(const LzmaDecoder&) = delete;
  ~LzmaDecoder() override { lzma_end(&stream_); }

  Outcome Decompress(Bytes* in, std::span<std::uint8_t>* out) override {
    if (initialised_ != LZMA_OK) return {State::kBudget, "no memory for the decompressor"};
    stream_.next_in = in->data();
    stream_.avail_in = in->size();
    stream_.next_out = out->data();
    stream_.avail_out = out->size();
    const lzma_ret result = lzma_code(&stream_, LZMA_FINISH);
    *in = in->last(stream_.avail_in);
    *out = out->last(stream_.avail_out);
    // NOLINTNEXTLINE(clang-diagnostic-switch-enum): not our enum
    switch (result) {
      case LZMA_OK:
        return {};
      case LZMA_STREAM_END:
        return {State::kEnd, ""};
      case LZMA_MEM_ERROR:
        return {State::kBudget, "no memory for the decompressor"};
      case LZMA_MEMLIMIT_ERROR:
        return {State::kBudget, "decompression needs " +
                                    std::to_string((lzma_memusage(&stream_) >> 20) + 1) +
                                    " MiB, more than is allowed"};
      case LZMA_FORMAT_ERROR:
        return {State::kDamaged, "not in the format of xz, or bytes follow the compressed data"};
      case LZMA_OPTIONS_ERROR:
        return {State::kDamaged, "the header is damaged or asks for unknown options"};
      case LZMA_DATA_ERROR:
        return {State::kDamaged, "the compressed data are corrupt"};
      case LZMA_BUF_ERROR:
        return {State::kDamaged, kEndsInside};
      default:
        return {State::kDamaged, "the decompressor fails (liblzma " + std::to_string(result) + ")"};
    }
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  lzma_ret initialised_;
};

}  // namespace

std::unique_ptr<Decoder> MakeXzDecoder(std::size_t memory) {
  return std::make_unique<LzmaDecoder>(/*recognise=*/false, memory);
}

std::unique_ptr<Decoder> MakeLzmaDecoder(std::size_t memory) {
  return std::make_unique<LzmaDecoder>(/*recognise=*/true, memory);
}

}  // namespace pmproof::archive
