// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/frame_reader.h"

#include <gtest/gtest.h>

#include <vector>

#include "reference/pmda/pdu/testing/wire_words.h"

namespace pmproof::pdu {
namespace {

const Buffer kDescReq = Words({16, 0x7004, 0, 0x3f400000});

// The error of a reader to which these bytes came.
PduError Fault(const Buffer& bytes, std::uint32_t ceiling = kLargestPdu) {
  FrameReader frames(ceiling);
  frames.Append(bytes);
  const auto next = frames.Next();
  EXPECT_FALSE(next);
  return next ? PduError{} : next.error();
}

TEST(FrameReaderTest, HasNothingUntilAPduIsComplete) {  // PDU-009
  FrameReader frames;
  for (const std::uint8_t byte : kDescReq) {
    EXPECT_EQ(frames.Next().value(), std::nullopt);
    frames.Append({&byte, 1});
  }
  const auto frame = frames.Next();
  ASSERT_TRUE(frame && *frame);
  EXPECT_EQ(Buffer((*frame)->begin(), (*frame)->end()), kDescReq);
  EXPECT_EQ(frames.Next().value(), std::nullopt);
}

TEST(FrameReaderTest, PdusNeedNoAlignment) {  // PDU-001
  Buffer stream = Words({18, 0x7011, 0, 99});
  stream.insert(stream.end(), {'x', 0});
  stream.insert(stream.end(), kDescReq.begin(), kDescReq.end());
  FrameReader frames;
  frames.Append(stream);
  EXPECT_EQ(frames.Next().value()->size(), 18U);
  EXPECT_EQ(frames.Next().value()->size(), 16U);
}

TEST(FrameReaderTest, LengthsBelowAHeaderAreRefused) {  // PDU-003
  for (const std::uint32_t length : {0U, 11U, 0x80000000U, 0xffffffffU}) {
    const PduError error = Fault(Words({length, 0x7004, 0}));
    EXPECT_EQ(error.clause, "PDU-003"_clause);
    EXPECT_EQ(error.code, kErrIpc);
  }
}

TEST(FrameReaderTest, AClientsCeilingIs64KiB) {  // PDU-004
  FrameReader frames(kClientCeiling);
  frames.Append(Words({65536, 0x7fff, 0}));
  EXPECT_EQ(frames.Next().value(), std::nullopt) << "the body is still to come";
  EXPECT_EQ(Fault(Words({65537, 0x7fff, 0}), kClientCeiling).clause, "PDU-004"_clause);
}

TEST(FrameReaderTest, LengthsNearTheLimitOfTheirTypeAreTooBig) {  // PDU-006
  FrameReader frames;
  frames.Append(Words({kLargestPdu, 0x7004, 0}));
  EXPECT_EQ(frames.Next().value(), std::nullopt);
  const PduError error = Fault(Words({kLargestPdu + 1, 0x7004, 0}));
  EXPECT_EQ(error.clause, "PDU-006"_clause);
  EXPECT_EQ(error.code, kErrTooBig);
}

TEST(FrameReaderTest, TypesMustBePositive) {  // PDU-007
  for (const std::uint32_t type : {0U, 0x80000000U, 0xffffffffU}) {
    const PduError error = Fault(Words({12, type, 0}));
    EXPECT_EQ(error.clause, "PDU-007"_clause);
    EXPECT_EQ(error.offset, 4U);
  }
}

TEST(FrameReaderTest, DoesNotRecoverFromAFault) {  // PDU-003
  FrameReader frames;
  frames.Append(Words({0, 0x7004, 0}));
  EXPECT_FALSE(frames.Next());
  frames.Append(kDescReq);
  EXPECT_FALSE(frames.Next());
}

TEST(FrameReaderTest, GivesThePdusBeforeAFault) {
  FrameReader frames;
  frames.Append(kDescReq);
  frames.Append(Words({0, 0, 0}));
  EXPECT_TRUE(frames.Next().value());
  EXPECT_FALSE(frames.Next());
}

TEST(FrameReaderTest, AnEndInsideAPduIsReported) {  // PDU-011
  FrameReader frames;
  EXPECT_TRUE(frames.AtEnd());
  frames.Append(Bytes(kDescReq).first(5));
  EXPECT_EQ(frames.AtEnd().error().ToText(),
            "offset 5: header: the stream ends inside it [PDU-011]");
  frames.Append(Bytes(kDescReq).subspan(5, 9));
  EXPECT_EQ(frames.AtEnd().error().field, "body");
  frames.Append(Bytes(kDescReq).subspan(14));
  ASSERT_TRUE(frames.Next().value());
  EXPECT_TRUE(frames.AtEnd());
}

TEST(FrameReaderTest, AClaimedLengthTakesNoMemory) {
  FrameReader frames;
  frames.Append(Words({kLargestPdu, 0x7004, 0}));
  EXPECT_EQ(frames.Next().value(), std::nullopt);
  EXPECT_LT(frames.Space().size(), 65536U);
}

TEST(FrameReaderTest, RoomIsNeverEmpty) {
  FrameReader frames;
  const std::size_t size = 3'000'000;
  frames.Append(Words({size, 0x7001, 0}));
  for (std::size_t came = 12; came < size;) {
    const auto space = frames.Space();
    ASSERT_FALSE(space.empty());
    const std::size_t taken = std::min(space.size(), size - came);
    frames.Commit(taken);
    came += taken;
  }
  EXPECT_EQ(frames.Next().value()->size(), size);
  EXPECT_EQ(frames.pending(), 0U);
}

}  // namespace
}  // namespace pmproof::pdu
