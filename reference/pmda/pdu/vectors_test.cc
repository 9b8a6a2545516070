// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "reference/pmda/pdu/decoder.h"
#include "reference/pmda/pdu/encode.h"
#include "reference/pmda/pdu/frame_reader.h"
#include "reference/pmda/pdu/pdu_text.h"
#include "reference/pmda/pdu/testing/codec_law.h"
#include "reference/pmda/pdu/testing/vector_file.h"

// The vectors of section 18 in both directions, and what becomes of them when they are damaged.

namespace pmproof::pdu {
namespace {

using testing::ElementsAreArray;
using testing::IsEmpty;

// What a reader makes of bytes, in the words of vectors/README.md.
struct Reading {
  std::vector<std::string> meanings;
  std::vector<std::string> refusals;
  std::vector<std::string> overlooked;
  Buffer encoded;
};

std::string Refusal(const PduError& error, std::string_view stage) {
  return error.clause.ToString() + " " + std::to_string(static_cast<std::int32_t>(error.code)) +
         std::string(stage);
}

Reading Read(Bytes bytes, const Strictness& strictness) {
  Reading reading;
  FrameReader frames;
  Decoder decoder(strictness);
  frames.Append(bytes);
  while (true) {
    const auto frame = frames.Next();
    if (!frame) {
      reading.refusals.push_back(Refusal(frame.error(), " frame"));
      return reading;
    }
    if (!*frame) return reading;
    const auto pdu = decoder.Decode(**frame);
    if (!pdu) {
      reading.refusals.push_back(Refusal(pdu.error(), ""));
      continue;
    }
    reading.meanings.push_back(ToText(*pdu));
    decoder.departures().ForEach([&](Departure departure) {
      reading.overlooked.push_back(ClauseOf(departure, TypeOf(pdu->body)).ToString() + " " +
                                   std::string(ToText(departure)));
    });
    EXPECT_TRUE(Encode(*pdu, &reading.encoded));
  }
}

// Each PDU of the vectors by itself.
std::vector<Buffer> Pdus() {
  std::vector<Buffer> pdus;
  for (const TestVector& vector : LoadTestVectors()) {
    FrameReader frames;
    frames.Append(vector.bytes);
    for (auto frame = frames.Next(); frame && *frame; frame = frames.Next()) {
      pdus.emplace_back((*frame)->begin(), (*frame)->end());
    }
  }
  return pdus;
}

TEST(VectorsTest, AreAllOfSection18) {
  const std::vector<TestVector> vectors = LoadTestVectors();
  EXPECT_EQ(vectors.size(), 233U);
  EXPECT_EQ(Pdus().size(), 229U) << "2 vectors have 2 PDUs, 6 break the framing";
}

TEST(VectorsTest, MeanWhatIsWrittenThereInEachVersion) {
  for (const TestVector& vector : LoadTestVectors()) {
    for (const Strictness* strictness : kStrictnesses) {
      SCOPED_TRACE(vector.id + " " + vector.title + ", " + std::string(strictness->version));
      const Reading reading = Read(vector.bytes, *strictness);
      const auto overlooked = vector.Texts('~', strictness->version);
      EXPECT_THAT(reading.meanings, ElementsAreArray(vector.Texts('=', strictness->version)));
      EXPECT_THAT(reading.refusals, ElementsAreArray(vector.Texts('!', strictness->version)));
      EXPECT_THAT(reading.overlooked, ElementsAreArray(overlooked));
      if (reading.refusals.empty()) {
        EXPECT_FALSE(reading.meanings.empty());
        EXPECT_EQ(reading.encoded == vector.bytes, overlooked.empty());
      }
    }
  }
}

TEST(VectorsTest, KeepTheirMeaningByteByByte) {  // PDU-009, test idea T51
  Buffer stream;
  for (const Buffer& pdu : Pdus()) stream.insert(stream.end(), pdu.begin(), pdu.end());
  FrameReader frames;
  std::vector<Buffer> came;
  for (const std::uint8_t byte : stream) {
    frames.Append({&byte, 1});
    const auto frame = frames.Next();
    ASSERT_TRUE(frame);
    if (*frame) came.emplace_back((*frame)->begin(), (*frame)->end());
  }
  EXPECT_TRUE(frames.AtEnd());
  EXPECT_EQ(came, Pdus());
}

TEST(VectorsTest, CutAnywhereAreRefusedOrKeepTheLaw) {  // PDU-011, test idea T52
  for (const Buffer& pdu : Pdus()) {
    for (std::size_t size = 0; size < pdu.size(); ++size) {
      Buffer cut(pdu.begin(), pdu.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_FALSE(Decoder().Decode(cut)) << "its length says that there is more";
      if (size < kHeaderSize) continue;
      StoreU32(cut.data(), static_cast<std::uint32_t>(size));
      for (const Strictness* strictness : kStrictnesses) {
        ASSERT_THAT(BrokenLaw(cut, *strictness), IsEmpty());
      }
    }
  }
}

// Small enough for each of its places to be changed.
bool IsSmall(const Buffer& pdu) { return pdu.size() <= 300; }

TEST(VectorsTest, WithAnyByteChangedAreRefusedOrKeepTheLaw) {
  for (Buffer pdu : Pdus()) {
    if (!IsSmall(pdu)) continue;
    for (std::uint8_t& byte : std::span(pdu).subspan(4)) {
      const std::uint8_t before = byte;
      for (int after = 0; after < 256; ++after) {
        byte = static_cast<std::uint8_t>(after);
        for (const Strictness* strictness : {&kV60, &kV72}) {
          ASSERT_THAT(BrokenLaw(pdu, *strictness), IsEmpty());
        }
      }
      byte = before;
    }
  }
}

TEST(VectorsTest, WithAnyWordChangedAreRefusedOrKeepTheLaw) {  // test idea T53
  for (Buffer pdu : Pdus()) {
    if (!IsSmall(pdu)) continue;
    for (std::size_t at = 4; at + 4 <= pdu.size(); at += 4) {
      const std::uint32_t before = LoadU32(&pdu[at]);
      for (const std::uint32_t after :
           {0U, 0xffffffffU, 0x7fffffffU, 0x80000000U, 0x40000001U, before + 4, before - 4}) {
        StoreU32(&pdu[at], after);
        for (const Strictness* strictness : kStrictnesses) {
          ASSERT_THAT(BrokenLaw(pdu, *strictness), IsEmpty());
        }
      }
      StoreU32(&pdu[at], before);
    }
  }
}

TEST(VectorsTest, LengthenedByUpToTwoWordsAreRefusedOrKeepTheLaw) {
  for (const Buffer& pdu : Pdus()) {
    for (std::size_t more = 1; more <= 8; ++more) {
      for (const int byte : {0x00, 0x7e, 0xff}) {
        Buffer longer = pdu;
        longer.resize(pdu.size() + more, static_cast<std::uint8_t>(byte));
        StoreU32(longer.data(), static_cast<std::uint32_t>(longer.size()));
        for (const Strictness* strictness : kStrictnesses) {
          ASSERT_THAT(BrokenLaw(longer, *strictness), IsEmpty());
        }
      }
    }
  }
}

}  // namespace
}  // namespace pmproof::pdu
