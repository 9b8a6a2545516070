// SPDX-License-Identifier: Apache-2.0
// What replay answers of an archive that it takes to be sound (INT-311), beside what it answers of
// the same archive otherwise.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/testing/compress.h"
#include "reference/archive/testing/dear_storage.h"
#include "reference/replay/profiles.h"
#include "reference/replay/replay.h"
#include "reference/replay/testing/answer_text.h"
#include "reference/replay/testing/damage.h"
#include "reference/replay/testing/plan.h"
#include "reference/replay/testing/random_archive.h"

namespace pmproof::replay {
namespace {

using namespace testing;  // NOLINT: the words of the tests

constexpr char kUnsound[] = "the archive was taken to be sound, but ";

std::string AnswersOf(const archive::Storage& storage, bool assume_sound,
                      const ReplayRequest& request, const Profile& profile,
                      const std::vector<Timestamp>& times) {
  const auto archive = ReplayArchive::Open(storage, {"a"});
  if (!archive) return archive.error().ToText();
  if (assume_sound) (*archive)->AssumeSound();
  return FirstFetch(**archive, request, profile, times);
}

std::size_t CountOf(const std::string& word, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) ++count;
  return count;
}

ReplayRequest SomeRequest(Chance& chance, const RandomArchive& random) {
  ReplayRequest request;
  request.seeks = !chance.In(5);
  request.reasons = chance.In(5);
  for (const RandomMetric& metric : random.metrics) {
    if (chance.In(2)) request.metrics.push_back(Pmid::Of(29, 0, metric.item));
  }
  if (request.metrics.empty()) request.metrics.push_back(Pmid::Of(29, 0, 99));
  return request;
}

TEST(AssumedSoundTest, SoundArchivesAnswerTheSame) {
  std::size_t with_index = 0;
  for (std::uint64_t seed = 1; seed <= 2500 && !::testing::Test::HasFailure(); ++seed) {
    Chance chance(seed);
    const RandomArchive random(chance, {.same_times = chance.In(4), .large_types = chance.In(2)});
    archive::MemoryStorage storage;
    random.plan.Store("a", &storage);
    if (storage.files.contains("a.index")) ++with_index;
    const ReplayRequest request = SomeRequest(chance, random);
    const std::vector<Timestamp> times = SomeTimes(chance, random.end);
    const archive::testing::DearStorage dear(storage);
    for (const Profile& profile : NamedProfiles()) {
      const std::string plain = AnswersOf(storage, false, request, profile, times);
      EXPECT_EQ(AnswersOf(storage, true, request, profile, times), plain)
          << "seed " << seed << ", " << profile->name();
      EXPECT_EQ(AnswersOf(dear, true, request, profile, times), plain)
          << "seed " << seed << ", " << profile->name();
    }
  }
  EXPECT_GT(with_index, 1500U);
}

// Whatever the files are: an answer or a reason why there is none, within the records of the files.
TEST(AssumedSoundTest, OfDamagedArchivesTheFirstDamageMetIsAnError) {
  std::size_t refused = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    Chance chance(seed);
    const RandomArchive random(chance, {.same_times = chance.In(4), .large_types = chance.In(2)});
    archive::MemoryStorage storage;
    random.plan.Store("a", &storage);
    for (std::uint64_t i = 1 + chance.Below(4); i > 0; --i) Damage(chance, &storage);
    if (chance.In(3) && storage.files.contains("a.index")) {
      std::vector<std::uint8_t>& index = storage.files.at("a.index");
      for (std::uint64_t i = 1 + chance.Below(4); i > 0; --i) {
        index[chance.Below(index.size())] = static_cast<std::uint8_t>(chance.Below(256));
      }
    }
    const ReplayRequest request = SomeRequest(chance, random);
    const std::vector<Timestamp> times = SomeTimes(chance, random.end);
    const std::string text = AnswersOf(storage, true, request, NamedProfiles().front(), times);
    // Of one metric alone: a value in a form that the metric cannot have (INT-411).
    EXPECT_EQ(CountOf("LOGREC", text), CountOf("[INT-411]", text)) << "seed " << seed;
    if (text.find(kUnsound) != std::string::npos) ++refused;
  }
  EXPECT_GT(refused, 1000U);
}

