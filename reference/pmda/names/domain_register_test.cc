// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/names/domain_register.h"

#include <gtest/gtest.h>

namespace pmproof::pmda {
namespace {

std::string Problems(const std::vector<Diagnosis>& problems) {
  std::string text;
  for (const Diagnosis& problem : problems) text += problem.ToText() + "\n";
  return text;
}

TEST(DomainRegister, HasNamesAndNumbers) {  // pmda.md 14.4
  DomainRegister domains;
  EXPECT_EQ(
      Problems(domains.Add("# comment\nROOT 1\n\nPMCD\t2 # its own\nSAMPLE\t29 /* a\nLINUX 60\n"
                           "*/ SIMPLE 253\nDO_NOT_USE 0\nRESERVED 511",
                           "stdpmid.pcp", false)),
      "");
  EXPECT_EQ(Problems(domains.Add("MINE 400\n", "stdpmid.local", true)), "");
  EXPECT_EQ(domains.Find("SIMPLE"), 253U);
  EXPECT_EQ(domains.Find(29), "SAMPLE");
  EXPECT_EQ(domains.Find("MINE"), 400U);
  EXPECT_EQ(domains.Find(60), std::nullopt);
  EXPECT_EQ(domains.Find("simple"), std::nullopt);
  EXPECT_EQ(domains.size(), 7U);
}

TEST(DomainRegister, HasEachNameAndNumberOnce) {
  DomainRegister domains;
  domains.Add("A 1\nB 2\n", "pcp", false);
  EXPECT_EQ(Problems(domains.Add("A 386\nC 2\nD 387\n", "local", true)),
            "local:1: A has number 1 already\nlocal:2: 2 is the number of B already\n");
  EXPECT_EQ(domains.Find("A"), 1U);
  EXPECT_EQ(domains.Find("D"), 387U);
}

TEST(DomainRegister, LeavesOutWhatIsNoLineOfIt) {
  DomainRegister domains;
  EXPECT_EQ(Problems(domains.Add("A\nB x\nC 512\nD 1 2\n1E 3\nF-G 4\nH -1\nI 99999999999\n/ 5\n",
                                 "pcp", false)),
            "pcp:1: A: a number from 0 to 511 and no more expected\n"
            "pcp:2: B: a number from 0 to 511 and no more expected\n"
            "pcp:3: C: a number from 0 to 511 and no more expected\n"
            "pcp:4: D: a number from 0 to 511 and no more expected\n"
            "pcp:5: not a name: 1E\npcp:6: not a name: F-G\n"
            "pcp:7: H: a number from 0 to 511 and no more expected\n"
            "pcp:8: I: a number from 0 to 511 and no more expected\n"
            "pcp:9: not a name: /\n");
  EXPECT_EQ(Problems(domains.Add("/* never\nclosed", "pcp", false)),
            "pcp:2: a comment that is not closed\n");
  EXPECT_EQ(domains.size(), 0U);
}

TEST(DomainRegister, TellsWhoseNumbersAre) {
  EXPECT_EQ(RangeOf(0), DomainRange::kReserved);
  EXPECT_EQ(RangeOf(1), DomainRange::kPackaged);
  EXPECT_EQ(RangeOf(384), DomainRange::kPackaged);
  EXPECT_EQ(RangeOf(385), DomainRange::kFree);
  EXPECT_EQ(RangeOf(510), DomainRange::kFree);
  EXPECT_EQ(RangeOf(511), DomainRange::kReserved);
  EXPECT_EQ(RangeOf(512), DomainRange::kReserved);
  DomainRegister domains;
  EXPECT_EQ(Problems(domains.Add("A 400\n", "pcp", false)),
            "pcp:1: warning: A: 400 is one of the users' numbers\n");
  EXPECT_EQ(Problems(domains.Add("B 29\nC 511\n", "local", true)),
            "local:1: warning: B: 29 is not one of the users' numbers\n"
            "local:2: warning: C: 511 is not one of the users' numbers\n");
}

}  // namespace
}  // namespace pmproof::pmda
