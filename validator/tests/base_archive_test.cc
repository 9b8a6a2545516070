// SPDX-License-Identifier: Apache-2.0
// The archives of the specification are right, whatever is asked of them.

#include "validator/tests/checked_archive.h"

namespace pmproof::validator::testing {
namespace {

using ::testing::IsEmpty;

class BaseArchiveTest : public CheckedArchive {};
INSTANTIATE_TEST_SUITE_P(Versions, BaseArchiveTest, ::testing::Values(2, 3), VersionName);

TEST_P(BaseArchiveTest, TheBaseArchiveHasNoFinding) {  // ARC-1000
  EXPECT_THAT(RulesWithSeverity(), IsEmpty());
  EXPECT_TRUE(Check().conformant);
  EXPECT_TRUE(Check().readable);
  EXPECT_EQ(Check().archive_version, version());
  EXPECT_EQ(Check().summary.records, 6U);
  EXPECT_EQ(Check().summary.values, 60U);
  EXPECT_EQ(Check().summary.metrics, 10U);
}

TEST_P(BaseArchiveTest, TheWorkedExampleHasNoFindingAboveInfo) {  // ARC-680, ARC-681
  plan = generators::WorkedExample(version());
  EXPECT_TRUE(Check().conformant);
  EXPECT_EQ(Check().counts.warning, 0U);
  EXPECT_EQ(Check().summary.marks, 1U);
}

TEST_P(BaseArchiveTest, SeveralVolumesHaveNoFinding) {
  SplitIntoVolumes();
  EXPECT_THAT(RulesWithSeverity(), IsEmpty());
  EXPECT_EQ(Check().summary.volumes, 3U);
}

TEST_P(BaseArchiveTest, TheOutcomeDoesNotDependOnThreadsAndStretches) {
  image().SetWord("0", RecordAt("0", 3) + TimeSize() + 24, 3);  // m.cnt decreases
  options.jobs = 3;
  options.stretch = 1;
  EXPECT_THAT(Rules(), ::testing::ElementsAre("ARC-1825"));
}

TEST_P(BaseArchiveTest, ACounterThatGoesBackToZeroDoesSoForThreadsToo) {  // ARC-1825
  for (std::size_t k = 3; k < 6; ++k) Set(k, 1).values[0].value = static_cast<std::uint32_t>(k - 3);
  options.jobs = 3;
  options.stretch = 1;
  EXPECT_THAT(Rules(), ::testing::ElementsAre("ARC-1825"));
  EXPECT_EQ(FindingOf("ARC-1825").actual, "0");
}

}  // namespace
}  // namespace pmproof::validator::testing
