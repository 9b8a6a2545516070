// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include <algorithm>

#include "reference/archive/stream_source.h"

namespace pmproof::archive {
namespace {

class GzipDecoder final : public Decoder {
 public:
  GzipDecoder() : initialised_(inflateInit2(&stream_, kGzipOnly)) {}
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;
  ~GzipDecoder() override { inflateEnd(&stream_); }

  Outcome Decompress(Bytes* in, std::span<std::uint8_t>* out) override {
    if (initialised_ != Z_OK) return {State::kBudget, "no memory for the decompressor"};
    // zlib's counts have 32 bits.
    const Bytes given = in->first(std::min<std::size_t>(in->size(), 1U << 30));
    const std::span<std::uint8_t> room = out->first(std::min<std::size_t>(out->size(), 1U << 30));
    stream_.next_in = const_cast<std::uint8_t*>(given.data());  // zlib only reads it
    stream_.avail_in = static_cast<uInt>(given.size());
    stream_.next_out = room.data();
    stream_.avail_out = static_cast<uInt>(room.size());
    const int result = inflate(&stream_, Z_NO_FLUSH);
    *in = in->subspan(given.size() - stream_.avail_in);
    *out = out->subspan(room.size() - stream_.avail_out);
    switch (result) {
      case Z_OK:
        return {};
      case Z_STREAM_END:
        return NextMember(in);
      case Z_MEM_ERROR:
        return {State::kBudget, "no memory for the decompressor"};
      case Z_BUF_ERROR:
        return {State::kDamaged, kEndsInside};
      default:
        return {State::kDamaged,
                stream_.msg != nullptr ? std::string("corrupt: ") + stream_.msg : "corrupt"};
    }
  }

 private:
  static constexpr int kGzipOnly = 15 + 16;

  Outcome NextMember(Bytes* in) {
    if (in->size() >= 2 && LoadU16(in->data()) == 0x1f8b) {
      inflateReset(&stream_);
      return {};
    }
    const bool padding =
        std::all_of(in->begin(), in->end(), [](std::uint8_t byte) { return byte == 0; });
    if (!padding) return {State::kDamaged, "bytes follow the compressed data"};
    return {State::kEnd, ""};
  }

  z_stream stream_ = {};
  int initialised_;
};

}  // namespace

std::unique_ptr<Decoder> MakeGzipDecoder() { return std::make_unique<GzipDecoder>(); }

}  // namespace pmproof::archive
