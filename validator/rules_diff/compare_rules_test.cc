// SPDX-License-Identifier: Apache-2.0
// What two rules' answers have in common, over small archives.

#include "validator/rules_diff/compare_rules.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "reference/replay/examples/nearest_within.h"
#include "reference/replay/profiles.h"
#include "reference/replay/testing/plan.h"
#include "validator/rules_diff/draw_curves.h"
#include "validator/rules_diff/profile_side.h"

namespace pmproof::validator {
namespace {

using namespace replay::testing;  // NOLINT: the words of the tests
using replay::Documented;
using replay::NearestWithin;
using replay::Pcp632;
using replay::PcpLegacy;
using replay::Profile;

class Compared {
 public:
  explicit Compared(const Plan& plan) {
    plan.Store("a", &storage_);
    Open({"a"});
  }
  Compared(const Plan& first, const Plan& second) {
    first.Store("a", &storage_);
    second.Store("b", &storage_);
    Open({"a", "b"});
  }

  CompareOptions options;
  const replay::ReplayArchive& archive() const { return *archive_; }

  Comparison Under(const Profile& baseline, const Profile& candidate, double interval = 1) {
    options.interval = static_cast<std::int64_t>(interval * 1e9);
    return CompareRules(*archive_, baseline, candidate, options);
  }

 private:
  void Open(const std::vector<std::string>& names) {
    auto opened = replay::ReplayArchive::Open(storage_, names);
    EXPECT_TRUE(opened) << opened.error().ToText();
    if (opened) archive_ = std::move(*opened);
  }

  archive::MemoryStorage storage_;
  std::unique_ptr<replay::ReplayArchive> archive_;
};

Plan Instant() {
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kInstant);
  return plan.Record(0, {U32(1, 10)}).Record(10, {U32(1, 20)});
}

// A counter, a number, a string, over a mark.
Plan Mixed() {
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kCounter)
      .Metric(2, MetricType::kU32, Semantics::kInstant)
      .Metric(3, MetricType::kString, Semantics::kDiscrete)
      .Metric(4, MetricType::kU32, Semantics::kDiscrete, kIndom)
      .Domain(0, {0, 1, 2});
  const auto all = [](std::uint32_t value) {
    return std::vector{U32(1, value), U32(2, value), Text(3, "at " + std::to_string(value)),
                       Instances(4, {{0, value}, {1, 2 * value}, {2, 7}})};
  };
  return plan.Record(0, all(10))
      .Record(10, all(20))
      .Mark(10.001)
      .Record(20, all(100))
      .Record(30, all(110))
      .Record(40, all(120));
}

std::string TextOf(const RuleAnswer& answer) {
  return (answer.kind == RuleAnswer::Kind::kNone ? "-" : answer.text) + " " + answer.why.ToString();
}

TEST(CompareRules, CountsTheValuesThatDifferAndHowFar) {  // INT-503
  const Comparison found = Compared(Instant()).Under(PcpLegacy(), Pcp632());
  EXPECT_EQ(found.times, 11);
  EXPECT_EQ(found.total.compared, 11);
  EXPECT_EQ(found.total.numbers, 4);  // at 6, 7, 8 and 9 s
  EXPECT_EQ(found.total.Differing(), 4);
  EXPECT_EQ(found.total.largest.absolute, 10);
  EXPECT_EQ(found.total.Mean().absolute, 10);
  EXPECT_EQ(found.total.Mean().relative, 0.5L);
  EXPECT_EQ(found.clauses.at({"INT-503"_clause, "INT-503"_clause}), 4);
  EXPECT_FALSE(found.failure);
}

TEST(CompareRules, FindsNothingBetweenARuleAndItself) {
  for (const Profile& profile : replay::NamedProfiles()) {
    const Comparison found = Compared(Mixed()).Under(profile, profile, 0.7);
    EXPECT_GT(found.total.compared, 100);
    EXPECT_EQ(found.total.Differing(), 0);
    EXPECT_TRUE(found.examples.empty());
    EXPECT_TRUE(found.most.empty());
  }
}

TEST(CompareRules, TellsTheFirstExampleWithBothAnswersAndTheRecords) {
  const Comparison found = Compared(Instant()).Under(PcpLegacy(), Pcp632());
  ASSERT_EQ(found.examples.size(), 2);  // the first two of a kind
  const Example& example = found.examples.front();
  EXPECT_EQ(example.time, At(6));
  EXPECT_EQ(example.series.metric, "m.1");
  EXPECT_EQ(example.difference, Difference::kNumber);
  EXPECT_EQ(TextOf(example.baseline), "10 INT-503");
  EXPECT_EQ(TextOf(example.candidate), "20 INT-503");
  EXPECT_EQ(example.candidate.bounds.value().prior.moment.record, 0);
  EXPECT_EQ(example.candidate.bounds.value().next.moment.record, 1);
}

