// SPDX-License-Identifier: Apache-2.0
// What a fetch answers that decodes only the records it needs, beside one that decodes all of them.

#include "reference/replay/skipping_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

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

class BothWays {
 public:
  BothWays(const ReplayArchive& archive, const ReplayRequest& request, const Profile& profile)
      : archive_(archive), request_(request), profile_(profile) {}

  // The first fetch of a context decodes only the records that it needs.
  std::string Skipping(const std::vector<Timestamp>& times) const {
    return FirstFetch(archive_, request_, profile_, times);
  }

  // One that has fetched before decodes all records and keeps the observations.
  std::string Plainly(const std::vector<Timestamp>& times) const {
    ReplayContext context(archive_, request_, profile_);
    Fetch(&context, {times.front()});
    return Fetch(&context, times);
  }

 private:
  static std::string Fetch(ReplayContext* context, const std::vector<Timestamp>& times) {
    std::string text;
    const auto error =
        context->Fetch(times, [&](const FetchAnswer& fetch) { text += TextOf(fetch); });
    return error ? text + error->ToText() : text;
  }

  const ReplayArchive& archive_;
  const ReplayRequest& request_;
  const Profile& profile_;
};

// Returns how many answers there were that refused a metric. `dear`: of an archive that is dear to
// map, a part of which is not in memory.
std::size_t Compare(std::uint64_t seed, bool dear) {
  Chance chance(seed);
  const RandomArchive random(chance, {.same_times = chance.In(4), .large_types = chance.In(2)});
  archive::MemoryStorage storage;
  random.plan.Store("a", &storage);
  for (std::uint64_t i = chance.Below(4); i > 0; --i) Damage(chance, &storage);
  const auto archive = ReplayArchive::Open(storage, {"a"});
  if (!archive) return 0;
  const archive::testing::DearStorage read(storage, chance.In(2) ? 0 : 1 + chance.Below(20));
  const auto archive_read = ReplayArchive::Open(read, {"a"});
  ReplayRequest request;
  request.seeks = true;
  request.reasons = true;
  for (const RandomMetric& metric : random.metrics) {
    if (chance.In(2)) request.metrics.push_back(Pmid::Of(29, 0, metric.item));
  }
  if (request.metrics.empty()) request.metrics.push_back(Pmid::Of(29, 0, 99));
  const std::vector<Timestamp> times = SomeTimes(chance, random.end);
  std::size_t refused = 0;
  for (const Profile& profile : NamedProfiles()) {
    const BothWays both(**archive, request, profile);
    const BothWays both_read(**archive_read, request, profile);
    const std::string skipping = dear ? both_read.Skipping(times) : both.Skipping(times);
    EXPECT_EQ(skipping, both.Plainly(times)) << "seed " << seed << ", " << profile->name();
    if (dear) {
      EXPECT_EQ(skipping, both_read.Plainly(times)) << "seed " << seed << ", " << profile->name();
    }
    for (std::size_t at = 0; (at = skipping.find("LOGREC", at)) != std::string::npos; ++at)
      ++refused;
  }
  return refused;
}

TEST(SkippingReaderTest, AnswersAsAReaderThatDecodesAllRecords) {
  std::size_t refused = 0;
  for (std::uint64_t seed = 1; seed <= 4000 && !::testing::Test::HasFailure(); ++seed) {
    refused += Compare(seed, /*dear=*/false);
  }
  EXPECT_GT(refused, 1000U);
}

TEST(SkippingReaderTest, AnswersTheSameOfFilesThatAreReadPieceByPiece) {
  std::size_t refused = 0;
  for (std::uint64_t seed = 1; seed <= 4000 && !::testing::Test::HasFailure(); ++seed) {
    refused += Compare(seed, /*dear=*/true);
  }
  EXPECT_GT(refused, 1000U);
}

// A metric that few records have: more of them lie before a time than are remembered as checked,
// and where they are copied there is room for even less.
TEST(SkippingReaderTest, FindsAnObservationFarBack) {
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kDiscrete)
      .Metric(2, MetricType::kU32, Semantics::kDiscrete)
      .Metric(3, MetricType::kString, Semantics::kDiscrete)
      .Metric(4, MetricType::kU32, Semantics::kDiscrete)
      .Record(0, {U32(1, 7), U32(2, 0), U32(4, 6)});
  for (std::uint32_t i = 1; i < 9000; ++i) {
    std::vector<archive::ValueSetModel> sets = {U32(2, i), Text(3, std::string(400, 'x'))};
    // Each has its next bound at the times before that, so that none is looked for any more.
    if (i == 4450 || i == 4500) sets.push_back(U32(1, i == 4500 ? 8 : 5));
    if (i == 4450 || i == 4600) sets.push_back(U32(4, i == 4600 ? 9 : 5));
    plan.Record(i, std::move(sets));
  }
  archive::MemoryStorage storage;
  plan.Store("a", &storage);
  const archive::testing::DearStorage dear(storage);
  const auto archive = ReplayArchive::Open(storage, {"a"});
  const auto archive_read = ReplayArchive::Open(dear, {"a"});
  ASSERT_TRUE(archive && archive_read);
  ReplayRequest request;
  request.seeks = true;
  request.metrics = {Pmid::Of(29, 0, 1), Pmid::Of(29, 0, 2), Pmid::Of(29, 0, 4)};
  for (const Profile& profile : NamedProfiles()) {
    for (const auto* opened : {&*archive, &*archive_read}) {
      const BothWays both(**opened, request, profile);
      const std::vector<Timestamp> times = {At(8888.5), At(4444), At(4100.5)};
      const std::string skipping = both.Skipping(times);
      EXPECT_EQ(skipping, both.Plainly(times));
      EXPECT_NE(skipping.find("=8/"), std::string::npos) << skipping;
      EXPECT_NE(skipping.find("=8888/"), std::string::npos) << skipping;
      EXPECT_NE(skipping.find("=9/"), std::string::npos) << skipping;
    }
  }
}

}  // namespace
}  // namespace pmproof::replay
