// SPDX-License-Identifier: Apache-2.0
#include <bzlib.h>

#include <algorithm>

#include "reference/archive/stream_source.h"

namespace pmproof::archive {
namespace {

class Bzip2Decoder final : public Decoder {
 public:
  Bzip2Decoder() : initialised_(BZ2_bzDecompressInit(&stream_, 0, 0)) {}
  Bzip2Decoder(const Bzip2Decoder&) = delete;
  Bzip2Decoder& operator=(const Bzip2Decoder&) = delete;
  ~Bzip2Decoder() override { BZ2_bzDecompressEnd(&stream_); }

  Outcome Decompress(Bytes* in, std::span<std::uint8_t>* out) override {
    if (initialised_ != BZ_OK) return {State::kBudget, "no memory for the decompressor"};
    // The library's counts have 32 bits.
    const Bytes given = in->first(std::min<std::size_t>(in->size(), 1U << 30));
    const std::span<std::uint8_t> room = out->first(std::min<std::size_t>(out->size(), 1U << 30));
    stream_.next_in =
        reinterpret_cast<char*>(const_cast<std::uint8_t*>(given.data()));  // only read
    stream_.avail_in = static_cast<unsigned>(given.size());
    stream_.next_out = reinterpret_cast<char*>(room.data());
    stream_.avail_out = static_cast<unsigned>(room.size());
    const int result = BZ2_bzDecompress(&stream_);
    *in = in->subspan(given.size() - stream_.avail_in);
    *out = out->subspan(room.size() - stream_.avail_out);
    switch (result) {
      case BZ_OK:
        // It reports no shortage of input: it takes all and waits for more.
        if (in->empty() && stream_.avail_out > 0) return {State::kDamaged, kEndsInside};
        return {};
      case BZ_STREAM_END:
        return NextStream(*in);
      case BZ_MEM_ERROR:
        return {State::kBudget, "no memory for the decompressor"};
      case BZ_DATA_ERROR_MAGIC:
        return {State::kDamaged, "not in bzip2 format"};
      default:
        return {State::kDamaged, "the compressed data are corrupt"};
    }
  }

 private:
  // Streams may follow each other; what is none is ignored, as bzip2 -dc does.
  Outcome NextStream(Bytes in) {
    if (!AsText(in).starts_with("BZh")) return {State::kEnd, ""};
    BZ2_bzDecompressEnd(&stream_);
    stream_ = {};
    initialised_ = BZ2_bzDecompressInit(&stream_, 0, 0);
    return {};
  }

  bz_stream stream_ = {};
  int initialised_;
};

}  // namespace

std::unique_ptr<Decoder> MakeBzip2Decoder() { return std::make_unique<Bzip2Decoder>(); }

}  // namespace pmproof::archive
