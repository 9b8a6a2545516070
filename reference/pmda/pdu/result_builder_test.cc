// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/result_builder.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "reference/pmda/pdu/decoder.h"
#include "reference/pmda/pdu/pdu_text.h"
#include "reference/pmda/pdu/testing/arbitrary_pdu.h"
#include "reference/pmda/pdu/testing/wire_words.h"

namespace pmproof::pdu {
namespace {

constexpr Pmid kDoubleTen = Pmid::Of(29, 0, 26);

Buffer Finished(ResultBuilder& builder) {
  Buffer bytes;
  const auto finished = builder.Finish(ResultBuilder::Envelope{}, &bytes);
  EXPECT_TRUE(finished) << finished.error().ToText();
  return bytes;
}

Clause Refusal(ResultBuilder& builder) {
  Buffer bytes;
  const auto finished = builder.Finish(ResultBuilder::Envelope{}, &bytes);
  EXPECT_FALSE(finished);
  EXPECT_TRUE(bytes.empty());
  return finished ? Clause() : finished.error().clause;
}

TEST(ResultBuilderTest, MakesTheResultOfADouble) {  // PDU-103, PDU-104, test idea T7
  ResultBuilder builder;
  builder.AddSet(kDoubleTen);
  builder.Add(kInstanceNull, Value::Of(10.0));
  EXPECT_EQ(Finished(builder), Words({0x38, 0x7001, 0, 0, 0, 1, 0x0740001a, 1, 1, 0xffffffff, 0xb,
                                      0x0500000c, 0x40240000, 0}));
}

TEST(ResultBuilderTest, BlocksOfAHighResolutionResultAreTwoWordsLater) {  // PDU-103, test idea T8
  ResultBuilder builder;
  builder.AddSet(kDoubleTen);
  builder.Add(kInstanceNull, Value::Of(10.0));
  Buffer bytes;
  ASSERT_TRUE(
      builder.Finish(ResultBuilder::HighresEnvelope{.seconds = 3, .nanoseconds = 4}, &bytes));
  EXPECT_EQ(bytes, Words({0x40, 0x7015, 0, 1, 0, 3, 0, 4, 0x0740001a, 1, 1, 0xffffffff, 0xd,
                          0x0500000c, 0x40240000, 0}));
}

TEST(ResultBuilderTest, StringsHaveTheirNulAndPadding) {  // PDU-105, test idea T9
  ResultBuilder builder;
  builder.AddSet(Pmid::Of(29, 0, 30));
  builder.AddString(kInstanceNull, "");
  builder.AddString(0, "100");
  EXPECT_EQ(Finished(builder), Words({0x44, 0x7001, 0, 0, 0, 1, 0x0740001e, 2, 1, 0xffffffff, 0xd,
                                      0, 0xf, 0x06000005, 0x007e7e7e, 0x06000008, 0x31303000}));
}

TEST(ResultBuilderTest, AnAggregateMayBeEmpty) {  // PDU-105, test idea T10
  ResultBuilder builder;
  builder.AddSet(Pmid::Of(29, 0, 33));
  builder.AddBlock(kInstanceNull, MetricType::kAggregate, {});
  EXPECT_EQ(Finished(builder),
            Words({0x30, 0x7001, 0, 0, 0, 1, 0x07400021, 1, 1, 0xffffffff, 0xb, 0x07000004}));
}

TEST(ResultBuilderTest, FloatsAreBlocks) {  // PDU-102, test idea T11
  ResultBuilder builder;
  builder.AddSet(Pmid::Of(29, 0, 17));
  builder.Add(kInstanceNull, Value::Of(100.0F));
  EXPECT_EQ(Finished(builder), Words({0x34, 0x7001, 0, 0, 0, 1, 0x07400011, 1, 1, 0xffffffff, 0xb,
                                      0x04000008, 0x42c80000}));
}

TEST(ResultBuilderTest, AFailedSetHasTwoWords) {  // PDU-100, test idea T16
  ResultBuilder builder;
  builder.AddSet(Pmid::Of(253, 0, 99), ErrorCode::kPmid);
  builder.AddSet(Pmid::Of(253, 0, 0));
  builder.Add(kInstanceNull, Value::Of(std::uint32_t{4}));
  builder.AddSet(Pmid::Of(253, 0, 1));
  EXPECT_EQ(Finished(builder), Words({0x3c, 0x7001, 0, 0, 0, 3, 0x3f400063, 0xffffcfba, 0x3f400000,
                                      1, 0, 0xffffffff, 4, 0x3f400001, 0}));
}

TEST(ResultBuilderTest, AnAgentSaysThereThatItsLabelsChanged) {  // PDU-110, PDU-111
  ResultBuilder builder;
  Buffer bytes;
  ASSERT_TRUE(
      builder.Finish(ResultBuilder::Envelope{.seconds = kLabelsChanged | kNamesChanged}, &bytes));
  EXPECT_EQ(bytes, Words({24, 0x7001, 0, 0x18, 0, 0}));
}

TEST(ResultBuilderTest, TheLongestBlockHas24BitsOfLength) {  // PDU-104, test idea T12
  const std::string text(kMaxBlockBody - 1, 'x');
  ResultBuilder builder;
  builder.AddSet(Pmid::Of(29, 0, 31));
  builder.AddString(kInstanceNull, text);
  const Buffer bytes = Finished(builder);
  EXPECT_EQ(LoadU32(&bytes[44]), 0x06ffffffU);
  Decoder decoder;
  const auto pdu = decoder.Decode(bytes);
  ASSERT_TRUE(pdu);
  EXPECT_EQ(std::get<Result>(pdu->body).sets[0].values[0].body.size(), kMaxBlockBody);
  builder.Begin();
  builder.AddSet(Pmid::Of(29, 0, 31));
  builder.AddString(kInstanceNull, text + "x");
  EXPECT_EQ(Refusal(builder), "PDU-104"_clause);
}

TEST(ResultBuilderTest, ValuesOfASetHaveOneFormat) {  // PDU-101
  ResultBuilder builder;
  builder.AddSet(kDoubleTen);
  builder.Add(0, Value::Of(10.0));
  builder.Add(1, Value::Of(std::int32_t{10}));
  EXPECT_EQ(Refusal(builder), "PDU-101"_clause);
  builder.Begin();
  EXPECT_EQ(Finished(builder), Words({24, 0x7001, 0, 0, 0, 0})) << "the fault is forgotten";
}

TEST(ResultBuilderTest, ValuesNeedASetThatHasNotFailed) {  // PDU-100
  ResultBuilder builder;
  builder.Add(kInstanceNull, Value::Of(10.0));
  EXPECT_EQ(Refusal(builder), "PDU-100"_clause);
  builder.Begin();
  builder.AddSet(kDoubleTen, ErrorCode::kPmid);
  builder.Add(kInstanceNull, Value::Of(10.0));
  EXPECT_EQ(Refusal(builder), "PDU-100"_clause);
  builder.Begin();
  builder.AddSet(kDoubleTen, static_cast<ErrorCode>(3));
  EXPECT_EQ(Refusal(builder), "PDU-100"_clause);
}

TEST(ResultBuilderTest, AStatusMayComeBehindItsSet) {  // PMD-083
  ResultBuilder builder;
  builder.AddSet(kDoubleTen);
  builder.SetStatus(ErrorCode::kAgain);
  EXPECT_EQ(Finished(builder), Words({32, 0x7001, 0, 0, 0, 1, 0x0740001a, 0xffffcf9b}));
  builder.Begin();
  builder.AddSet(kDoubleTen);
  builder.Add(kInstanceNull, Value::Of(10.0));
  builder.SetStatus(ErrorCode::kAgain);
  EXPECT_EQ(Refusal(builder), "PDU-100"_clause);
  builder.Begin();
  builder.SetStatus(ErrorCode::kAgain);
  EXPECT_EQ(Refusal(builder), "PDU-100"_clause) << "there is no set";
}

// Adds what a decoded PDU has.
void AddAll(const List<ValueSet>& sets, ResultBuilder* builder) {
  for (const ValueSet& set : sets) {
    builder->AddSet(set.pmid, set.status);
    for (const InstanceValue& value : set.values) {
      if (set.format == ValueFormat::kInsitu) {
        builder->Add(value.instance, Value::Of(value.word));
      } else {
        builder->AddBlock(value.instance, value.type, value.body);
      }
    }
  }
}

RC_GTEST_PROP(ResultBuilderProperty, MakesWhatTheEncoderMakes, ()) {
  PduStorage storage;
  Pdu pdu = ArbitraryPdu(PduType::kResult, &storage);
  auto& result = std::get<Result>(pdu.body);
  std::vector<ValueSet> sets(result.sets.begin(), result.sets.end());
  for (ValueSet& set : sets) {
    if (set.format == ValueFormat::kStatic) set.format = ValueFormat::kDynamic;
  }
  result.sets = sets;
  Buffer expected;
  RC_ASSERT(Encode(pdu, &expected).has_value());

  ResultBuilder builder;
  AddAll(result.sets, &builder);
  Buffer bytes;
  const ResultBuilder::Envelope envelope = {pdu.from, result.seconds, result.microseconds};
  RC_ASSERT(builder.Finish(envelope, &bytes).has_value());
  RC_ASSERT(bytes == expected);
}

}  // namespace
}  // namespace pmproof::pdu
