// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/testing/compress.h"

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdlib>

namespace pmproof::archive::testing {
namespace {

using Content = std::vector<std::uint8_t>;

// A test that cannot be set up ends at once.
void Require(bool done) {
  if (!done) std::abort();
}

Content Xz(Bytes content, int level) {
  Content out(lzma_stream_buffer_bound(content.size()));
  std::size_t size = 0;
  Require(lzma_easy_buffer_encode(static_cast<std::uint32_t>(level), LZMA_CHECK_CRC64, nullptr,
                                  content.data(), content.size(), out.data(), &size,
                                  out.size()) == LZMA_OK);
  out.resize(size);
  return out;
}

Content Lzma(Bytes content, int level) {
  lzma_options_lzma options;
  Require(lzma_lzma_preset(&options, static_cast<std::uint32_t>(level)) == 0);
  lzma_stream stream = LZMA_STREAM_INIT;
  Require(lzma_alone_encoder(&stream, &options) == LZMA_OK);
  Content out(lzma_stream_buffer_bound(content.size()) + 64);
  stream.next_in = content.data();
  stream.avail_in = content.size();
  stream.next_out = out.data();
  stream.avail_out = out.size();
  Require(lzma_code(&stream, LZMA_FINISH) == LZMA_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  lzma_end(&stream);
  return out;
}

Content Bzip2(Bytes content, int level) {
  Content out(content.size() + content.size() / 50 + 1000);
  auto size = static_cast<unsigned>(out.size());
  auto* in = reinterpret_cast<char*>(const_cast<std::uint8_t*>(content.data()));
  Require(BZ2_bzBuffToBuffCompress(reinterpret_cast<char*>(out.data()), &size, in,
                                   static_cast<unsigned>(content.size()), level, 0, 0) == BZ_OK);
  out.resize(size);
  return out;
}

Content Gzip(Bytes content, int level) {
  z_stream stream = {};
  Require(deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  Content out(deflateBound(&stream, content.size()) + 64);
  stream.next_in = const_cast<std::uint8_t*>(content.data());
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  Require(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

Content Zstd(Bytes content, int level) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);  // as zstd does
  Content out(ZSTD_compressBound(content.size()));
  out.resize(ZSTD_compress2(context, out.data(), out.size(), content.data(), content.size()));
  ZSTD_freeCCtx(context);
  return out;
}

}  // namespace

Content Compress(Bytes content, Compression compression, int level) {
  static const std::uint8_t kNothing = 0;
  if (content.empty()) content = Bytes(&kNothing, 0);
  switch (compression) {
    case Compression::kXz:
      return Xz(content, level);
    case Compression::kLzma:
      return Lzma(content, level);
    case Compression::kBzip2:
      return Bzip2(content, level);
    case Compression::kGzip:
    case Compression::kCompress:
      return Gzip(content, level);
    case Compression::kZstd:
      return Zstd(content, level);
    case Compression::kNone:
      break;
  }
  return {content.begin(), content.end()};
}

}  // namespace pmproof::archive::testing
