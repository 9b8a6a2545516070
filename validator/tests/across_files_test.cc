// SPDX-License-Identifier: Apache-2.0
// Rules across the files of one archive (section 14.11, ARC-2001 to ARC-2010), each by a violation
// that gives it and nothing else.

#include <set>
#include <string>
#include <vector>

#include "validator/tests/checked_archive.h"

namespace pmproof::validator::testing {
namespace {

using archive::IndomModel;
using archive::LabelRecordModel;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class AcrossFilesTest : public CheckedArchive {
 protected:
  // Labels of the context at another time, as the last but one record or the last one.
  void AddContextLabels(Timestamp time, bool at_end = false) {
    LabelRecordModel labels = Labels(1);
    labels.time = time;
    AddMeta(labels, at_end);
  }

  // The findings on prologue and epilogue too, which the base archive gives (ARC-2008, ARC-2009).
  std::vector<std::string> AllRulesWithSeverity() {
    std::set<std::string> rules;
    for (const Finding& finding : Check().findings) {
      rules.insert(finding.rule.ToString() + " " + ToText(finding.severity));
    }
    return {rules.begin(), rules.end()};
  }

  // In place of the first and of the last record.
  void AddPrologue() { Result(0) = Logue(At(0)); }
  void AddEpilogue(std::uint32_t seqnum) { Result(5) = Logue(At(5), seqnum); }
};
INSTANTIATE_TEST_SUITE_P(Versions, AcrossFilesTest, ::testing::Values(2, 3), VersionName);

TEST_P(AcrossFilesTest, LabelsBeforeTheStart) {
  Labels(1).time = At(-5);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-2001 warning"));
}

TEST_P(AcrossFilesTest, LabelsBehindTheLastRecord) {
  AddContextLabels(At(50), true);
  plan.index[2].meta_record = plan.meta.size() - 1;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-2002 warning"));
}

TEST_P(AcrossFilesTest, LabelsThatGoBackInTime) {
  AddContextLabels(At(1), true);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-2003 warning"));
}

TEST_P(AcrossFilesTest, AVolumeThatStartsBeforeTheOneBeforeEnds) {
  SplitIntoVolumes();
  plan.volumes[1][0].time = At(0, 500'000'000);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-2004 error"));
}

TEST_P(AcrossFilesTest, ADomainThatChangesBetweenRecords) {
  AddMeta(IndomModel{At(3, 500'000'000), Indom::Of(29, 1), {{0, "a"}, {2, "c"}, {3, "d"}}, false},
          true);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-2005 info"));
}

// Each metric without values is counted too (ARC-1832, ARC-1833), and the parameters of the events.
TEST_P(AcrossFilesTest, NoValuesAtAll) {
  for (std::size_t k = 0; k < 6; ++k) {
    for (archive::ValueSetModel& set : Result(k).sets)
      set = {set.pmid, 0, {}, k % 2 == 0 ? 0 : -12351};
  }
  EXPECT_THAT(RulesWithSeverity(),
              ElementsAre("ARC-1333 info", "ARC-1832 info", "ARC-1833 info", "ARC-2007 warning"));
}

TEST_P(AcrossFilesTest, NothingButMarks) {
  plan.volumes[0] = {{At(0), {}}, {At(1), {}}};
  plan.index.resize(1);
  EXPECT_THAT(RulesWithSeverity(),
              ElementsAre("ARC-1333 info", "ARC-1723 info", "ARC-2007 warning"));
}

TEST_P(AcrossFilesTest, NeitherPrologueNorEpilogue) {
  EXPECT_THAT(AllRulesWithSeverity(), ElementsAre("ARC-2008 info", "ARC-2009 info"));
}

TEST_P(AcrossFilesTest, APrologueAndNoEpilogue) {
  AddLogueMetadata();
  AddPrologue();
  EXPECT_THAT(AllRulesWithSeverity(), ElementsAre("ARC-2009 info"));
}

TEST_P(AcrossFilesTest, AnEpilogueAndNoPrologue) {
  AddLogueMetadata();
  AddEpilogue(3);
  EXPECT_THAT(AllRulesWithSeverity(), ElementsAre("ARC-2008 info"));
}

TEST_P(AcrossFilesTest, PrologueAndEpilogue) {
  AddLogueMetadata();
  AddPrologue();
  AddEpilogue(3);
  EXPECT_THAT(AllRulesWithSeverity(), IsEmpty());
}

TEST_P(AcrossFilesTest, APmcdThatWasReconfigured) {
  AddLogueMetadata();
  AddPrologue();
  AddEpilogue(4);
  EXPECT_THAT(AllRulesWithSeverity(), ElementsAre("ARC-2009 info"));
}

TEST_P(AcrossFilesTest, AGapWithoutMark) {
  for (const std::size_t k : {4U, 5U}) {
    Result(k).time = At(static_cast<std::int64_t>(5000 + k));
    // Event times stay near the record's (ARC-1826).
    std::erase_if(Result(k).sets, [](const archive::ValueSetModel& set) {
      return set.pmid == Pmid::Of(29, 0, 8) || set.pmid == Pmid::Of(29, 0, 10);
    });
  }
  plan.index[2].time = At(5005);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-2010 info"));
}

}  // namespace
}  // namespace pmproof::validator::testing
