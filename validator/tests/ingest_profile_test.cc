// SPDX-License-Identifier: Apache-2.0
// Severities under the profile ingest (section 14.16): an archive of somebody who is not trusted.

#include "validator/tests/checked_archive.h"

namespace pmproof::validator::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class IngestProfileTest : public CheckedArchive {
 protected:
  IngestProfileTest() { options.profile = Profile::kIngest; }
};
INSTANTIATE_TEST_SUITE_P(Versions, IngestProfileTest, ::testing::Values(2, 3), VersionName);

TEST_P(IngestProfileTest, ASoundArchiveHasNoFinding) {
  EXPECT_THAT(RulesWithSeverity(), IsEmpty());
  EXPECT_TRUE(Check().conformant);
}

TEST_P(IngestProfileTest, AZoneOfTwoLines) {
  plan.label.timezone = "UTC\n";
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1224 error"));
  EXPECT_FALSE(Check().conformant);
  EXPECT_TRUE(Check().readable);
}

TEST_P(IngestProfileTest, AMetricWhoseNameActsOnATerminal) {
  Desc("m.evp").names = {"m.\x1b[2J"};
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1306 error"));
}

TEST_P(IngestProfileTest, AHelpTextThatActsOnATerminal) {
  Text(5).text = "\x1b[31mred";
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1612 error"));
}

TEST_P(IngestProfileTest, AHelpTextThatIsNotUtf8) {
  Text(5).text = "\xff\xfe";
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1610 warning"));
  EXPECT_TRUE(Check().conformant);
}

TEST_P(IngestProfileTest, WhatHarmsNobodyKeepsItsSeverity) {
  Text(5).text = "two\nlines";
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1606 warning"));
}

TEST_P(IngestProfileTest, OtherDamageIsAsGraveAsElsewhere) {
  image().Truncate("0", image().files.at("0").size() - 10);
  EXPECT_THAT(RulesWithSeverity(), ::testing::Contains("ARC-1102 fatal"));
}

}  // namespace
}  // namespace pmproof::validator::testing