TEST(CompareRules, GroupsBySemanticsAndType) {
  const Comparison found = Compared(Mixed()).Under(Pcp632(), Documented());
  const Group& counter = found.groups.at({Semantics::kCounter, MetricType::kU32});
  EXPECT_EQ(counter.metrics, 1);
  EXPECT_EQ(counter.tally.Differing(), 0);
  const Group& text = found.groups.at({Semantics::kDiscrete, MetricType::kString});
  // At 6 to 9, 26 to 29 and 36 to 39 s (INT-504); after the mark there is none until 20 s.
  EXPECT_EQ(text.tally.contents, 12);
  EXPECT_EQ(text.tally.compared, 11 + 21);
  EXPECT_EQ(text.differing_metrics, 1);
  EXPECT_EQ(found.total.Differing(), 12);
  EXPECT_EQ(TextOf(found.examples.front().candidate), "at 20 INT-504");
}

TEST(ARuleOfOnesOwn, IsComparedWithTheOthers) {
  Compared compared(Instant());
  const Comparison found = compared.Under(Pcp632(), NearestWithin(2));
  EXPECT_EQ(found.total.compared, 11);
  EXPECT_EQ(found.total.baseline_only, 5);  // 3 to 7 s
  EXPECT_EQ(found.total.Differing(), 5);
  EXPECT_EQ(found.clauses.at({"INT-503"_clause, Clause()}), 5);
  EXPECT_EQ(found.examples.front().time, At(3));
  EXPECT_EQ(TextOf(found.examples.front().candidate), "- ");
  EXPECT_TRUE(found.examples.front().baseline.bounds);

  EXPECT_EQ(compared.Under(NearestWithin(2), Pcp632()).total.candidate_only, 5);
  EXPECT_EQ(compared.Under(Pcp632(), NearestWithin(5)).total.Differing(), 0);
}

// Answers an error where the others have a value.
class Refusing final : public PcpLegacy {
 public:
  std::string_view name() const override { return "refusing"; }

 protected:
  replay::Answer Choose(const replay::Bounds&, const replay::Question&) const override {
    return {replay::Answer::Kind::kTypeError, {}, {}};
  }
};

TEST(CompareRules, CountsAnErrorOnceForItsMetric) {
  const Comparison found = Compared(Instant()).Under(Pcp632(), Refusing());
  EXPECT_EQ(found.total.errors, 9);
  EXPECT_EQ(found.total.compared, 11);
  EXPECT_EQ(TextOf(found.examples.front().candidate), "PM_ERR_TYPE INT-412");
}

TEST(CompareRules, TakesTwoErrorsThatAreAlikeForNoDifference) {  // INT-405
  Plan plan;
  plan.Metric(1, MetricType::kString, Semantics::kCounter);
  plan.Record(0, {Text(1, "a")}).Record(10, {Text(1, "b")});
  const Comparison found = Compared(plan).Under(Pcp632(), Documented());
  EXPECT_EQ(found.total.compared, 11);
  EXPECT_EQ(found.total.Differing(), 0);
}

TEST(CompareRules, SaysWhereTheArchiveEndsForOneRuleAlone) {  // INT-206, INT-1206
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kDiscrete);
  Compared compared(plan.Record(0, {U32(1, 10)}).Record(10, {U32(1, 20)}));
  compared.options.finish = At(10.0005);
  const Comparison found = compared.Under(Pcp632(), Documented(), 10.0005);
  EXPECT_EQ(found.times, 2);
  EXPECT_EQ(found.total.Differing(), 0);  // both outside: the end was not known yet
  EXPECT_EQ(found.outside, 1);
  const Comparison known = compared.Under(Pcp632(), Documented(), 1.00005);
  EXPECT_EQ(known.total.baseline_only, 1);
  EXPECT_EQ(TextOf(known.examples.back().candidate), "PM_ERR_EOL INT-1206");
}

