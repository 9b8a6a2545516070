// SPDX-License-Identifier: Apache-2.0
#include "reference/core/event_array.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

#include "reference/core/bytes.h"

namespace pmproof {
namespace {

std::vector<std::uint8_t> Words(std::initializer_list<std::uint32_t> words) {
  std::vector<std::uint8_t> bytes;
  for (const std::uint32_t word : words) {
    bytes.resize(bytes.size() + 4);
    StoreU32(bytes.data() + bytes.size() - 4, word);
  }
  return bytes;
}

// The event array of ARC-683.
const std::vector<std::uint8_t>& Example() {
  static const std::vector<std::uint8_t> bytes =
      Words({2, 0x6553f100, 5, 1, 1, 0x07400009, 0x01000008, 77, 0x6553f100, 6, 0x80000000, 3});
  return bytes;
}

TEST(EventArrayTest, TheWorkedExampleIsReadToItsEnd) {
  EventArray events(Example(), false);
  EXPECT_EQ(events.record_count(), 2);
  const auto first = events.NextRecord();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->time, (Timestamp{1700000000, 5000}));
  EXPECT_EQ(first->flags, kEventPoint);
  const auto parameter = events.NextParameter();
  ASSERT_TRUE(parameter);
  EXPECT_EQ(parameter->pmid, Pmid::Of(29, 0, 9));
  EXPECT_EQ(parameter->type, MetricType::kU32);
  EXPECT_EQ(LoadU32(parameter->payload.data()), 77U);
  EXPECT_FALSE(events.NextParameter());
  const auto second = events.NextRecord();
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->missed());
  EXPECT_EQ(second->parameter_count, 3);
  EXPECT_FALSE(events.NextParameter()) << "missed records have no parameters (ARC-275)";
  EXPECT_FALSE(events.NextRecord());
  EXPECT_FALSE(events.fault());
  EXPECT_EQ(events.position(), Example().size());
}

TEST(EventArrayTest, ParametersThatAreNotTakenArePassedOver) {
  EventArray events(Example(), false);
  ASSERT_TRUE(events.NextRecord());
  ASSERT_TRUE(events.NextRecord());
  EXPECT_EQ(events.position(), Example().size());
}

TEST(EventArrayTest, HighResolutionRecordsHave64BitTimes) {  // ARC-272
  const std::vector<std::uint8_t> bytes =
      Words({1, 0, 0x6553f100, 0, 5, 1, 1, 0x07400009, 0x01000008, 78});
  EventArray events(bytes, true);
  const auto event = events.NextRecord();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->time, (Timestamp{1700000000, 5}));
  ASSERT_TRUE(events.NextParameter());
  EXPECT_EQ(events.position(), bytes.size());
}

TEST(EventArrayTest, MoreRecordsThanThereAreIsAFault) {  // ARC-277
  std::vector<std::uint8_t> bytes = Example();
  StoreU32(bytes.data(), 50);
  EventArray events(bytes, false);
  while (events.NextRecord()) {
  }
  EXPECT_EQ(events.fault(), Example().size());
}

TEST(EventArrayTest, MoreParametersThanThereAreIsAFault) {
  std::vector<std::uint8_t> bytes = Example();
  bytes.resize(32);  // the first record and its parameter
  StoreU32(bytes.data() + 16, 9);
  EventArray events(bytes, false);
  ASSERT_TRUE(events.NextRecord());
  ASSERT_TRUE(events.NextParameter());
  EXPECT_FALSE(events.NextParameter());
  EXPECT_EQ(events.fault(), 32U);
}

TEST(EventArrayTest, AParameterShorterThanItsHeaderIsAFault) {
  std::vector<std::uint8_t> bytes = Example();
  StoreU32(bytes.data() + 24, 0x01000002);
  EventArray events(bytes, false);
  ASSERT_TRUE(events.NextRecord());
  EXPECT_FALSE(events.NextParameter());
  EXPECT_EQ(events.fault(), 20U);
}

TEST(EventArrayTest, NothingIsReadOfAPayloadThatIsTooShort) {
  const std::vector<std::uint8_t> bytes = {1, 2, 3};
  EventArray events(bytes, false);
  EXPECT_FALSE(events.record_count());
  EXPECT_FALSE(events.NextRecord());
}

TEST(EventArrayTest, EveryTruncationEndsInAFaultOrAnEnd) {
  for (std::size_t size = 0; size < Example().size(); ++size) {
    const std::vector<std::uint8_t> cut(Example().begin(),
                                        Example().begin() + static_cast<std::ptrdiff_t>(size));
    EventArray events(cut, false);
    while (events.NextRecord()) {
      while (events.NextParameter()) {
      }
    }
    EXPECT_EQ(events.fault().has_value(), size >= 4) << size;
  }
}

}  // namespace
}  // namespace pmproof
