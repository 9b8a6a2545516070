// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/indexed_places.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <vector>

#include "reference/replay/testing/plan.h"

namespace pmproof::replay {
namespace {

using namespace testing;  // NOLINT: the words of the tests

struct Entry {
  archive::Part volume;
  double seconds;
  std::uint64_t offset;
};

// An archive whose index is these entries; nobody looks where they lead to.
archive::MemoryStorage Stored(const std::vector<Entry>& entries) {
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kInstant).Record(0, {U32(1, 1)}).Index({});
  for (const Entry& entry : entries) {
    plan.model().index->records.push_back({At(entry.seconds), entry.volume, 808, entry.offset});
  }
  archive::MemoryStorage storage;
  plan.Store("a", &storage);
  return storage;
}

std::unique_ptr<IndexedPlaces> Opened(const archive::Storage& storage, const Origin& origin) {
  archive::ArchiveFinder finder(storage);
  const archive::OpenedMember member = archive::OpenMember(storage, finder.Find("a"));
  return IndexedPlaces::Open(storage, member, origin);
}

TEST(IndexedPlacesTest, FindsTheLastEntryThatIsNotLater) {  // INT-311
  std::mt19937_64 chance(1);
  for (int round = 0; round < 300; ++round) {
    std::vector<Entry> entries;
    double seconds = 0;
    archive::Part volume = 0;
    for (std::uint64_t i = chance() % 200; i > 0; --i) {
      if (chance() % 20 == 0) ++volume;
      seconds += static_cast<double>(chance() % 4);
      entries.push_back({volume, seconds, 1000 + entries.size()});
    }
    const archive::MemoryStorage storage = Stored(entries);
    const Origin origin(At(0));
    const auto places = Opened(storage, origin);
    ASSERT_TRUE(places);
    std::optional<std::uint64_t> before;
    double at = 0;
    for (archive::Part asked = 0; asked <= volume; ++asked) {
      for (int i = 0; i < 10; ++i) {
        std::optional<std::uint64_t> expected;
        std::optional<std::uint64_t> last;
        for (const Entry& entry : entries) {
          if (entry.volume > asked || (entry.volume == asked && entry.seconds > at)) break;
          last = entry.offset;
          if (entry.volume == asked) expected = entry.offset;
        }
        if (last == before) expected.reset();
        EXPECT_EQ(places->LastUntil(asked, at, 10'000), expected)
            << round << " " << asked << " " << at;
        before = last;
        at += static_cast<double>(chance() % 30);
      }
    }
  }
}

TEST(IndexedPlacesTest, AnEntryForTheEndOfAVolumeLeadsToTheOneBefore) {  // ARC-1927
  const archive::MemoryStorage storage = Stored({{0, 0, 808}, {0, 5, 2000}, {0, 9, 3000}});
  const Origin origin(At(0));
  EXPECT_EQ(Opened(storage, origin)->LastUntil(0, 20, 3000), 2000U);
  EXPECT_EQ(Opened(storage, origin)->LastUntil(0, 20, 3001), 3000U);
  const auto places = Opened(storage, origin);
  EXPECT_EQ(places->LastUntil(0, 5, 3000), 2000U);
  EXPECT_EQ(places->LastUntil(0, 20, 3000), 3000U);  // no entry between the two
}

TEST(IndexedPlacesTest, AnIndexThatCannotBeReadWhereItLiesIsNone) {  // ARC-450
  const Origin origin(At(0));
  archive::MemoryStorage storage = Stored({{0, 0, 808}});
  EXPECT_TRUE(Opened(storage, origin));
  storage.files.at("a.index")[7] = 2;  // a version that is not that of the volumes
  EXPECT_FALSE(Opened(storage, origin));
  storage.files.at("a.index").resize(100);
  EXPECT_FALSE(Opened(storage, origin));
  storage.files.erase("a.index");
  EXPECT_FALSE(Opened(storage, origin));
}

}  // namespace
}  // namespace pmproof::replay
