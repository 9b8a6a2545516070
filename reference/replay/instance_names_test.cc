// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/instance_names.h"

#include <gtest/gtest.h>

#include <vector>

#include "reference/archive/storage.h"
#include "reference/replay/replay_archive.h"
#include "reference/replay/testing/plan.h"

namespace pmproof::replay {
namespace {

using namespace testing;  // NOLINT: the words of the tests

TEST(InstanceNamesTest, KnowsAllInstancesOfAllRecords) {  // INT-404
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kInstant, kIndom)
      .Domain(0, {0, 1, 2})
      .Domain(10, {2, 3})
      .Record(0, {Instances(1, {{0, 1}})})
      .Record(20, {Instances(1, {{2, 1}})});
  archive::MemoryStorage storage;
  plan.Store("a", &storage);
  const auto archive = ReplayArchive::Open(storage, {"a"});
  ASSERT_TRUE(archive);
  const ReplayDomain* domain = (*archive)->DomainOf(kIndom);
  ASSERT_NE(domain, nullptr);
  const InstanceNames names(*domain);

  EXPECT_EQ(names.At(0, At(5)), "i0");
  EXPECT_EQ(names.At(2, At(5)), "i2");
  EXPECT_EQ(names.At(1, At(15)), "i1") << "it is not in the domain any more";
  EXPECT_EQ(names.At(3, At(5)), "i3") << "it is not in the domain yet";
  EXPECT_EQ(names.At(4, At(5)), "");
  EXPECT_EQ(names.Find("i1"), std::vector<std::int32_t>{1});
  EXPECT_EQ(names.Find("i3"), std::vector<std::int32_t>{3});
  EXPECT_TRUE(names.Find("i4").empty());
}

}  // namespace
}  // namespace pmproof::replay
