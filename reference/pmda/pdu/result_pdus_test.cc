// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/result_pdus.h"

#include <gtest/gtest.h>

#include "reference/pmda/pdu/decoder.h"
#include "reference/pmda/pdu/encode.h"
#include "reference/pmda/pdu/testing/wire_words.h"

namespace pmproof::pdu {
namespace {

// A RESULT of these words after the time.
Buffer ResultOf(std::initializer_list<std::uint32_t> words) {
  Buffer bytes = Words({0, 0x7001, 0, 0, 0});
  const Buffer rest = Words(words);
  bytes.insert(bytes.end(), rest.begin(), rest.end());
  StoreU32(bytes.data(), static_cast<std::uint32_t>(bytes.size()));
  return bytes;
}

PduError Fault(const Buffer& bytes, const Strictness& strictness = kV72) {
  const auto pdu = Decoder(strictness).Decode(bytes);
  EXPECT_FALSE(pdu);
  return pdu ? PduError{} : pdu.error();
}

Departures Overlooked(const Buffer& bytes, const Strictness& strictness = kV72) {
  Decoder decoder(strictness);
  const auto pdu = decoder.Decode(bytes);
  EXPECT_TRUE(pdu) << pdu.error().ToText();
  return decoder.departures();
}

constexpr std::uint32_t kUser = 0x3f400402;
constexpr std::uint32_t kBlock = 0x0500000c;

TEST(ResultTest, BlocksMustStartRightBehindTheSets) {  // PDU-106, test idea T15
  EXPECT_EQ(Fault(ResultOf({1, kUser, 1, 1, 0xffffffff, 12, 0, kBlock, 0, 0})).clause,
            "PDU-106"_clause);
}

TEST(ResultTest, ValuesMustNotShareABlock) {  // PDU-106, test idea T13
  EXPECT_EQ(Fault(ResultOf({1, kUser, 2, 1, 0, 13, 1, 13, kBlock, 0, 0})).clause, "PDU-106"_clause);
}

TEST(ResultTest, FormatsAreThree) {  // PDU-101
  for (const std::uint32_t valfmt : {3U, 0x80000000U, 0xffffffffU}) {
    EXPECT_EQ(Fault(ResultOf({1, kUser, 1, valfmt, 0xffffffff, 5})).clause, "PDU-101"_clause);
  }
}

TEST(ResultTest, ABlockHasItsHeader) {  // PDU-104
  for (const std::uint32_t vlen : {0U, 3U}) {
    EXPECT_EQ(Fault(ResultOf({1, kUser, 1, 1, 0xffffffff, 11, 0x05000000 | vlen})).clause,
              "PDU-104"_clause);
  }
  EXPECT_TRUE(Overlooked(ResultOf({1, kUser, 1, 1, 0xffffffff, 11, 0x05000004})).empty());
}

TEST(ResultTest, BlocksMayBeInAnyOrder) {  // PDU-106, test idea T14
  const Buffer bytes = ResultOf({1, kUser, 2, 1, 0, 16, 1, 13, kBlock, 0, 1, kBlock, 0, 2});
  Decoder decoder;
  const auto pdu = decoder.Decode(bytes);
  ASSERT_TRUE(pdu);
  const auto& values = std::get<Result>(pdu->body).sets[0].values;
  EXPECT_EQ(LoadU64(values[0].body.data()), 2U);
  EXPECT_EQ(LoadU64(values[1].body.data()), 1U);
  EXPECT_TRUE(decoder.departures().Has(Departure::kBlockOrder));
  EXPECT_FALSE(decoder.departures().Has(Departure::kBlockOverlap));
}

TEST(ResultTest, AGapThatMakesUpForAnOverlapIsSaid) {  // PDU-106
  const Departures overlooked =
      Overlooked(ResultOf({1, kUser, 2, 1, 0, 13, 1, 14, 0x0700000c, 0x07000008, 5, 7, 8}));
  EXPECT_TRUE(overlooked.Has(Departure::kBlockOverlap));
}

TEST(ResultTest, ASharedBlockIsRefusedWhateverMakesUpForIt) {  // PDU-106
  EXPECT_EQ(Fault(ResultOf({1, kUser, 2, 1, 0, 13, 1, 13, kBlock, 0, 1, 7, 8, 9})).clause,
            "PDU-106"_clause);
}

TEST(ResultTest, AGapBeforeTheFirstBlockIsRefusedEvenThen) {  // PDU-106
  EXPECT_EQ(Fault(ResultOf({1, kUser, 2, 1, 0, 16, 1, 16, 7, 8, 9, kBlock, 0, 1})).clause,
            "PDU-106"_clause);
}

TEST(ResultTest, ManyValuesOfOneLargeEventBlockAreRefusedInLinearTime) {  // PDU-106
  constexpr std::uint32_t kValues = 200'000;
  constexpr std::uint32_t kRecords = 200'000;
  Buffer bytes = ResultOf({1, 0x07400088, kValues, 1});
  bytes.reserve(24 + 12 + 8 * kValues + 16 * kRecords);
  const std::uint32_t block = 9 + 2 * kValues;
  const auto append = [&](std::uint32_t word) {
    bytes.resize(bytes.size() + 4);
    StoreU32(&bytes[bytes.size() - 4], word);
  };
  for (std::uint32_t i = 0; i < kValues; ++i) {
    append(i);
    append(block);
  }
  append(9U << 24 | (8 + 16 * kRecords));
  append(kRecords);
  bytes.resize(bytes.size() + 16 * kRecords);
  StoreU32(bytes.data(), static_cast<std::uint32_t>(bytes.size()));
  EXPECT_EQ(Fault(bytes).clause, "PDU-106"_clause);
}

TEST(ResultTest, AnyNegativeNumvalIsAStatus) {  // PDU-100, PDU-120, test idea T17
  const Buffer bytes = ResultOf({1, kUser, 0x80000000});
  Decoder decoder;
  const auto pdu = decoder.Decode(bytes);
  ASSERT_TRUE(pdu);
  EXPECT_EQ(std::get<Result>(pdu->body).sets[0].numval(), INT32_MIN);
  EXPECT_EQ(Fault(ResultOf({1, kUser, 0x80000000, 0})).clause, "PDU-106"_clause);
}

TEST(ResultTest, EventRecordsMustStayInTheirBlockFrom63On) {  // PDU-174
  const auto event = [](std::uint32_t nrecords) {
    return ResultOf({1, 0x07400088, 1, 1, 0, 11, 0x09000018, nrecords, 5, 6, 1, 0});
  };
  EXPECT_TRUE(Overlooked(event(1)).empty());
  EXPECT_EQ(Fault(event(2)).clause, "PDU-174"_clause);
  EXPECT_EQ(Fault(event(2), kV63).clause, "PDU-174"_clause);
  EXPECT_TRUE(Overlooked(event(2), kV60).Has(Departure::kEventRecords));
}

TEST(ResultTest, AParameterMustHaveRoomForItsType) {  // PDU-174
  const auto event = [](std::uint32_t parameter) {
    return ResultOf(
        {1, 0x07400088, 1, 1, 0, 11, 0x09000024, 1, 5, 6, 1, 1, 0x0740007f, parameter, 1});
  };
  EXPECT_TRUE(Overlooked(event(0x01000008)).empty());
  EXPECT_EQ(Fault(event(0x02000008)).clause, "PDU-174"_clause) << "a 64 of four bytes";
  EXPECT_EQ(Fault(event(0x01000003)).clause, "PDU-174"_clause);
}

TEST(ResultTest, WhatCanNotBeOnTheWireIsNotEncoded) {  // PDU-100, PDU-104
  const auto refusal = [](const ValueSet& set) {
    Buffer bytes;
    const auto encoded = Encode({.body = Result{.sets = {&set, 1}}}, &bytes);
    EXPECT_TRUE(bytes.empty());
    return encoded ? Clause() : encoded.error().clause;
  };
  const InstanceValue value = {.type = static_cast<MetricType>(256)};
  EXPECT_EQ(refusal({.status = static_cast<ErrorCode>(1)}), "PDU-100"_clause);
  EXPECT_EQ(refusal({.status = ErrorCode::kPmid, .values = {&value, 1}}), "PDU-100"_clause);
  EXPECT_EQ(refusal({.format = ValueFormat::kDynamic, .values = {&value, 1}}), "PDU-104"_clause);
}

TEST(ValueOfTest, WordsAreOfTheTypeOfTheDescriptor) {  // PDU-102
  const InstanceValue value = {.word = 0xffffffff};
  EXPECT_EQ(ValueOf(value, ValueFormat::kInsitu, MetricType::k32), Value::Of(-1));
  EXPECT_EQ(ValueOf(value, ValueFormat::kInsitu, MetricType::kU32), Value::Of(0xffffffffU));
  EXPECT_EQ(ValueOf(value, ValueFormat::kInsitu, MetricType::kU64), std::nullopt);
  EXPECT_EQ(ValueOf(value, ValueFormat::kInsitu, MetricType::kString), std::nullopt);
}

TEST(ValueOfTest, BlocksHaveATypeAndTheSizeOfIt) {  // PDU-105
  const Buffer eight = Words({0x40240000, 0});
  const Buffer four = Words({0x42c80000});
  const InstanceValue ten = {.type = MetricType::kDouble, .body = eight};
  EXPECT_EQ(ValueOf(ten, ValueFormat::kDynamic, MetricType::kDouble), Value::Of(10.0));
  EXPECT_EQ(ValueOf(ten, ValueFormat::kStatic, MetricType::kDouble), Value::Of(10.0));
  EXPECT_EQ(ValueOf(ten, ValueFormat::kDynamic, MetricType::kU64), std::nullopt);
  const InstanceValue untyped = {.type = MetricType::k32, .body = eight};
  EXPECT_EQ(ValueOf(untyped, ValueFormat::kDynamic, MetricType::kDouble), Value::Of(10.0))
      << "type 0 is that of old agents (MET-302)";
  const InstanceValue hundred = {.type = MetricType::kFloat, .body = four};
  EXPECT_EQ(ValueOf(hundred, ValueFormat::kDynamic, MetricType::kFloat), Value::Of(100.0F));
  const InstanceValue cut = {.type = MetricType::kDouble, .body = four};
  EXPECT_EQ(ValueOf(cut, ValueFormat::kDynamic, MetricType::kDouble), std::nullopt);
}

TEST(ValueOfTest, StringsAreTheirBody) {
  const InstanceValue value = {.type = MetricType::kString,
                               .body = AsBytes(std::string_view("a\0", 2))};
  const auto text = ValueOf(value, ValueFormat::kDynamic, MetricType::kString);
  ASSERT_TRUE(text);
  EXPECT_EQ(AsText(text->opaque), std::string_view("a\0", 2));
}

}  // namespace
}  // namespace pmproof::pdu
