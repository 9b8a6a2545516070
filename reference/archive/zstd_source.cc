// SPDX-License-Identifier: Apache-2.0
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <bit>
#include <string>

#include "reference/archive/stream_source.h"

namespace pmproof::archive {
namespace {

class ZstdDecoder final : public Decoder {
 public:
  // A frame's window is a power of two.
  explicit ZstdDecoder(std::size_t memory) : context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) return;
    const int largest = std::clamp(static_cast<int>(std::bit_width(memory)) - 1, 10, 31);
    ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax, largest);
  }
  ZstdDecoder(const ZstdDecoder&) = delete;
  ZstdDecoder& operator=(const ZstdDecoder&) = delete;
  ~ZstdDecoder() override { ZSTD_freeDCtx(context_); }

  Outcome Decompress(Bytes* in, std::span<std::uint8_t>* out) override {
    if (context_ == nullptr) return {State::kBudget, "no memory for the decompressor"};
    ZSTD_inBuffer from{in->data(), in->size(), 0};
    ZSTD_outBuffer to{out->data(), out->size(), 0};
    const std::size_t result = ZSTD_decompressStream(context_, &to, &from);
    *in = in->subspan(from.pos);
    *out = out->subspan(to.pos);
    if (ZSTD_isError(result) != 0) return Failure(result);
    if (in->empty() && result == 0) return {State::kEnd, ""};
    if (from.pos == 0 && to.pos == 0) return {State::kDamaged, kEndsInside};
    return {};
  }

 private:
  static Outcome Failure(std::size_t result) {
    // NOLINTNEXTLINE(clang-diagnostic-switch-enum): not our enum
    switch (ZSTD_getErrorCode(result)) {
      case ZSTD_error_frameParameter_windowTooLarge:
        return {State::kBudget, "decompression needs a larger window than is allowed"};
      case ZSTD_error_memory_allocation:
        return {State::kBudget, "no memory for the decompressor"};
      case ZSTD_error_prefix_unknown:
        return {State::kDamaged, "not in zstd format, or bytes follow the compressed data"};
      default:
        return {State::kDamaged, std::string("corrupt: ") + ZSTD_getErrorName(result)};
    }
  }

  ZSTD_DCtx* context_;
};

}  // namespace

std::unique_ptr<Decoder> MakeZstdDecoder(std::size_t memory) {
  return std::make_unique<ZstdDecoder>(memory);
}

}  // namespace pmproof::archive
