// SPDX-License-Identifier: Apache-2.0
// The labels of an archive, held against that of its first volume.
#include "reference/archive/archive_label.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "reference/archive/testing/label_fixture.h"

namespace pmproof::archive {
namespace {

using ::testing::ElementsAre;
using testing::File;
using ::testing::IsEmpty;
using testing::LabelTest;

class CompareTest : public LabelTest {
 protected:
  ArchiveLabel Decoded() {
    IgnoringReporter ignore;
    Encode();
    const File file(bytes_);
    const auto source = MakeSource(file, "base", Compression::kNone);
    return ReadLabel(*source, 0, "base", now_, ignore).value();
  }
  std::vector<std::string> Compare(Part part) {
    reporter_.violations.clear();
    CompareLabels(first_, Decoded(), part, reporter_);
    return reporter_.Rules();
  }
  // In .meta and .index one rule, in a later volume ARC-1225.
  void ExpectRule(const char* rule) {
    EXPECT_THAT(Compare(kMetaPart), ElementsAre(rule));
    EXPECT_THAT(Compare(kIndexPart), ElementsAre(rule));
    EXPECT_EQ(Only().where.part, kIndexPart);
    EXPECT_THAT(Compare(1), ElementsAre("ARC-1225"));
  }

  ArchiveLabel first_ = Decoded();
};
INSTANTIATE_TEST_SUITE_P(Version, CompareTest, ::testing::Values(2, 3));

TEST_P(CompareTest, EqualLabelsAgreeWhateverTheVolume) {
  model_.volume = 5;
  EXPECT_THAT(Compare(5), IsEmpty());
  EXPECT_THAT(Compare(kMetaPart), IsEmpty());
}

TEST_P(CompareTest, AnotherVersionIsARC1205InEveryFile) {
  model_.version = 5 - version();
  for (const Part part : {kMetaPart, kIndexPart, 1})
    EXPECT_THAT(Compare(part), ElementsAre("ARC-1205"));
}

TEST_P(CompareTest, AnotherPidIsARC1207) {
  model_.pid = 99;
  ExpectRule("ARC-1207");
  EXPECT_EQ(Only().details.actual, "99");
  EXPECT_EQ(Only().details.expected, "4242");
}

TEST_P(CompareTest, AnotherHostIsARC1208) {
  model_.host = "XYZthost";
  ExpectRule("ARC-1208");
}

TEST_P(CompareTest, AnotherStartIsARC1209) {
  model_.start.seconds -= 10;
  ExpectRule("ARC-1209");
}

TEST_P(CompareTest, AnotherFractionOfTheStartIsARC1209) {
  model_.start.nanoseconds = 1000;
  ExpectRule("ARC-1209");
}

TEST_P(CompareTest, AnotherTimezoneIsARC1210) {
  model_.timezone = "EST";
  ExpectRule("ARC-1210");
}

class CompareV3Test : public CompareTest {};
INSTANTIATE_TEST_SUITE_P(Version, CompareV3Test, ::testing::Values(3));

TEST_P(CompareV3Test, AnotherZoneinfoIsARC1211) {
  model_.zoneinfo = ":Foo";
  ExpectRule("ARC-1211");
}

TEST_P(CompareTest, EachFieldThatDiffersIsReported) {
  model_.pid = 99;
  model_.start.seconds += 99;
  EXPECT_THAT(Compare(1), ElementsAre("ARC-1225", "ARC-1225"));
  EXPECT_THAT(Compare(kMetaPart), ElementsAre("ARC-1207", "ARC-1209"));
}

}  // namespace
}  // namespace pmproof::archive
