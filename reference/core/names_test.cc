// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "reference/core/clock_text.h"
#include "reference/core/help_text.h"
#include "reference/core/instance_match.h"
#include "reference/core/metric_name.h"

namespace pmproof {
namespace {

TEST(MetricName, HasComponentsThatBeginWithALetter) {  // MET-701, MET-702
  for (const char* name : {"a", "kernel.all.load", "A1.b_2", "a.b.c.d"}) {
    EXPECT_TRUE(IsMetricName(name)) << name;
  }
  for (const char* name :
       {"", ".", "a.", ".a", "a..b", "1a", "_a", "a.1", "a._b", "a-b", "a b", "caf\xc3\xa9"}) {
    EXPECT_FALSE(IsMetricName(name)) << name;
  }
}

using Outcome = NameSpace::Outcome;
const Pmid kOne = Pmid::Of(1, 0, 1);
const Pmid kTwo = Pmid::Of(1, 0, 2);

TEST(NameSpace, HasLeavesAndInnerNodes) {  // MET-704
  NameSpace names;
  EXPECT_EQ(names.Add("a.b.c", kOne), Outcome::kAdded);
  EXPECT_EQ(names.Add("a.b", kTwo), Outcome::kInner);
  EXPECT_EQ(names.Add("a.b.c.d", kTwo), Outcome::kInner);
  EXPECT_EQ(names.Add("a.bc", kTwo), Outcome::kAdded);
  EXPECT_EQ(*names.Find("a.b.c"), kOne);
  EXPECT_EQ(names.Find("a.b").error(), ErrorCode::kNonLeaf);
  EXPECT_EQ(names.Find("a").error(), ErrorCode::kNonLeaf);
  EXPECT_EQ(names.Find("b").error(), ErrorCode::kName);
  EXPECT_EQ(names.Find("A.B.C").error(), ErrorCode::kName);  // MET-701
  EXPECT_EQ(names.size(), 2U);
}

TEST(NameSpace, GivesOnePmidToANameAndManyNamesToAPmid) {  // MET-703
  NameSpace names;
  EXPECT_EQ(names.Add("z.y", kOne), Outcome::kAdded);
  EXPECT_EQ(names.Add("a.b", kOne), Outcome::kAdded);
  EXPECT_EQ(names.Add("a.b", kOne), Outcome::kThereAlready);
  EXPECT_EQ(names.Add("a.b", kTwo), Outcome::kTaken);
  EXPECT_EQ(JoinNames(names.NamesOf(kOne)), "a.b or z.y");
  EXPECT_EQ(JoinNames(names.NamesOf(kTwo)), "");
}

TEST(NameSpace, IsWalked) {
  NameSpace names;
  for (const char* name : {"a.b.d", "a.b.c", "a.bb", "a.b-x"}) names.Add(name, kOne);
  EXPECT_EQ(names.LeavesBelow("a.b"), (std::vector<std::string>{"a.b.c", "a.b.d"}));
  EXPECT_EQ(names.LeavesBelow("a.bb"), std::vector<std::string>{"a.bb"});
  EXPECT_EQ(names.LeavesBelow("").size(), 4U);
  EXPECT_TRUE(names.LeavesBelow("c").empty());
}

TEST(FindInstance, TakesWhatBeginsWithAFirstWord) {  // MET-601, MET-602
  const std::vector<NamedInstance> instances = {
      {1, "a1 one"}, {2, "a2"}, {3, "a1 two"}, {4, "b x"}};
  EXPECT_EQ(FindInstance(instances, "a1 two"), 3);  // its own name first
  EXPECT_EQ(FindInstance(instances, "a1"), 1);
  EXPECT_EQ(FindInstance(instances, "a1 three"), 1);
  EXPECT_EQ(FindInstance(instances, "a1zzz"), 1);
  EXPECT_EQ(FindInstance(instances, "a2"), 2);
  EXPECT_EQ(FindInstance(instances, "a2 x"), std::nullopt);
  EXPECT_EQ(FindInstance(instances, "a"), std::nullopt);
  EXPECT_EQ(FindInstance(instances, "A1"), std::nullopt);
  EXPECT_EQ(FindInstance(instances, "bzz"), 4);
  EXPECT_EQ(FindInstance({}, "a1"), std::nullopt);
}

TEST(FindInstance, LooksThroughTheNewestRecordFirst) {  // MET-603
  const std::vector<NamedInstance> newest = {{7, "a1 new"}};
  const std::vector<NamedInstance> oldest = {{1, "a1"}, {2, "b2"}};
  const std::vector<std::span<const NamedInstance>> records = {newest, oldest};
  EXPECT_EQ(FindInstanceInRecords(records, "a1"), 7);  // not the exact one of an older record
  EXPECT_EQ(FindInstanceInRecords(records, "b2"), 2);
  EXPECT_EQ(FindInstanceInRecords(records, "c3"), std::nullopt);
}

TEST(HelpTexts, FallBackToTheOneLineText) {  // MET-801, MET-802
  HelpTexts texts;
  EXPECT_EQ(texts.Find(kOne, kTextHelp).error(), kNoTextAtAll);
  texts.Add(TextType::kMetricOneLine, kOne.value, "one");
  texts.Add(TextType::kMetricHelp, kTwo.value, "full");
  texts.Add(TextType::kMetricHelp, Pmid::Of(1, 0, 3).value, "");
  texts.Add(TextType::kMetricOneLine, Pmid::Of(1, 0, 3).value, "line");
  texts.Add(TextType::kIndomOneLine, kTwo.value, "domain");
  EXPECT_EQ(*texts.Find(kOne, kTextOneLine), "one");
  EXPECT_EQ(*texts.Find(kOne, kTextHelp), "one");
  EXPECT_EQ(texts.Find(kOne, kTextHelp | kTextDirect).error(), kNoText);
  EXPECT_EQ(*texts.Find(kTwo, kTextHelp), "full");
  EXPECT_EQ(texts.Find(kTwo, kTextOneLine).error(), kNoText);
  EXPECT_EQ(*texts.Find(Pmid::Of(1, 0, 3), kTextHelp), "line");
  EXPECT_EQ(*texts.Find(Pmid::Of(1, 0, 3), kTextHelp | kTextDirect), "");
  EXPECT_EQ(*texts.Find(Indom{kTwo.value}, kTextHelp), "domain");
  EXPECT_EQ(texts.Find(kOne, 0).error(), kBadRequest);
  EXPECT_EQ(texts.Find(kOne, kTextOneLine | kTextHelp).error(), kBadRequest);
}

TEST(HelpTexts, AreMissingByKind) {  // MET-802
  HelpTexts texts;
  texts.Add(TextType::kMetricHelp, kOne.value, "full");
  texts.Add(TextType::kMetricHelp, Pmid::Of(1, 0, 3).value, "");
  EXPECT_EQ(*texts.Find(kOne, kTextHelp), "full");
  EXPECT_EQ(texts.Find(kOne, kTextOneLine).error(), kNoTextAtAll);
  EXPECT_EQ(texts.Find(kTwo, kTextHelp).error(), kNoTextAtAll);  // that of the one line
  EXPECT_EQ(texts.Find(kTwo, kTextHelp | kTextDirect).error(), kNoText);
  EXPECT_EQ(texts.Find(Pmid::Of(1, 0, 3), kTextHelp).error(), kNoTextAtAll);
  EXPECT_EQ(texts.Find(Indom{kOne.value}, kTextHelp).error(), kNoTextAtAll);
  texts.Add(TextType::kMetricOneLine, kTwo.value, "line");
  EXPECT_EQ(texts.Find(kOne, kTextOneLine).error(), kNoText);
  EXPECT_EQ(texts.Find(Pmid::Of(1, 0, 3), kTextHelp).error(), kNoText);
}

TEST(ClockText, CutsTheSecondOff) {  // MET-1001
  const Timestamp time{1700000000, 999999999};
  EXPECT_EQ(ClockText(time, 3), "22:13:20.999");
  EXPECT_EQ(ClockText(time, 6), "22:13:20.999999");
  EXPECT_EQ(ClockText(time, 9), "22:13:20.999999999");
  EXPECT_EQ(ClockText(time, 0), "22:13:20");
  EXPECT_EQ(ClockText(time, 3, 3600), "23:13:20.999");
  EXPECT_EQ(ClockText(time, 3, 2 * 3600), "00:13:20.999");
}

TEST(DateClockText, HasDayAndYear) {  // MET-1001
  EXPECT_EQ(DateClockText({1700000000, 500000000}, 6), "Tue Nov 14 22:13:20.500000 2023");
  EXPECT_EQ(DateClockText({1700000000, 0}, 3, 2 * 3600), "Wed Nov 15 00:13:20.000 2023");
  EXPECT_EQ(DateClockText({1700000000, 0}, 0), "Tue Nov 14 22:13:20 2023");
  EXPECT_EQ(DateClockText({-62135596800, 0}, 0), "Mon Jan  1 00:00:00 1");
  EXPECT_EQ(DateClockText({253402300800, 0}, 0), "Sat Jan  1 00:00:00 10000");
  EXPECT_EQ(DateClockText({-62167219201, 0}, 0), "Fri Dec 31 23:59:59 -1");
  EXPECT_EQ(DateClockText({0, 0}, 3), "Thu Jan  1 00:00:00.000 1970");
  EXPECT_EQ(DateClockText({-1, 1}, 9), "Wed Dec 31 23:59:59.000000001 1969");
}

}  // namespace
}  // namespace pmproof
