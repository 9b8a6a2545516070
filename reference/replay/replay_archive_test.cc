// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/replay_archive.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reference/replay/testing/plan.h"

namespace pmproof::replay {
namespace {

using testing::Plan;
using testing::U32;

// Counts how often each directory is listed.
class CountingStorage final : public archive::Storage {
 public:
  archive::MemoryStorage stored;
  mutable std::map<std::string, int> listed;

  Result<std::vector<archive::DirectoryEntry>> List(const std::string& path) const override {
    ++listed[path];
    return stored.List(path);
  }
  Result<archive::DirectoryEntry::Kind> KindOf(const std::string& path) const override {
    return stored.KindOf(path);
  }
  Result<std::unique_ptr<archive::StoredFile>> Open(const std::string& path) const override {
    return stored.Open(path);
  }
};

std::vector<std::string> StoreOneAfterTheOther(int count, CountingStorage* storage) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) {
    Plan plan;
    plan.StartsAt(10 * i);
    plan.Metric(1, MetricType::kU32, Semantics::kInstant).Record(10 * i, {U32(1, 7)});
    names.push_back("d/a" + std::to_string(i));
    plan.Store(names.back(), &storage->stored);
  }
  return names;
}

TEST(ReplayArchive, ListsADirectoryOnceForAllOfItsArchives) {
  CountingStorage storage;
  const auto names = StoreOneAfterTheOther(5, &storage);
  const auto archive = ReplayArchive::Open(storage, names);
  ASSERT_TRUE(archive) << archive.error().ToText();
  EXPECT_EQ((*archive)->members().size(), 5U);
  EXPECT_EQ(storage.listed["d"], 1);
}

TEST(ReplayArchive, NamesTheFirstOfManyThatDoNotGoTogether) {  // INT-904
  CountingStorage storage;
  auto names = StoreOneAfterTheOther(10, &storage);
  names.emplace_back("d/other");
  Plan other;
  other.Host("other").StartsAt(1000);
  other.Metric(1, MetricType::kU32, Semantics::kInstant).Record(1000, {U32(1, 7)});
  other.Store(names.back(), &storage.stored);
  const auto archive = ReplayArchive::Open(storage, names);
  ASSERT_FALSE(archive);
  EXPECT_EQ(archive.error().ToText(),
            "d/a0,d/a1,d/a2,d/a3,d/a4,d/a5,d/a6,d/a7 and 3 more: the archives cannot be opened as "
            "one: PM_ERR_LOGHOST");
}

// The end of an archive, which is the same if it is taken to be sound (INT-311).
std::optional<Timestamp> EndOf(const archive::Storage& storage) {
  const auto archive = ReplayArchive::Open(storage, {"a"});
  if (!archive) {
    ADD_FAILURE() << archive.error().ToText();
    return std::nullopt;
  }
  const std::optional<Timestamp> end = (*archive)->End();
  (*archive)->AssumeSound();
  EXPECT_EQ((*archive)->End(), end);
  return end;
}

Plan PlanOfTwoVolumes() {
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kInstant);
  for (int i = 0; i < 10; ++i) plan.Record(i, {U32(1, 7)});
  plan.Volume(1).Record(10, {U32(1, 7)}).Record(11, {U32(1, 7)});
  return plan.IndexEvery(3);
}

TEST(ReplayArchive, EndsWithTheLastRecord) {  // INT-207
  archive::MemoryStorage storage;
  PlanOfTwoVolumes().Store("a", &storage);
  EXPECT_EQ(EndOf(storage), testing::At(11));
  std::vector<std::uint8_t>& last = storage.files.at("a.1");
  last.resize(last.size() - 1);
  EXPECT_EQ(EndOf(storage), testing::At(10)) << "of those that are whole";
}

TEST(ReplayArchive, EndsInTheLastVolumeThatHasRecords) {  // INT-207
  Plan plan = PlanOfTwoVolumes();
  plan.Volume(2).Volume(3);
  archive::MemoryStorage storage;
  plan.Store("a", &storage);
  EXPECT_EQ(EndOf(storage), testing::At(11));
}

TEST(ReplayArchive, WhoseRecordsAreAllRefusedHasNoEnd) {  // INT-207
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kInstant).Record(1, {U32(1, 7)}).Volume(1);
  archive::MemoryStorage storage;
  plan.Store("a", &storage);
  constexpr std::size_t kNumpmid = 808 + 16;
  StoreU32(storage.files.at("a.0").data() + kNumpmid, 0x80000000);
  EXPECT_EQ(EndOf(storage), std::nullopt);
}

}  // namespace
}  // namespace pmproof::replay
