// SPDX-License-Identifier: Apache-2.0
#include "generators/enumerate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <unordered_set>
#include <variant>
#include <vector>

#include "reference/archive/encode.h"

namespace pmproof::generators {
namespace {

using ::testing::ElementsAre;

std::string TextOf(const ArchivePlan& plan) {
  std::string text;
  for (const auto& [suffix, content] : Encode(plan).files)
    text += suffix + ":" + std::string(content.begin(), content.end());
  return text;
}

TEST(EnumerateTest, ThereAreAsManyArchivesAsTheAlphabetMakes) {
  EXPECT_EQ(EnumeratedArchives(0), 0U);
  EXPECT_EQ(EnumeratedArchives(1), 2U * (10 + 5));
  EXPECT_EQ(EnumeratedArchives(2), 2U * (10 + 5 + 100 + 25));
  EXPECT_EQ(EnumeratedArchives(4) - EnumeratedArchives(3), 2U * (10'000 + 625));
}

TEST(EnumerateTest, EachNumberHasANameAndAnArchiveOfItsOwn) {
  std::unordered_set<std::string> names;
  std::unordered_set<std::string> contents;
  const std::uint64_t all = EnumeratedArchives(kMostEnumeratedRecords);
  for (std::uint64_t i = 0; i < all; ++i) {
    const std::string name = EnumeratedName(i);
    EXPECT_TRUE(names.insert(name).second) << name;
    const std::optional<ArchivePlan> plan = EnumeratedArchive(name);
    ASSERT_TRUE(plan) << name;
    EXPECT_TRUE(contents.insert(TextOf(*plan)).second) << name;
  }
  EXPECT_EQ(EnumeratedName(all), "");
}

TEST(EnumerateTest, ShorterArchivesComeFirst) {
  EXPECT_EQ(EnumeratedName(0), "v2-V-0");
  EXPECT_EQ(EnumeratedName(1), "v2-V-1");
  EXPECT_EQ(EnumeratedName(2), "v2-V-none");
  EXPECT_EQ(EnumeratedName(15), "v3-V-0");
  EXPECT_EQ(EnumeratedName(EnumeratedArchives(1)), "v2-VV-00");
  EXPECT_EQ(EnumeratedName(EnumeratedArchives(4) - 1), "v3-BBBB-none");
}

TEST(EnumerateTest, ANameThatNoArchiveHasGivesNothing) {
  for (const char* name :
       {"", "v3", "v3-", "v3-V", "v3-V-", "v4-V-1", "v3-X-1", "v3-V-2", "v3-V-11", "v3-VV-1",
        "v3--none", "v3-VVVVV-none", "v3-VVVVV-11111", "v3-V-1-", "v3-V-noneX", "v3-V-None"}) {
    EXPECT_FALSE(EnumeratedArchive(name)) << name;
  }
}

TEST(EnumerateTest, TheLettersAndDigitsAreWhatIsInTheArchive) {
  const ArchivePlan plan = *EnumeratedArchive("v3-DMVB-1001");
  EXPECT_EQ(plan.label.version, 3);
  std::vector<std::size_t> sets;
  for (const archive::ResultModel& result : plan.volumes.at(0)) sets.push_back(result.sets.size());
  EXPECT_THAT(sets, ElementsAre(3, 0, 3, 4));
  // m.one, m.cnt, its domain, the label, m.late0; then, in front of the last record, m.late1 and
  // the delta.
  ASSERT_EQ(plan.meta.size(), 7U);
  EXPECT_EQ(std::get<archive::DescModel>(plan.meta[5]).names[0], "m.late1");
  const auto& delta = std::get<archive::IndomModel>(plan.meta[6]);
  EXPECT_TRUE(delta.delta);
  EXPECT_EQ(delta.time, plan.volumes.at(0)[3].time);
  EXPECT_THAT(delta.instances,
              ElementsAre(archive::InstanceModel{1, std::nullopt}, archive::InstanceModel{2, "c"}));
  ASSERT_EQ(plan.index.size(), 2U);
  EXPECT_EQ(plan.index[0].meta_record, 0U);
  EXPECT_EQ(plan.index[1].meta_record, 5U);
  EXPECT_EQ(plan.index[1].data_record, 3U);
}

TEST(EnumerateTest, InVersion2TheDomainIsWrittenInFull) {
  const ArchivePlan plan = *EnumeratedArchive("v2-VI-none");
  EXPECT_FALSE(plan.has_index);
  const auto& full = std::get<archive::IndomModel>(plan.meta.back());
  EXPECT_FALSE(full.delta);
  EXPECT_THAT(full.instances,
              ElementsAre(archive::InstanceModel{0, "a"}, archive::InstanceModel{2, "c"}));
}

TEST(EnumerateTest, AnInstanceThatCameBackHasItsIdentifierAndName) {
  const ArchivePlan plan = *EnumeratedArchive("v3-VII-111");
  const auto& back = std::get<archive::IndomModel>(plan.meta.back());
  EXPECT_THAT(back.instances,
              ElementsAre(archive::InstanceModel{1, "b"}, archive::InstanceModel{2, std::nullopt}));
}

}  // namespace
}  // namespace pmproof::generators
