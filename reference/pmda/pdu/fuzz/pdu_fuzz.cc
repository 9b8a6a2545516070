// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "reference/pmda/pdu/encode.h"
#include "reference/pmda/pdu/frame_reader.h"
#include "reference/pmda/pdu/pdu_type.h"
#include "reference/pmda/pdu/testing/codec_law.h"

// The first byte chooses the version of the reader; the second is 0, and what follows is the body
// of a PDU of the type in the third byte, or the size of the pieces in which what follows comes as
// a stream.

namespace pmproof::pdu {
namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

void CheckPdu(Bytes pdu, const Strictness& strictness) {
  const std::string broken = BrokenLaw(pdu, strictness);
  Require(broken.empty(), broken.c_str());
}

void CheckBody(std::uint8_t type, Bytes body, const Strictness& strictness) {
  Buffer pdu(kHeaderSize + body.size());
  StoreU32(pdu.data(), static_cast<std::uint32_t>(pdu.size()));
  StoreU32(pdu.data() + 4, 0x7000U + type % 0x18);
  std::ranges::copy(body, pdu.begin() + kHeaderSize);
  CheckPdu(pdu, strictness);
}

void CheckStream(std::size_t piece, Bytes stream, const Strictness& strictness) {
  constexpr std::uint32_t kCeiling = 1 << 20;
  FrameReader frames(kCeiling);
  const Bytes whole = stream;
  std::size_t taken = 0;
  while (!stream.empty()) {
    const Bytes next = stream.first(std::min(piece, stream.size()));
    frames.Append(next);
    stream = stream.subspan(next.size());
    auto frame = frames.Next();
    for (; frame && *frame; frame = frames.Next()) {
      const Bytes pdu = **frame;
      Require(std::ranges::equal(pdu, whole.subspan(taken, pdu.size())), "a frame of other bytes");
      taken += pdu.size();
      CheckPdu(pdu, strictness);
    }
    if (!frame) {
      Require(!frame.error().clause.empty(), "a fault without a clause");
      return;
    }
  }
  Require(frames.pending() == whole.size() - taken, "bytes are lost");
  Require(frames.AtEnd().has_value() == (taken == whole.size()), "the end is not where it is");
}

}  // namespace
}  // namespace pmproof::pdu

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pmproof::pdu;  // NOLINT(google-build-using-namespace)
  if (size < 3) return 0;
  const Strictness& strictness = *kStrictnesses[data[0] % kStrictnesses.size()];
  const pmproof::Bytes rest(data + 2, size - 2);
  if (data[1] == 0) {
    CheckBody(rest[0], rest.subspan(1), strictness);
  } else {
    CheckStream(data[1], rest, strictness);
  }
  return 0;
}