// Records of 0 to 8999 s in three volumes, and an entry of the index for each hundredth. Metric 1
// is in a few, the others in all; record 6500 is a mark.
Plan LongPlan() {
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kDiscrete)
      .Metric(2, MetricType::kU32, Semantics::kInstant)
      .Metric(3, MetricType::kDouble, Semantics::kCounter);
  for (std::uint32_t i = 0; i < 9000; ++i) {
    std::vector<archive::ValueSetModel> sets = {U32(2, i), Double(3, i + 0.5)};
    if (i % 2500 == 7) sets.push_back(U32(1, i));
    if (i == 6500) sets.clear();
    if (i % 3000 == 0) plan.Volume(static_cast<archive::Part>(i / 3000));
    plan.Record(i, std::move(sets));
  }
  return plan.IndexEvery(100);
}

ReplayRequest RequestOf(std::initializer_list<std::uint32_t> items) {
  ReplayRequest request;
  request.seeks = true;
  for (const std::uint32_t item : items) request.metrics.push_back(Pmid::Of(29, 0, item));
  return request;
}

// Nothing can be left out of what is read from front to back.
TEST(AssumedSoundTest, CompressedArchivesAnswerTheSame) {
  archive::MemoryStorage storage;
  LongPlan().Store("a", &storage);
  archive::MemoryStorage compressed = storage;
  for (const char* name : {"a.0", "a.1", "a.index"}) {
    const auto file = compressed.files.extract(name);
    compressed.files[std::string(name) + ".xz"] =
        archive::testing::Compress(file.mapped(), archive::Compression::kXz);
  }
  const Profile profile = NamedProfiles().front();
  const std::vector<Timestamp> times = {At(8888.5), At(5999.5), At(10), At(1e6)};
  EXPECT_EQ(AnswersOf(compressed, true, RequestOf({1, 2, 3}), profile, times),
            AnswersOf(storage, false, RequestOf({1, 2, 3}), profile, times));
}

TEST(AssumedSoundTest, FindsAnObservationFarBeforeAnEntryOfTheIndex) {
  archive::MemoryStorage storage;
  LongPlan().Store("a", &storage);
  const std::vector<Timestamp> times = {At(8888.5), At(6499.5), At(6500.5), At(10), At(2506.9)};
  for (const Profile& profile : NamedProfiles()) {
    const std::string text = AnswersOf(storage, true, RequestOf({1, 2, 3}), profile, times);
    EXPECT_EQ(text, AnswersOf(storage, false, RequestOf({1, 2, 3}), profile, times));
    EXPECT_NE(text.find("=7507/"), std::string::npos) << text;
  }
}

// A counter has no value at the first fetch after a mark, where fetches follow by steps.
TEST(AssumedSoundTest, MarksBetweenStepsAreHeardOf) {  // INT-706
  archive::MemoryStorage storage;
  LongPlan().Store("a", &storage);
  ReplayRequest request = RequestOf({3});
  for (const bool seeks : {true, false}) {
    request.seeks = seeks;
    for (const Profile& profile : NamedProfiles()) {
      const std::string text = AnswersOf(storage, true, request, profile, {At(100), At(8888.5)});
      EXPECT_EQ(text, AnswersOf(storage, false, request, profile, {At(100), At(8888.5)}));
      EXPECT_EQ(CountOf("INT-", text), seeks ? 2U : 1U) << text;
    }
  }
}

// An entry of the index may be a millisecond earlier than its record, and so than many records.
TEST(AssumedSoundTest, AnEntryMayLeadToALaterRecord) {  // ARC-1918
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kInstant);
  for (std::uint32_t i = 0; i < 3000; ++i) plan.Record(i * 0.0002, {U32(1, i)});
  plan.IndexEvery(10);
  for (archive::IndexEntryModel& entry : plan.model().index->records) {
    entry.time = entry.time + -900'000;
  }
  archive::MemoryStorage storage;
  plan.Store("a", &storage);
  for (const Profile& profile : NamedProfiles()) {
    for (int i = 1; i < 100; ++i) {
      const std::vector<Timestamp> times = {At(0.00501 * i)};
      EXPECT_EQ(AnswersOf(storage, true, RequestOf({1}), profile, times),
                AnswersOf(storage, false, RequestOf({1}), profile, times));
    }
  }
}

