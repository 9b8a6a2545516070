// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/instance_profile.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pmproof::replay {
namespace {

constexpr Indom kIndom = Indom::Of(29, 1);
const std::vector<std::int32_t> kNothing;

// Which of the instances 0 to 3 are asked for.
std::string Included(const InstanceProfile& profile) {
  std::string text;
  for (std::int32_t id = 0; id < 4; ++id) {
    if (profile.Includes(kIndom, id)) text += static_cast<char>('0' + id);
  }
  return text;
}

TEST(InstanceProfile, IncludesAllAtFirst) { EXPECT_EQ(Included({}), "0123"); }  // INT-402

TEST(InstanceProfile, ExcludesAllOthersWithTheFirstMentionOfADomain) {  // INT-402, INT-E18
  InstanceProfile added;
  added.Add(kIndom, std::vector<std::int32_t>{1});
  EXPECT_EQ(Included(added), "1");
  InstanceProfile deleted;
  deleted.Delete(kIndom, std::vector<std::int32_t>{1});
  EXPECT_EQ(Included(deleted), "");
}

TEST(InstanceProfile, DropsOneInstanceAfterAllWereAdded) {  // INT-402
  InstanceProfile profile;
  profile.Add(kIndom, kNothing);
  profile.Delete(kIndom, std::vector<std::int32_t>{1});
  EXPECT_EQ(Included(profile), "023");
  profile.Add(kIndom, std::vector<std::int32_t>{1});
  EXPECT_EQ(Included(profile), "0123");
}

TEST(InstanceProfile, ExcludesADomainAndAddsOne) {  // INT-402
  InstanceProfile profile;
  profile.Delete(kIndom, kNothing);
  profile.Add(kIndom, std::vector<std::int32_t>{2});
  EXPECT_EQ(Included(profile), "2");
  profile.Delete(kIndom, std::vector<std::int32_t>{2});
  EXPECT_EQ(Included(profile), "");
}

TEST(InstanceProfile, ForgetsTheDomainsWithAGlobalCall) {  // INT-402
  InstanceProfile profile;
  profile.Add(kIndom, std::vector<std::int32_t>{1});
  profile.Delete(Indom::Null(), kNothing);
  EXPECT_EQ(Included(profile), "");
  profile.Add(kIndom, std::vector<std::int32_t>{2});
  EXPECT_EQ(Included(profile), "2");
  profile.Add(Indom::Null(), kNothing);
  EXPECT_EQ(Included(profile), "0123");
}

TEST(InstanceProfile, TakesUnknownInstances) {  // INT-402
  InstanceProfile profile;
  profile.Add(kIndom, std::vector<std::int32_t>{9});
  EXPECT_EQ(Included(profile), "");
  EXPECT_TRUE(profile.Includes(kIndom, 9));
}

}  // namespace
}  // namespace pmproof::replay
