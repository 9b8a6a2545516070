// SPDX-License-Identifier: Apache-2.0
#include "reference/core/identifiers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace pmproof {
namespace {

TEST(Pmid, HasDomainClusterAndItem) {  // ARC-006
  const Pmid pmid{0x0740000a};
  EXPECT_EQ(pmid.domain(), 29U);
  EXPECT_EQ(pmid.cluster(), 0U);
  EXPECT_EQ(pmid.item(), 10U);
  EXPECT_FALSE(pmid.flag());
  EXPECT_EQ(ToText(pmid), "29.0.10");
  EXPECT_EQ(ToText(Pmid{0x1e000a05}), "120.2.517");
}

TEST(Pmid, AllBitsSetIsTheNullIdentifier) {  // ARC-006
  EXPECT_TRUE(Pmid{0xffffffff}.IsNull());
  EXPECT_EQ(ToText(Pmid{0xffffffff}), "PM_ID_NULL");
  EXPECT_EQ(Pmid(), Pmid::Null());
}

TEST(Pmid, FlagIsTheTopBitAndNotShown) {  // ARC-006
  EXPECT_TRUE(Pmid{0x8740000a}.flag());
  EXPECT_EQ(Pmid{0x8740000a}.domain(), 29U);
  EXPECT_EQ(ToText(Pmid{0x8740000a}), "29.0.10");
}

TEST(Pmid, DynamicRootHasStars) {  // MET-132
  EXPECT_EQ(ToText(Pmid::Of(511, 29, 0)), "29.*.*");
  EXPECT_EQ(ToText(Pmid::Of(511, 2048, 1)), "511.2048.1");
}

RC_GTEST_PROP(Pmid, IsMadeOfItsParts, (std::uint32_t word)) {
  const Pmid pmid{word};
  const std::uint32_t flag = pmid.flag() ? 0x80000000 : 0;
  RC_ASSERT((Pmid::Of(pmid.domain(), pmid.cluster(), pmid.item()).value | flag) == word);
}

TEST(Indom, HasDomainAndSerial) {  // ARC-007
  const Indom indom{0x07400001};
  EXPECT_EQ(indom.domain(), 29U);
  EXPECT_EQ(indom.serial(), 1U);
  EXPECT_FALSE(indom.flag());
  EXPECT_EQ(ToText(indom), "29.1");
}

TEST(Indom, AllBitsSetIsTheNullIdentifier) {  // ARC-007
  EXPECT_TRUE(Indom{0xffffffff}.IsNull());
  EXPECT_EQ(ToText(Indom::Null()), "PM_INDOM_NULL");
}

RC_GTEST_PROP(Indom, IsMadeOfItsParts, (std::uint32_t word)) {
  const Indom indom{word};
  const std::uint32_t flag = indom.flag() ? 0x80000000 : 0;
  RC_ASSERT((Indom::Of(indom.domain(), indom.serial()).value | flag) == word);
}

}  // namespace
}  // namespace pmproof
