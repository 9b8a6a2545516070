// SPDX-License-Identifier: Apache-2.0
// An implementation that differs from every hypothesis: the clause, and the smallest archive.

#include "validator/bisect/witness.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "reference/replay/profiles.h"
#include "validator/bisect/plan_question.h"
#include "validator/bisect/questions.h"

namespace pmproof::validator {
namespace {

const Hypothesis kPcp{std::nullopt, PcpVersion::k6_3_8, SwitchesOf(PcpVersion::k6_3_8)};

// PCP 6.3.8, but that each value with this clause is another one.
class Odd final : public Respondent {
 public:
  Odd(const HypothesisSpace& space, std::string clause)
      : space_(space), clause_(std::move(clause)) {}

  tl::expected<AnswerCells, NotAnswered> Ask(const Question& question) override {
    AnswerCells cells = Predict(question, space_, kPcp).value();
    for (auto& [cell, text] : cells) {
      if (KindOf(question, cell, space_, kPcp).clause == clause_) text += "1";
    }
    return cells;
  }

 private:
  const HypothesisSpace& space_;
  std::string clause_;
};

class WitnessTest : public ::testing::Test {
 protected:
  // A mark and a value at one time, beside the questions that there are.
  static Question MarkAtAValue() {
    using namespace replay::testing;  // NOLINT: the words of plans
    Plan plan;
    plan.Metric(2, MetricType::kU32, Semantics::kInstant)
        .Record(0, {U32(2, 1)})
        .Mark(10)
        .Record(10, {U32(2, 3)})
        .Record(20, {U32(2, 4)});
    return PlanQuestion(plan, {2}).From(0, 5).Fetch(4).Done().value();
  }

  WitnessTest() {
    std::vector<Question> all = SmallestQuestions();
    all.push_back(MarkAtAValue());
    for (std::size_t i = 0; i < 60; ++i) {
      if (auto question = RandomQuestion(i)) all.push_back(*std::move(question));
    }
    for (const Question& question : all) {
      if (auto predicted = PredictAll(question, space_)) {
        questions_.push_back(*std::move(predicted));
      }
    }
  }

  std::vector<Witness> WitnessesOf(const std::string& clause) {
    Odd odd(space_, clause);
    result_ = Search(space_, questions_, odd, {});
    const WitnessOptions options{.storage = storage_, .catalogue = catalogue_};
    return FindWitnesses(space_, questions_, result_, odd, options);
  }

  HypothesisSpace space_{replay::NamedProfiles(replay::CounterWrap::kOff)};
  std::vector<PredictedQuestion> questions_;
  SearchResult result_;
  archive::MemoryStorage storage_;
  const Catalogue catalogue_ = Catalogue::Shipped();
};

TEST_F(WitnessTest, NamesTheClauseAndShrinksTheArchive) {
  for (const char* clause : {"INT-704", "INT-503"}) {
    const std::vector<Witness> witnesses = WitnessesOf(clause);
    EXPECT_EQ(space_[result_.plainest].version, kPcp.version) << clause;
    EXPECT_EQ(space_[result_.plainest].on, kPcp.on) << clause;
    ASSERT_FALSE(witnesses.empty()) << clause;
    for (const Witness& witness : witnesses) {
      EXPECT_EQ(witness.kind.clause, clause);
      EXPECT_EQ(witness.answered, witness.expected + "1");
      EXPECT_TRUE(witness.shrunk);
      EXPECT_LE(witness.question.archive->log().records().size(), 4U) << clause;
      EXPECT_LE(witness.question.steps.size(), 2U) << clause;
    }
  }
}

TEST_F(WitnessTest, FindsNothingWhereNothingDiffers) {
  EXPECT_TRUE(WitnessesOf("INT-999").empty());
  EXPECT_EQ(result_.differing, 0U);
}

}  // namespace
}  // namespace pmproof::validator