TEST(CompareRules, CitesTheLifeOfAnInstance) {  // INT-403
  std::vector<std::int32_t> ids;
  for (std::int32_t id = 0; id < 16; ++id) ids.push_back(id);
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kDiscrete, kIndom).Domain(0, ids).Domain(3.5, {0});
  plan.Record(0, {Instances(1, {{0, 1}, {1, 2}})}).Record(5, {Instances(1, {{0, 1}})});
  const Comparison found = Compared(plan).Under(Pcp632(), Documented());
  EXPECT_EQ(found.total.candidate_only, 2);  // instance 1 at 4 and 5 s
  EXPECT_EQ(found.clauses.at({"INT-403"_clause, "INT-502"_clause}), 2);
  EXPECT_EQ(found.most.at(0).name.instance_name, "i1");
}

TEST(CompareRules, CitesTheMarkBetweenTheArchivesOfASet) {  // INT-905, INT-1211
  Plan first;
  first.Metric(1, MetricType::kU32, Semantics::kDiscrete).Record(0, {U32(1, 1)});
  first.Record(10, {U32(1, 2)});
  Plan second;
  second.Metric(1, MetricType::kU32, Semantics::kDiscrete).StartsAt(10.0005);
  second.Record(20, {U32(1, 3)}).Record(30, {U32(1, 4)});
  Compared compared(first, second);
  compared.options.start = At(10.0007);
  compared.options.finish = At(10.0007);
  const Comparison found = compared.Under(Pcp632(), Documented());
  EXPECT_EQ(found.total.baseline_only, 1);
  EXPECT_EQ(found.clauses.at({"INT-502"_clause, "INT-905"_clause}), 1);
}

TEST(CompareRules, DoesNotDependOnTheMemory) {
  Compared compared(Mixed());
  const Comparison whole = compared.Under(PcpLegacy(), NearestWithin(1), 0.7);
  compared.options.memory = 12'000;  // two values at a time
  const Comparison parts = compared.Under(PcpLegacy(), NearestWithin(1), 0.7);
  ASSERT_FALSE(parts.failure) << parts.failure->ToText();
  EXPECT_EQ(parts.total.compared, whole.total.compared);
  EXPECT_EQ(parts.total.Differing(), whole.total.Differing());
  EXPECT_EQ(parts.total.sum.relative, whole.total.sum.relative);
  EXPECT_EQ(parts.clauses, whole.clauses);
  ASSERT_EQ(parts.examples.size(), whole.examples.size());
  for (std::size_t i = 0; i < whole.examples.size(); ++i) {
    EXPECT_EQ(parts.examples[i].time, whole.examples[i].time);
    EXPECT_EQ(parts.examples[i].series.metric, whole.examples[i].series.metric);
  }
  ASSERT_EQ(parts.most.size(), whole.most.size());
  for (std::size_t i = 0; i < whole.most.size(); ++i) {
    EXPECT_EQ(parts.most[i].name.metric, whole.most[i].name.metric);
    EXPECT_EQ(parts.most[i].weight, whole.most[i].weight);
  }
}

TEST(CompareRules, SaysWhenTheMemoryIsTooSmallForOneTime) {
  Compared compared(Mixed());
  compared.options.memory = 1;
  const Comparison found = compared.Under(PcpLegacy(), Pcp632());
  ASSERT_TRUE(found.failure);
  EXPECT_EQ(found.failure->kind, Status::Kind::kBudget);
}

TEST(CompareRules, PutsFirstWhatDiffersMost) {
  const Comparison found = Compared(Mixed()).Under(PcpLegacy(), Pcp632());
  ASSERT_EQ(found.differing_series, 3);  // instance 2 never changes
  EXPECT_GE(found.most[0].weight, found.most[1].weight);
  EXPECT_GE(found.most[1].weight, found.most[2].weight);
  EXPECT_EQ(found.most[0].differing, 12);
  EXPECT_EQ(found.most[0].worst, At(6));  // 10 and 20 there, 100 and 110 later
}

TEST(CompareRules, FindsThePlaceWhereASeriesDiffersMost) {
  Plan plan;
  plan.Metric(1, MetricType::kDouble, Semantics::kInstant);
  plan.Record(0, {Double(1, 0)}).Record(10, {Double(1, 1)}).Record(20, {Double(1, -1)});
  const Comparison found = Compared(plan.Record(30, {Double(1, 0)})).Under(PcpLegacy(), Pcp632());
  EXPECT_EQ(found.most.at(0).worst, At(16));  // 1 and -1; at 6 s it is 0 and 1
  EXPECT_EQ(found.most.at(0).from, At(10));
  EXPECT_EQ(found.most.at(0).to, At(20));
}

