// SPDX-License-Identifier: Apache-2.0
// Sides that are implementations: right, wrong, silent or dead.

#include "validator/rules_diff/testee_side.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "reference/replay/profiles.h"
#include "reference/replay/testing/plan.h"
#include "validator/rules_diff/compare_rules.h"
#include "validator/rules_diff/emulated_side.h"
#include "validator/rules_diff/profile_side.h"

namespace pmproof::validator {
namespace {

using namespace replay::testing;  // NOLINT: the words of the tests
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::StartsWith;
using Kind = NotAnswered::Kind;

constexpr int kMetrics = 4;
constexpr int kTimes = 11;

// m.1 to m.4, each with its number at 0 and 10 s.
class Archive {
 public:
  Archive() {
    Plan plan;
    std::vector<archive::ValueSetModel> values;
    for (std::uint32_t i = 1; i <= kMetrics; ++i) {
      plan.Metric(i, MetricType::kU32, Semantics::kInstant);
      values.push_back(U32(i, i));
    }
    plan.Record(0, values).Record(10, values).Store("a", &storage_);
    auto opened = replay::ReplayArchive::Open(storage_, {"a"});
    EXPECT_TRUE(opened) << opened.error().ToText();
    archive_ = std::move(*opened);
    options.paths = {"/a"};
    options.interval = 1'000'000'000;
    // Two metrics fit a request.
    options.memory = std::size_t{3} * 2048 * 2 * kTimes;
  }

  Comparison Between(Side& baseline, Side& candidate) {
    return CompareSides(*archive_, baseline, candidate, options);
  }

  CompareOptions options;

