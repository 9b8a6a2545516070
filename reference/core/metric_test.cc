// SPDX-License-Identifier: Apache-2.0
#include "reference/core/metric.h"

#include <gtest/gtest.h>

namespace pmproof {
namespace {

TEST(MetricType, HasASizeIfNumeric) {  // ARC-011
  for (const MetricType type : {MetricType::k32, MetricType::kU32, MetricType::kFloat}) {
    EXPECT_EQ(NumericSize(type), 4U) << ToText(type);
  }
  for (const MetricType type : {MetricType::k64, MetricType::kU64, MetricType::kDouble}) {
    EXPECT_EQ(NumericSize(type), 8U) << ToText(type);
  }
  for (const int type : {-1, 6, 7, 8, 9, 10, 255, 11, -7}) {
    EXPECT_EQ(NumericSize(static_cast<MetricType>(type)), 0U) << type;
    EXPECT_FALSE(IsNumeric(static_cast<MetricType>(type))) << type;
  }
}

TEST(MetricType, KnowsIntegersAndEvents) {  // ARC-011
  EXPECT_TRUE(IsInteger(MetricType::kU64));
  EXPECT_FALSE(IsInteger(MetricType::kFloat));
  EXPECT_TRUE(IsEvent(MetricType::kEvent));
  EXPECT_TRUE(IsEvent(MetricType::kHighresEvent));
  EXPECT_FALSE(IsEvent(MetricType::kAggregate));
}

TEST(MetricType, HasAText) {
  EXPECT_EQ(ToText(MetricType::kU32), "u32");
  EXPECT_EQ(ToText(MetricType::kHighresEvent), "highres_event");
  EXPECT_EQ(ToText(static_cast<MetricType>(77)), "type-77");
  EXPECT_EQ(ToText(static_cast<MetricType>(-7)), "type--7");
}

TEST(Semantics, HasAText) {  // ARC-012, MET-131
  EXPECT_EQ(ToText(Semantics::kCounter), "counter");
  EXPECT_EQ(ToText(Semantics::kInstant), "instant");
  EXPECT_EQ(ToText(Semantics::kDiscrete), "discrete");
  EXPECT_EQ(ToText(static_cast<Semantics>(2)), "semantics-2");
}

TEST(LabelClass, HasAText) {  // ARC-013, MET-908
  EXPECT_EQ(ToText(LabelClass::kContext), "context");
  EXPECT_EQ(ToText(LabelClass::kInstances), "instances");
  EXPECT_EQ(ToText(static_cast<LabelClass>(3)), "class-3");
}

}  // namespace
}  // namespace pmproof