TEST(CompareRules, TakesMetricsByNameAndByNode) {
  Compared compared(Mixed());
  compared.options.metrics = {"m.2", "m.3", "n", "m.22"};
  const Comparison found = compared.Under(PcpLegacy(), Pcp632());
  EXPECT_EQ(found.metrics, 2);
  EXPECT_EQ(found.unknown, (std::vector<std::string>{"n", "m.22"}));
  compared.options.metrics = {"m"};
  EXPECT_EQ(compared.Under(PcpLegacy(), Pcp632()).metrics, 4);
}

TEST(CompareRules, ComparesNothingBehindTheEnd) {
  Compared compared(Instant());
  compared.options.start = At(10.5);
  const Comparison found = compared.Under(PcpLegacy(), Pcp632());
  EXPECT_EQ(found.times, 0);
  EXPECT_EQ(found.total.compared, 0);
  EXPECT_FALSE(found.failure);
}

TEST(CompareRules, ReachesEveryTimeOnceWhereThereAreMoreThanOneChunkOfAnswers) {
  Compared compared(Mixed());
  const Comparison found = compared.Under(PcpLegacy(), Pcp632(), 0.0007);
  EXPECT_EQ(found.times, 57143);
  EXPECT_GT(found.total.compared, 100'000);
  // Of 40 s three metric-instances differ in 15 s.
  EXPECT_NEAR(static_cast<double>(found.total.Differing()) / static_cast<double>(found.times),
              3 * 15 / 40.0, 0.001);
}

TEST(DeriveInterval, IsAPrimeOfSomeUnitAndAboutAThousandth) {
  EXPECT_EQ(DeriveInterval(13'000'000'000), 13'000'000);
  EXPECT_EQ(DeriveInterval(86'400'000'000'000), 110'000'000'000);
  EXPECT_EQ(DeriveInterval(1), 11);
  EXPECT_EQ(DeriveInterval(0), 1'000'000'000);
  EXPECT_GT(DeriveInterval(std::numeric_limits<std::int64_t>::max()), 0);
}

std::optional<Status> Drawn(const Compared& compared, const Profile& baseline,
                            const Profile& candidate, std::size_t count, Comparison* found) {
  ProfileSide of_baseline(baseline);
  ProfileSide of_candidate(candidate);
  const SideTask task{compared.archive(), {}, {}, 1 << 20};
  return DrawCurves(task, of_baseline, of_candidate, count, found);
}

TEST(DrawCurves, ShowsBothRulesAndTheRecordsAround) {
  Compared compared(Mixed());
  Comparison found = compared.Under(PcpLegacy(), Pcp632());
  ASSERT_FALSE(Drawn(compared, PcpLegacy(), Pcp632(), 1, &found));
  ASSERT_TRUE(found.most[0].curves);
  EXPECT_FALSE(found.most[1].curves);
  const Curves& curves = *found.most[0].curves;
  ASSERT_EQ(curves.baseline.size(), curves.candidate.size());
  ASSERT_GT(curves.baseline.size(), 300);
  std::size_t compared_here = 0;
  for (std::size_t i = 0; i < curves.baseline.size(); ++i) {
    const CurvePoint& baseline = curves.baseline[i];
    const CurvePoint& candidate = curves.candidate[i];
    EXPECT_EQ(baseline.time, candidate.time);
    if (i > 0) {
      EXPECT_LT(curves.baseline[i - 1].time, baseline.time);
    }
    if (baseline.time == At(7)) {
      EXPECT_EQ(baseline.number, 10);
      EXPECT_EQ(candidate.number, 20);
      EXPECT_TRUE(baseline.compared);
    }
    compared_here += baseline.compared ? 1 : 0;
  }
  EXPECT_EQ(compared_here, 36);  // from the start to the second gap after the place: 0 to 35 s
  ASSERT_GE(curves.records.size(), 5);
  EXPECT_EQ(curves.records[0].time, At(0));
  EXPECT_EQ(curves.records[0].number, 10);
  EXPECT_EQ(curves.records[2].kind, replay::Bound::Kind::kMark);
}

TEST(DrawCurves, ReadsTheContentsOfStrings) {
  Compared compared(Mixed());
  Comparison found = compared.Under(Pcp632(), Documented());
  ASSERT_EQ(found.most.size(), 1);
  ASSERT_FALSE(Drawn(compared, Pcp632(), Documented(), 9, &found));
  const Curves& curves = *found.most[0].curves;
  EXPECT_EQ(curves.records.at(0).text, "at 10");
  EXPECT_EQ(curves.records.at(1).text, "at 20");
}

}  // namespace
}  // namespace pmproof::validator