 private:
  archive::MemoryStorage storage_;
  std::unique_ptr<replay::ReplayArchive> archive_;
};

TesteeSide Testee(const std::string& how = "", const std::string& from = "1",
                  std::chrono::milliseconds patience = std::chrono::seconds(20)) {
  AdapterCommand command;
  command.words = {std::getenv("WRONG_ADAPTER"), how, from};
  command.answer = patience;
  return TesteeSide(Adapter(std::move(command)), /*counter_wrap=*/false);
}

TEST(TesteeSide, IsComparedWithAnotherOne) {
  Archive archive;
  TesteeSide baseline = Testee();
  TesteeSide candidate = Testee();
  const Comparison found = archive.Between(baseline, candidate);
  EXPECT_FALSE(found.failure);
  EXPECT_EQ(found.total.compared, 6 * kMetrics);  // at even seconds
  EXPECT_EQ(found.total.Differing(), 0);
  EXPECT_THAT(found.baseline_unanswered, IsEmpty());
  EXPECT_THAT(found.candidate_unanswered, IsEmpty());
}

TEST(TesteeSide, IsComparedWithARule) {
  Archive archive;
  ProfileSide baseline{replay::Pcp632()};
  TesteeSide candidate = Testee();
  const Comparison found = archive.Between(baseline, candidate);
  EXPECT_EQ(found.total.compared, kTimes * kMetrics);
  EXPECT_EQ(found.total.baseline_only, 5 * kMetrics);  // at odd seconds
  EXPECT_EQ(found.total.Differing(), 5 * kMetrics);
  ASSERT_FALSE(found.examples.empty());
  EXPECT_EQ(found.examples[0].time, At(1));
  EXPECT_EQ(found.examples[0].baseline.why.ToString(), "INT-503");
  EXPECT_TRUE(found.examples[0].candidate.why.empty());
}

TEST(TesteeSide, HasTheRecordsAroundADifferenceFromTheReference) {
  Archive archive;
  EmulatedSide baseline(PcpVersion::k7_2, /*counter_wrap=*/false);
  TesteeSide candidate = Testee();
  const Comparison found = archive.Between(baseline, candidate);
  EXPECT_EQ(found.total.baseline_only, 5 * kMetrics);
  ASSERT_FALSE(found.examples.empty());
  ASSERT_TRUE(found.examples[0].baseline.bounds);
  EXPECT_EQ(found.examples[0].baseline.bounds->next.moment.time, At(10));
  ASSERT_FALSE(found.most.empty());
  EXPECT_EQ(found.most[0].from, At(0));
  EXPECT_EQ(found.most[0].to, At(10));
}

TEST(TesteeSide, IsAskedInHalvesForWhatItDoesNotAnswer) {
  Archive archive;
  TesteeSide baseline = Testee();
  TesteeSide candidate = Testee("skips_m.2");
  const Comparison found = archive.Between(baseline, candidate);
  EXPECT_THAT(found.candidate_unanswered,
              ElementsAre(Pair(NotAnswered{Kind::kSkip, "no m.2 here"}, kTimes)));
  EXPECT_EQ(found.total.compared, 6 * (kMetrics - 1));
  EXPECT_EQ(found.total.Differing(), 0);
}

struct Wrong {
  const char* how;
  Kind kind;
  const char* said;
};

class TesteeSideThatIs : public testing::TestWithParam<Wrong> {};

TEST_P(TesteeSideThatIs, WrongFromItsSecondRequestOnIsComparedInTheFirst) {
  Archive archive;
  TesteeSide baseline = Testee();
  TesteeSide candidate = Testee(GetParam().how, "2");
  const Comparison found = archive.Between(baseline, candidate);
  ASSERT_FALSE(found.failure);
  EXPECT_GE(found.total.compared, 6 * kMetrics / 2);
  EXPECT_EQ(found.total.Differing(), 0);
  std::uint64_t missing = 0;
  for (const auto& [why, count] : found.candidate_unanswered) {
    missing += count;
    EXPECT_EQ(why.kind, GetParam().kind) << why.text;
    EXPECT_THAT(why.text, HasSubstr(GetParam().said));
  }
  EXPECT_EQ(missing, std::uint64_t{kTimes} * kMetrics / 2);
  EXPECT_THAT(found.baseline_unanswered, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    All, TesteeSideThatIs,
    testing::Values(
        Wrong{"skip", Kind::kSkip, "not today"}, Wrong{"reject", Kind::kReject, "replay.refused"},
        Wrong{"error", Kind::kError, "it failed"}, Wrong{"child", Kind::kCrash, "signal 11"},
        Wrong{"dies", Kind::kCrash, "exit status 3: NameError"},
        Wrong{"crashes", Kind::kCrash, "signal 9"},
        Wrong{"half_then_dies", Kind::kCrash, "after half a line"},
        Wrong{"no_json", Kind::kProtocol, "no JSON"}, Wrong{"deep", Kind::kProtocol, "too deep"},
        Wrong{"other_seq", Kind::kProtocol, "the answer to another request"},
        Wrong{"few", Kind::kProtocol, " fetches"},
        Wrong{"many", Kind::kProtocol, "more fetches than asked for"},
        Wrong{"late", Kind::kProtocol, "in place of"},
        Wrong{"name", Kind::kProtocol, "in its place: other"},
        Wrong{"type", Kind::kProtocol, "a value of type string"},
        Wrong{"number", Kind::kProtocol, "no value of type u32"},
        Wrong{"too_many_values", Kind::kProtocol, "more values than"}),
    [](const auto& one) { return one.param.how; });

TEST(TesteeSide, ThatAnswersTwiceIsStartedAgain) {
  Archive archive;
  TesteeSide baseline = Testee();
  TesteeSide candidate = Testee("twice");
  const Comparison found = archive.Between(baseline, candidate);
  // The second answer stands in the place of that to the second request.
  EXPECT_THAT(
      found.candidate_unanswered,
      ElementsAre(Pair(NotAnswered{Kind::kProtocol, "the answer to another request"}, kTimes * 2)));
}

TEST(TesteeSide, ThatDoesNotHaveTheOperationAnswersNothing) {
  Archive archive;
  TesteeSide baseline = Testee("incapable");
  TesteeSide candidate = Testee();
  const Comparison found = archive.Between(baseline, candidate);
  EXPECT_THAT(found.baseline_unanswered,
              ElementsAre(Pair(NotAnswered{Kind::kSkip, "its capabilities lack replay.interp"},
                               kTimes * kMetrics)));
  EXPECT_EQ(found.total.compared, 0);
}

TEST(TesteeSide, ThatKeepsSilentIsGivenUp) {
  Archive archive;
  archive.options.memory = std::size_t{3} * 2048 * 2;  // many requests
  TesteeSide baseline = Testee();
  TesteeSide candidate = Testee("silent", "1", std::chrono::milliseconds(200));
  const auto start = std::chrono::steady_clock::now();
  const Comparison found = archive.Between(baseline, candidate);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  std::uint64_t missing = 0;
  for (const auto& [why, count] : found.candidate_unanswered) {
    EXPECT_EQ(why.kind, Kind::kTimeout);
    missing += count;
  }
  EXPECT_EQ(missing, std::uint64_t{kTimes} * kMetrics);
  EXPECT_THAT(found.candidate_unanswered.begin()->first.text, StartsWith("given up"));
}

TEST(TesteeSide, ThatNoLongerStartsAnswersNothing) {
  Archive archive;
  TesteeSide baseline = Testee();
  TesteeSide candidate = Testee("dies_at_start");
  const Comparison found = archive.Between(baseline, candidate);
  EXPECT_THAT(found.candidate_unanswered,
              ElementsAre(Pair(
                  NotAnswered{Kind::kCrash, "does not start: ended with exit status 1: no library"},
                  kTimes * kMetrics)));
}

TEST(TesteeSide, IsAskedAboutSeveralArchivesOneAfterTheOther) {
  Archive archive;
  TesteeSide baseline = Testee();
  TesteeSide candidate = Testee();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(archive.Between(baseline, candidate).total.compared, 6 * kMetrics);
  }
}

TEST(EmulatedSide, DoesNotAnswerWhatIsNotModelled) {  // INT-1408
  archive::MemoryStorage storage;
  Plan first;
  first.Metric(1, MetricType::kU32, Semantics::kInstant)
      .Record(0, {U32(1, 1)})
      .Record(1, {U32(1, 2)});
  Plan second;
  second.Metric(1, MetricType::kU32, Semantics::kInstant).StartsAt(2);
  second.Record(2, {U32(1, 1)}).Record(3, {U32(1, 2)});
  first.Store("a", &storage);
  second.Store("b", &storage);
  const auto set = replay::ReplayArchive::Open(storage, {"a", "b"});
  ASSERT_TRUE(set) << set.error().ToText();
  EmulatedSide baseline(PcpVersion::k7_2, /*counter_wrap=*/false);
  ProfileSide candidate{replay::Pcp632()};
  CompareOptions options;
  options.interval = 1'000'000'000;
  const Comparison found = CompareSides(**set, baseline, candidate, options);
  EXPECT_FALSE(found.failure);
  EXPECT_EQ(found.total.compared, 0);
  ASSERT_EQ(found.baseline_unanswered.size(), 1);
  EXPECT_THAT(*found.baseline_unanswered.begin(),
              Pair(testing::Field(&NotAnswered::kind, Kind::kSkip), 4));
}

}  // namespace
}  // namespace pmproof::validator
