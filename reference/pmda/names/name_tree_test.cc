// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/names/name_tree.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pmproof::pmda {
namespace {

using Outcome = NameTree::Outcome;
using Names = std::vector<std::string>;
using Children = std::vector<NameTree::Child>;
using Leaves = std::vector<NameTree::Leaf>;

const Pmid kOne = Pmid::Of(253, 0, 0);
const Pmid kTwo = Pmid::Of(253, 0, 1);

NameTree Simple() {
  NameTree tree;
  EXPECT_EQ(tree.Add("simple.numfetch", kOne), Outcome::kAdded);
  EXPECT_EQ(tree.Add("simple.color", kTwo), Outcome::kAdded);
  EXPECT_EQ(tree.Add("simple.time.user", Pmid::Of(253, 1, 2)), Outcome::kAdded);
  EXPECT_EQ(tree.Add("simple.dyn", DynamicRoot(253)), Outcome::kAdded);
  EXPECT_EQ(tree.Add("alias", kTwo), Outcome::kAdded);
  return tree;
}

TEST(NameTree, FindsLeavesAndTellsInnerNodesFromNoNodes) {  // PMD-096
  const NameTree tree = Simple();
  EXPECT_EQ(*tree.Find("simple.time.user"), Pmid::Of(253, 1, 2));
  EXPECT_EQ(tree.Find("simple.time").error(), ErrorCode::kNonLeaf);
  EXPECT_EQ(tree.Find("").error(), ErrorCode::kNonLeaf);
  for (const char* name : {"simple.", ".", ".simple", "simple..time", "simple.numfetch.",
                           "simple.numfetch.x", "Simple.color", "x", "alias."}) {
    EXPECT_EQ(tree.Find(name).error(), ErrorCode::kName) << name;
  }
  EXPECT_EQ(tree.size(), 5U);
}

TEST(NameTree, GivesAllNamesOfAPmid) {  // PMD-097
  const NameTree tree = Simple();
  EXPECT_EQ(tree.NamesOf(kTwo), (Names{"simple.color", "alias"}));
  EXPECT_EQ(tree.NamesOf(Pmid::Of(253, 1, 2)), (Names{"simple.time.user"}));
  EXPECT_EQ(tree.NamesOf(Pmid::Of(1, 2, 3)), Names());
  EXPECT_EQ(tree.NamesOf(DynamicRoot(253)), Names());
}

TEST(NameTree, GivesChildrenInTheOrderTheyWereAdded) {  // PMD-098, PDU-068
  const NameTree tree = Simple();
  EXPECT_EQ(*tree.Children("simple"),
            (Children{{"numfetch", true}, {"color", true}, {"time", false}, {"dyn", false}}));
  EXPECT_EQ(*tree.Children(""), (Children{{"simple", false}, {"alias", true}}));
  EXPECT_EQ(*tree.Children("simple.color"), Children());
  EXPECT_EQ(*tree.Children("simple.dyn"), Children());
  EXPECT_EQ(tree.Children("nosuch").error(), ErrorCode::kName);
}

TEST(NameTree, IsTraversedDepthFirst) {  // PMD-099
  const NameTree tree = Simple();
  EXPECT_EQ(*tree.Traverse("simple.time"), (Leaves{{"simple.time.user", Pmid::Of(253, 1, 2)}}));
  EXPECT_EQ(*tree.Traverse("alias"), (Leaves{{"alias", kTwo}}));
  EXPECT_EQ(*tree.Traverse(""), (Leaves{{"simple.numfetch", kOne},
                                        {"simple.color", kTwo},
                                        {"simple.time.user", Pmid::Of(253, 1, 2)},
                                        {"simple.dyn", Pmid{0x7fc3f400}},
                                        {"alias", kTwo}}));
  EXPECT_EQ(tree.Traverse("x").error(), ErrorCode::kName);
  EXPECT_EQ(*NameTree().Traverse(""), Leaves());
}

TEST(NameTree, KnowsWhoseNamesADynamicSubtreeHas) {  // PMD-303
  const NameTree tree = Simple();
  EXPECT_EQ(tree.DynamicRootAbove("simple.dyn.a.b"), DynamicRoot(253));
  EXPECT_EQ(tree.DynamicRootAbove("simple.dyn"), DynamicRoot(253));
  EXPECT_TRUE(tree.DynamicRootAbove("simple.dynamic").IsNull());
  EXPECT_TRUE(tree.DynamicRootAbove("simple.color.a").IsNull());
  EXPECT_TRUE(tree.DynamicRootAbove("").IsNull());
}

TEST(NameTree, RefusesWhatIsNoNameSpace) {  // PMD-303, PMD-305, MET-703, MET-704
  NameTree tree = Simple();
  const NameTree before = tree;
  EXPECT_EQ(tree.Add("simple.color", kTwo), Outcome::kThereAlready);
  EXPECT_EQ(tree.Add("simple.color", kOne), Outcome::kTaken);
  EXPECT_EQ(tree.Add("simple.time", kOne), Outcome::kInner);
  EXPECT_EQ(tree.Add("simple.color.x", kOne), Outcome::kInner);
  EXPECT_EQ(tree.Add("simple.dyn.x", kOne), Outcome::kInner);
  for (const char* name : {"", ".", "a.", ".a", "a..b", "1a", "_a", "a-b", "a b"}) {
    EXPECT_EQ(tree.Add(name, kOne), Outcome::kBadName) << name;
  }
  for (const std::uint32_t pmid : {0xffffffffU, 0x7fc00001U, 0x7ffffc00U, 0xbf400000U}) {
    EXPECT_EQ(tree.Add("new", Pmid{pmid}), Outcome::kBadPmid) << pmid;
  }
  EXPECT_EQ(tree, before);
}

TEST(NameTree, TakesAVeryDeepName) {
  std::string deep = "a";
  for (int i = 0; i < 200000; ++i) deep += ".a";
  NameTree tree;
  EXPECT_EQ(tree.Add(deep, kOne), Outcome::kAdded);
  EXPECT_EQ(*tree.Traverse(""), (Leaves{{deep, kOne}}));
  EXPECT_EQ(tree.NamesOf(kOne), Names{deep});
}

}  // namespace
}  // namespace pmproof::pmda
