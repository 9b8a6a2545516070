// SPDX-License-Identifier: Apache-2.0
// Other forms of an archive (generators/transform.h): a reader sees the same in each of them, and
// what was sound stays so.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <string>
#include <variant>
#include <vector>

#include "generators/arbitrary/arbitrary_story.h"
#include "generators/story/composer.h"
#include "generators/transform.h"
#include "reference/archive/storage.h"
#include "validator/tests/properties/found.h"
#include "validator/tests/properties/reading.h"

namespace pmproof::validator::testing {
namespace {

using generators::ArchivePlan;
using generators::Compose;
using generators::SoundStory;
using generators::Story;

std::vector<std::string> Read(const ArchivePlan& plan) {
  archive::MemoryStorage storage;
  Encode(plan).Store("dir/archive", &storage);
  return ReadArchive(storage, "dir/archive");
}

std::size_t RecordsOf(const ArchivePlan& plan) {
  std::size_t records = 0;
  for (const auto& [part, results] : plan.volumes) records += results.size();
  return records;
}

// Time that goes back has another name where volumes meet (ARC-2004), and no index can follow it.
Story InOrder(Story story) {
  for (generators::Step& step : story.steps) {
    if (auto* sample = std::get_if<generators::Sample>(&step)) sample->back = false;
  }
  return story;
}

// So many data records, at which of them a volume begins.
std::set<std::size_t> AnyStarts(std::size_t records) {
  return *rc::gen::container<std::set<std::size_t>>(rc::gen::inRange<std::size_t>(0, records + 1));
}

// Both are read alike; nothing is found in `other` that was not found before, but `allowed`.
void ExpectTheSame(const ArchivePlan& plan, const ArchivePlan& other,
                   const std::set<std::string>& allowed = {}) {
  RC_ASSERT(Read(other) == Read(plan));
  std::set<std::string> found = RulesFound(other);
  for (const std::string& rule : RulesFound(plan)) found.erase(rule);
  for (const std::string& rule : allowed) found.erase(rule);
  RC_LOG() << Joined(found);
  RC_ASSERT(found.empty());
}

RC_GTEST_PROP(MetamorphicTest, VolumesMakeNoDifference, (const Story& story)) {
  const ArchivePlan plan = Compose(InOrder(story));
  const ArchivePlan split = SplitIntoVolumes(plan, AnyStarts(RecordsOf(plan)));
  ExpectTheSame(plan, split, {"ARC-1909"});
  ExpectTheSame(plan, MergeVolumes(split), {"ARC-1909"});
}

RC_GTEST_PROP(MetamorphicTest, TheIndexMakesNoDifference, (const Story& story)) {
  const ArchivePlan plan = Compose(InOrder(story));
  const ArchivePlan without = DropIndex(plan);
  RC_ASSERT(Read(without) == Read(plan));
  const std::size_t step = *rc::gen::inRange<std::size_t>(0, 5);
  ExpectTheSame(plan, IndexEvery(plan, step));
  ExpectTheSame(plan, IndexEvery(without, step));
}

RC_GTEST_PROP(MetamorphicTest, WithoutIndexThatIsAllThatIsFound, ()) {
  const ArchivePlan plan = DropIndex(Compose(*SoundStory()));
  std::set<std::string> found = RulesFound(plan);
  found.erase("ARC-2008");
  found.erase("ARC-2009");
  RC_ASSERT(found == std::set<std::string>{"ARC-1003"});
}

RC_GTEST_PROP(MetamorphicTest, TimeMakesNoDifference, ()) {
  const ArchivePlan plan = Compose(*SoundStory());
  // Back to 1990 and on to 2038: what is outside of that brings findings on.
  const auto start = *rc::gen::inRange<std::int64_t>(631'152'001, 2'147'000'000);
  const auto shifted = ShiftTimes(plan, start - plan.label.start.seconds);
  RC_PRE(shifted.has_value());
  RC_ASSERT(shifted->label.start.seconds == start);
  ExpectTheSame(plan, *shifted);
}

RC_GTEST_PROP(MetamorphicTest, TheVersionMakesNoDifference, ()) {
  Story story = *SoundStory();
  story.setup.version = 2;
  const ArchivePlan plan = Compose(story);
  const auto three = ToVersion(plan, 3);
  RC_ASSERT(three.has_value());
  ExpectTheSame(plan, *three);
  const auto back = ToVersion(*three, 2);
  RC_ASSERT(back.has_value());
  RC_ASSERT(Encode(*back).files == Encode(plan).files);
}

RC_GTEST_PROP(MetamorphicTest, CompressionMakesNoDifference, (const Story& story)) {
  const ArchivePlan plan = Compose(story);
  const auto compression =
      *rc::gen::element(archive::Compression::kXz, archive::Compression::kGzip,
                        archive::Compression::kBzip2, archive::Compression::kZstd);
  archive::MemoryStorage storage;
  RC_ASSERT(!StoreCompressed(Encode(plan), "dir/archive", compression, &storage));
  RC_ASSERT(ReadArchive(storage, "dir/archive") == Read(plan));
  std::set<std::string> expected = RulesFound(plan);
  if (compression == archive::Compression::kZstd) expected.insert("ARC-1012");
  RC_ASSERT(RulesFound(storage, "dir/archive") == expected);
}

}  // namespace
}  // namespace pmproof::validator::testing