// Damage of what lies between changes nothing.
TEST(AssumedSoundTest, ReadsNothingThatTheIndexLeadsAround) {
  archive::MemoryStorage storage;
  LongPlan().Store("a", &storage);
  const Profile profile = NamedProfiles().front();
  const std::vector<Timestamp> times = {At(8888.5), At(4950)};
  const std::string sound = AnswersOf(storage, false, RequestOf({2}), profile, times);
  for (const char* name : {"a.0", "a.1", "a.2"}) {
    std::vector<std::uint8_t>& volume = storage.files.at(name);
    std::fill(volume.begin() + 10'000, volume.begin() + 130'000, std::uint8_t{0xff});
  }
  EXPECT_EQ(AnswersOf(storage, true, RequestOf({2}), profile, times), sound);
  EXPECT_NE(AnswersOf(storage, false, RequestOf({2}), profile, times), sound);
}

std::string OfDamaged(const std::vector<std::uint8_t>& volume, double at) {
  archive::MemoryStorage storage;
  LongPlan().Store("a", &storage);
  storage.files.at("a.2") = volume;
  return AnswersOf(storage, true, RequestOf({1, 2}), NamedProfiles().front(), {At(at)});
}

// At 8888.5 s the index leads to record 8800, and the search for metric 1 goes back to record 7507.
TEST(AssumedSoundTest, DamageIsNamedByFileAndOffset) {
  archive::MemoryStorage storage;
  LongPlan().Store("a", &storage);
  const std::vector<std::uint8_t>& volume = storage.files.at("a.2");
  const auto offset_of = [&](int record) {
    std::size_t at = 808;
    for (int i = 6000; i < record; ++i) at += LoadU32(volume.data() + at);
    return at;
  };
  const std::string unsound = std::string(": ") + kUnsound;

  std::size_t at = offset_of(8850);
  std::vector<std::uint8_t> broken = volume;
  StoreU32(broken.data() + at + 24, 0x7fffffff);  // numval of the first set
  EXPECT_EQ(OfDamaged(broken, 8888.5),
            "a.2: offset " + std::to_string(at) + unsound +
                "a value set of the record does not lie within it [INT-311]");
  broken = volume;
  StoreU32(broken.data() + at - 4, 8);  // the trailing length word of record 8849
  EXPECT_EQ(OfDamaged(broken, 8888.5),
            "a.2: offset " + std::to_string(at - 4) + unsound +
                "the length words differ; the leading one is taken, since what follows fits it "
                "(trailing N 8) [ARC-1104]");

  at = offset_of(8000);
  for (const std::uint32_t trailer : {8U, 0U, 0xffffffffU}) {
    broken = volume;
    StoreU32(broken.data() + at - 4, trailer);
    EXPECT_EQ(OfDamaged(broken, 8888.5), "a.2: offset " + std::to_string(at) + unsound +
                                             "no record ends where this one begins [ARC-1104]");
  }
  broken = volume;
  StoreU32(broken.data() + at + 16, 0x80000000);  // numpmid
  EXPECT_EQ(OfDamaged(broken, 8888.5),
            "a.2: offset " + std::to_string(at + 16) + unsound +
                "the number of value sets is negative (numpmid -2147483648) [ARC-1701]");
  broken = volume;
  StoreU32(broken.data() + at + 16, 0);
  EXPECT_NE(OfDamaged(broken, 8888.5).find("[ARC-1712]"), std::string::npos);
  for (const int record : {8000, 8850}) {
    broken = volume;
    StoreU32(broken.data() + offset_of(record) + 4, 8870);  // the low word of the seconds
    EXPECT_EQ(OfDamaged(broken, 8888.5),
              "a" + unsound + "the times of the records go back [INT-311]");
  }
}

// A second fetch reads all records and keeps the observations.
TEST(AssumedSoundTest, LaterFetchesAnswerTheSame) {
  archive::MemoryStorage storage;
  LongPlan().Store("a", &storage);
  const auto archive = ReplayArchive::Open(storage, {"a"});
  ASSERT_TRUE(archive);
  (*archive)->AssumeSound();
  ReplayContext context(**archive, RequestOf({1, 2}), NamedProfiles().front());
  std::string texts[3];
  for (std::string& text : texts) {
    const std::vector<Timestamp> times = {At(8888.5), At(10)};
    ASSERT_FALSE(context.Fetch(times, [&](const FetchAnswer& fetch) { text += TextOf(fetch); }));
  }
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_EQ(texts[1], texts[2]);
}

}  // namespace
}  // namespace pmproof::replay
