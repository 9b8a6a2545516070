// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reference/pmda/pdu/decoder.h"
#include "reference/pmda/pdu/encode.h"
#include "reference/pmda/pdu/frame_reader.h"
#include "reference/pmda/pdu/pdu_text.h"
#include "reference/pmda/pdu/testing/arbitrary_pdu.h"
#include "reference/pmda/pdu/testing/codec_law.h"

namespace pmproof::pdu {
namespace {

PduType ArbitraryType() { return *rc::gen::elementOf(kPduTypes); }

Buffer Encoded(const Pdu& pdu) {
  Buffer bytes;
  const auto encoded = Encode(pdu, &bytes);
  RC_ASSERT(encoded.has_value());
  return bytes;
}

class EveryTypeTest : public testing::TestWithParam<PduType> {};

TEST_P(EveryTypeTest, OfPduIsDecodedAsItWasEncodedByEveryVersion) {
  EXPECT_TRUE(rc::check([] {
    PduStorage storage;
    const Pdu pdu = ArbitraryPdu(GetParam(), &storage);
    const Buffer bytes = Encoded(pdu);
    RC_ASSERT(LoadHeader(bytes) ==
              (Header{static_cast<std::int32_t>(bytes.size()), GetParam(), pdu.from}));
    for (const Strictness* strictness : kStrictnesses) {
      Decoder decoder(*strictness);
      const auto decoded = decoder.Decode(bytes);
      RC_ASSERT(decoded.has_value());
      RC_ASSERT(decoder.departures().empty());
      RC_ASSERT(ToText(*decoded) == ToText(pdu));
      RC_ASSERT(*decoded == pdu);
    }
  }));
}

TEST_P(EveryTypeTest, OfPduIsRefusedOrKeepsTheLawWhenOneByteIsChanged) {
  EXPECT_TRUE(rc::check([] {
    PduStorage storage;
    Buffer bytes = Encoded(ArbitraryPdu(GetParam(), &storage));
    const auto at = *rc::gen::inRange<std::size_t>(4, bytes.size());
    bytes[at] = *rc::gen::arbitrary<std::uint8_t>();
    for (const Strictness* strictness : kStrictnesses) {
      RC_ASSERT(BrokenLaw(bytes, *strictness) == "");
    }
  }));
}

TEST_P(EveryTypeTest, OfPduIsRefusedOrKeepsTheLawWhenCut) {
  EXPECT_TRUE(rc::check([] {
    PduStorage storage;
    Buffer bytes = Encoded(ArbitraryPdu(GetParam(), &storage));
    bytes.resize(*rc::gen::inRange<std::size_t>(kHeaderSize, bytes.size() + 1));
    StoreU32(bytes.data(), static_cast<std::uint32_t>(bytes.size()));
    for (const Strictness* strictness : kStrictnesses) {
      RC_ASSERT(BrokenLaw(bytes, *strictness) == "");
    }
  }));
}

std::string NameOf(const testing::TestParamInfo<PduType>& info) { return ToText(info.param); }

INSTANTIATE_TEST_SUITE_P(Codec, EveryTypeTest, testing::ValuesIn(kPduTypes), NameOf);

RC_GTEST_PROP(FrameReaderProperty, StreamsAreCutIntoTheirPdusWhateverThePieces, ()) {  // PDU-009
  std::vector<Buffer> sent;
  Buffer stream;
  for (int i = *rc::gen::inRange(0, 8); i > 0; --i) {
    PduStorage storage;
    sent.push_back(Encoded(ArbitraryPdu(ArbitraryType(), &storage)));
    stream.insert(stream.end(), sent.back().begin(), sent.back().end());
  }
  FrameReader frames;
  std::vector<Buffer> came;
  Bytes left = stream;
  while (!left.empty()) {
    const auto size = *rc::gen::inRange<std::size_t>(1, std::min<std::size_t>(left.size(), 60) + 1);
    frames.Append(left.first(size));
    left = left.subspan(size);
    auto frame = frames.Next();
    for (; frame && *frame; frame = frames.Next()) {
      came.emplace_back((*frame)->begin(), (*frame)->end());
    }
    RC_ASSERT(frame.has_value());
  }
  RC_ASSERT(frames.AtEnd().has_value());
  RC_ASSERT(came == sent);
}

RC_GTEST_PROP(DecoderProperty, ADecoderRemembersNothingOfEarlierPdus, ()) {
  Decoder used;
  for (int i = 0; i < 3; ++i) {
    PduStorage storage;
    const Pdu pdu = ArbitraryPdu(ArbitraryType(), &storage);
    const auto decoded = used.Decode(Encoded(pdu));
    RC_ASSERT(decoded.has_value());
    Buffer bytes = Encoded(pdu);
    RC_ASSERT(used.Decode(bytes).value() == pdu);
    bytes.back() = static_cast<std::uint8_t>(bytes.back() + 1);
    static_cast<void>(used.Decode(bytes));
  }
}

RC_GTEST_PROP(DecoderProperty, BytesOfChanceAreRefusedOrKeepTheLaw, ()) {
  Buffer bytes(kHeaderSize);
  const auto body = *rc::gen::arbitrary<std::vector<std::uint8_t>>();
  bytes.insert(bytes.end(), body.begin(), body.end());
  StoreU32(bytes.data(), static_cast<std::uint32_t>(bytes.size()));
  StoreU32(bytes.data() + 4, static_cast<std::uint32_t>(ArbitraryType()));
  for (const Strictness* strictness : kStrictnesses) {
    RC_ASSERT(BrokenLaw(bytes, *strictness) == "");
  }
}

}  // namespace
}  // namespace pmproof::pdu
