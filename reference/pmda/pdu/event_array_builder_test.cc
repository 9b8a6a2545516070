// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/event_array_builder.h"

#include <gtest/gtest.h>

#include "reference/core/event_array.h"
#include "reference/pmda/pdu/decoder.h"
#include "reference/pmda/pdu/result_builder.h"
#include "reference/pmda/pdu/testing/wire_words.h"

namespace pmproof::pdu {
namespace {

constexpr Pmid kParameter = Pmid::Of(29, 0, 134);

TEST(EventArrayBuilderTest, MakesTheRecordsThatSampleSends) {  // PDU-170, vector "fetch records"
  EventArrayBuilder events;
  const Timestamp time = {0x6b014353, 0x903 * 1000 + 999};
  events.AddRecord(time, kEventPoint);
  EXPECT_TRUE(
      events.AddParameter(kParameter, {MetricType::kString, false, 0, AsBytes("fetch #0")}));
  events.AddRecord(time, kEventPoint);
  EXPECT_TRUE(events.AddParameter(kParameter, {MetricType::kString, false, 0, AsBytes("bingo!")}));
  EXPECT_EQ(Buffer(events.body().begin(), events.body().end()),
            Words({2, 0x6b014353, 0x903, 1, 1, 0x07400086, 0x0600000c, 0x66657463, 0x68202330,
                   0x6b014353, 0x903, 1, 1, 0x07400086, 0x0600000a, 0x62696e67, 0x6f217e7e}));
}

TEST(EventArrayBuilderTest, HasNoRecordsAtFirst) {  // PDU-173
  EventArrayBuilder events;
  EXPECT_EQ(Buffer(events.body().begin(), events.body().end()), Words({0}));
  EXPECT_FALSE(events.AddParameter(kParameter, Value::Of(1))) << "there is no record";
}

TEST(EventArrayBuilderTest, HighResolutionRecordsHaveNanoseconds) {  // 5.3
  EventArrayBuilder events(MetricType::kHighresEvent);
  events.AddRecord({5, 6}, kEventPoint);
  EXPECT_TRUE(events.AddParameter(kParameter, Value::Of(-2.5)));
  EXPECT_EQ(Buffer(events.body().begin(), events.body().end()),
            Words({1, 0, 5, 0, 6, 1, 1, 0x07400086, 0x0500000c, 0xc0040000, 0}));
}

TEST(EventArrayBuilderTest, MissedRecordsHaveACountInEventsOnly) {  // PDU-171, PDU-172
  EventArrayBuilder events(MetricType::kEvent);
  events.AddMissed({5, 6000}, 7);
  EXPECT_EQ(Buffer(events.body().begin(), events.body().end()), Words({1, 5, 6, 0x80000000, 7}));
  EXPECT_FALSE(events.AddParameter(kParameter, Value::Of(1)));
  events.Begin(MetricType::kHighresEvent);
  events.AddMissed({5, 6}, 7);
  EXPECT_EQ(Buffer(events.body().begin(), events.body().end()),
            Words({1, 0, 5, 0, 6, 0x80000000, 0}));
}

TEST(EventArrayBuilderTest, WhatItMakesIsTakenInAResult) {  // PDU-174
  EventArrayBuilder events;
  events.AddRecord({5, 6000}, kEventPoint);
  EXPECT_TRUE(events.AddParameter(kParameter, Value::Of(std::int64_t{-3})));
  ResultBuilder builder;
  builder.AddSet(Pmid::Of(29, 0, 136));
  builder.AddBlock(0, MetricType::kEvent, events.body());
  Buffer bytes;
  ASSERT_TRUE(builder.Finish(ResultBuilder::Envelope{}, &bytes));
  Decoder decoder;
  const auto pdu = decoder.Decode(bytes);
  ASSERT_TRUE(pdu);
  const auto& set = std::get<Result>(pdu->body).sets[0];
  EventArray records(set.values[0].body, false);
  ASSERT_TRUE(records.NextRecord());
  const auto parameter = records.NextParameter();
  ASSERT_TRUE(parameter);
  EXPECT_EQ(LoadI64(parameter->payload.data()), -3);
}

}  // namespace
}  // namespace pmproof::pdu
