// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "reference/pmda/pdu/session_pdus.h"
#include "reference/pmda/pdu/stored_profile.h"
#include "reference/pmda/pdu/testing/arbitrary_pdu.h"

// What a profile means (PMD-025): the cases of section 18.6, in its order, with simple.color as the
// metric.

namespace pmproof::pdu {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Indom kColor = Indom::Of(253, 0);
constexpr Indom kOther = Indom::Of(253, 1);

struct Entry {
  Indom indom;
  std::int32_t state;
  std::vector<std::int32_t> instances;
};

// The instances of simple.color that a profile leaves.
std::vector<std::int32_t> Left(std::int32_t state, const std::vector<Entry>& entries) {
  std::vector<ProfileEntry> views;
  for (const Entry& entry : entries) views.push_back({entry.indom, entry.state, entry.instances});
  const Profile profile = {0, state, views};
  std::vector<std::int32_t> left;
  for (const std::int32_t instance : {0, 1, 2}) {
    if (profile.Includes(kColor, instance)) left.push_back(instance);
  }
  return left;
}

TEST(ProfileTest, WithoutEntriesHasItsStateForAll) {
  EXPECT_THAT(Left(0, {}), ElementsAre(0, 1, 2));  // 1
  EXPECT_THAT(Left(1, {}), IsEmpty());             // 4
  EXPECT_THAT(Left(7, {}), IsEmpty());             // 13
}

TEST(ProfileTest, AnIncludingEntryLeavesAllButItsList) {
  EXPECT_THAT(Left(0, {{kColor, 0, {1}}}), ElementsAre(0, 2));    // 2
  EXPECT_THAT(Left(1, {{kColor, 0, {1}}}), ElementsAre(0, 2));    // 5
  EXPECT_THAT(Left(1, {{kColor, 0, {}}}), ElementsAre(0, 1, 2));  // 8
}

TEST(ProfileTest, AnExcludingEntryLeavesOnlyItsList) {
  EXPECT_THAT(Left(0, {{kColor, 1, {1}}}), ElementsAre(1));        // 3
  EXPECT_THAT(Left(1, {{kColor, 1, {1}}}), ElementsAre(1));        // 6
  EXPECT_THAT(Left(0, {{kColor, 1, {}}}), IsEmpty());              // 7
  EXPECT_THAT(Left(0, {{kColor, 1, {99}}}), IsEmpty());            // 11
  EXPECT_THAT(Left(0, {{kColor, 1, {1, 1}}}), ElementsAre(1));     // 12
  EXPECT_THAT(Left(0, {{kColor, 7, {1}}}), ElementsAre(1));        // 14
  EXPECT_THAT(Left(0, {{kColor, 1, {2, 0}}}), ElementsAre(0, 2));  // 15
}

TEST(ProfileTest, EntriesOfOtherDomainsDoNotCount) {
  EXPECT_THAT(Left(0, {{kOther, 1, {}}}), ElementsAre(0, 1, 2));  // 9
  EXPECT_THAT(Left(1, {{Indom::Of(99, 0), 0, {}}}), IsEmpty());   // 16
  EXPECT_THAT(Left(1, {{Indom::Null(), 0, {}}}), IsEmpty());      // 17
}

TEST(ProfileTest, TheFirstEntryOfADomainCounts) {
  EXPECT_THAT(Left(0, {{kColor, 1, {0}}, {kColor, 1, {2}}}), ElementsAre(0));  // 10
}

TEST(StoredProfileTest, HasAllInstancesAtFirst) {  // PMD-024
  EXPECT_TRUE(StoredProfile().profile().Includes(kColor, 1));
}

RC_GTEST_PROP(StoredProfileProperty, KeepsAProfileWhenItsOwnerIsGone, ()) {  // PMD-023
  StoredProfile stored;
  PduStorage kept;
  for (int times = 0; times < 2; ++times) {
    Profile profile;
    {
      PduStorage storage;
      profile = std::get<Profile>(ArbitraryPdu(PduType::kProfile, &storage).body);
      stored.Assign(profile);
      RC_ASSERT(stored.profile() == profile);
      auto& entries = kept.entries.emplace_back(profile.entries.begin(), profile.entries.end());
      for (ProfileEntry& entry : entries) {
        entry.instances = kept.numbers.emplace_back(entry.instances.begin(), entry.instances.end());
      }
      profile.entries = entries;
    }
    RC_ASSERT(stored.profile() == profile);
  }
}

}  // namespace
}  // namespace pmproof::pdu
