// SPDX-License-Identifier: Apache-2.0
// What was switched on is named, of each version: every subset of up to three deviations, alone and
// left out.

#include "validator/bisect/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "reference/replay/profiles.h"
#include "validator/bisect/questions.h"

namespace pmproof::validator {
namespace {

using replay::emulation::Deviation;

// Answers by a hypothesis.
class Emulation final : public Respondent {
 public:
  Emulation(const HypothesisSpace& space, Hypothesis hypothesis)
      : space_(space), hypothesis_(hypothesis) {}

  tl::expected<AnswerCells, NotAnswered> Ask(const Question& question) override {
    ++asked;
    return Predict(question, space_, hypothesis_).value();
  }

  int asked = 0;

 private:
  const HypothesisSpace& space_;
  Hypothesis hypothesis_;
};

class Silent final : public Respondent {
 public:
  explicit Silent(NotAnswered::Kind kind) : kind_(kind) {}
  tl::expected<AnswerCells, NotAnswered> Ask(const Question&) override {
    ++asked;
    return tl::unexpected(NotAnswered{kind_, "why"});
  }
  int asked = 0;

 private:
  NotAnswered::Kind kind_;
};

class SearchTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    space_ = new HypothesisSpace(replay::NamedProfiles(replay::CounterWrap::kOff));
    questions_ = new std::vector<PredictedQuestion>();
    std::vector<Question> all = SmallestQuestions();
    for (std::size_t i = 0; i < 150; ++i) {
      if (auto question = RandomQuestion(i)) all.push_back(*std::move(question));
    }
    for (const Question& question : all) {
      if (auto predicted = PredictAll(question, *space_)) {
        questions_->push_back(*std::move(predicted));
      }
    }
  }
  static void TearDownTestSuite() {
    delete questions_;
    delete space_;
  }

  static SearchResult Found(const Hypothesis& hypothesis, bool confirm = false) {
    Emulation emulation(*space_, hypothesis);
    SearchOptions options;
    options.confirm = confirm;
    return Search(*space_, *questions_, emulation, options);
  }

  // Where the place at which DEV-17 lets a search begin shows in no answer (its clause says so).
  static DeviationMask Hidden(const Hypothesis& hypothesis) {
    const auto is_on = [&](Deviation deviation) {
      return (hypothesis.on & MaskOf({deviation})) != 0;
    };
    const bool shows =
        is_on(Deviation::kMarksUnseenInPlacing) ||
        (hypothesis.version != PcpVersion::k7_2 && is_on(Deviation::kSuppressionByWhatIsMet));
    return shows ? 0 : MaskOf({Deviation::kSizeOfOpenVolume});
  }

  static void ExpectNamed(const Hypothesis& hypothesis) {
    const SearchResult found = Found(hypothesis);
    const auto entry =
        std::ranges::find(found.versions, hypothesis.version, &ExplainedVersion::version);
    const std::string what = std::to_string(static_cast<int>(hypothesis.version)) + " with mask " +
                             std::to_string(hypothesis.on);
    ASSERT_NE(entry, found.versions.end()) << what;
    const DeviationMask hidden = Hidden(hypothesis);
    EXPECT_EQ(entry->undecided, hidden) << what;
    EXPECT_EQ(entry->on, hypothesis.on & ~hidden) << what;
    EXPECT_EQ(found.differing, 0U) << what;
    EXPECT_LE(found.asked.size(), 40U) << what;
  }

  static std::vector<DeviationMask> SubsetsUpTo(int most, PcpVersion version) {
    std::vector<DeviationMask> subsets;
    for (DeviationMask mask = 0; mask <= kEverySwitch; ++mask) {
      if (std::popcount(mask) <= most && (mask & ~SwitchesOf(version)) == 0) {
        subsets.push_back(mask);
      }
    }
    return subsets;
  }

  static HypothesisSpace* space_;
  static std::vector<PredictedQuestion>* questions_;
};

HypothesisSpace* SearchTest::space_ = nullptr;
std::vector<PredictedQuestion>* SearchTest::questions_ = nullptr;

TEST_F(SearchTest, NamesEachSubsetOfUpToThreeDeviationsThatIsOn) {
  for (const PcpVersion version : kBisectVersions) {
    for (const DeviationMask on : SubsetsUpTo(3, version)) {
      ExpectNamed({std::nullopt, version, on});
    }
  }
}

TEST_F(SearchTest, NamesEachSubsetOfUpToThreeDeviationsThatIsOff) {
  for (const PcpVersion version : kBisectVersions) {
    for (const DeviationMask off : SubsetsUpTo(3, version)) {
      ExpectNamed({std::nullopt, version, SwitchesOf(version) & ~off});
    }
  }
}

TEST_F(SearchTest, TellsTheVersionsApart) {
  for (const PcpVersion version : kBisectVersions) {
    const SearchResult found = Found({std::nullopt, version, SwitchesOf(version)});
    ASSERT_EQ(found.versions.size(), 1U);
    EXPECT_EQ(found.versions.front().version, version);
    EXPECT_TRUE(found.profiles.empty());
  }
}

TEST_F(SearchTest, NamesProfiles) {
  for (std::size_t i = 0; i < space_->profiles().size(); ++i) {
    const SearchResult found = Found({i, {}, 0});
    ASSERT_EQ(found.profiles.size(), 1U);
    EXPECT_EQ((*space_)[found.profiles.front()].profile, i);
    EXPECT_EQ(found.plainest, found.profiles.front());
  }
}

TEST_F(SearchTest, AsksTheOthersOnlyToConfirm) {
  const Hypothesis hypothesis{std::nullopt, PcpVersion::k6_3_8, SwitchesOf(PcpVersion::k6_3_8)};
  const SearchResult short_one = Found(hypothesis);
  const SearchResult long_one = Found(hypothesis, /*confirm=*/true);
  EXPECT_EQ(short_one.asked.size(), short_one.separating);
  EXPECT_EQ(long_one.separating, short_one.separating);
  EXPECT_EQ(long_one.asked.size(), questions_->size());
  EXPECT_EQ(long_one.best, short_one.best);
}

TEST_F(SearchTest, StopsAtTheNumberOfQuestions) {
  Emulation emulation(*space_, {std::nullopt, PcpVersion::k7_2, 0});
  SearchOptions options;
  options.questions = 3;
  const SearchResult found = Search(*space_, *questions_, emulation, options);
  EXPECT_EQ(emulation.asked, 3);
  EXPECT_GT(found.best.size(), 1U);
}

TEST_F(SearchTest, GivesUpWhatBreaksAndGoesOnWhereAQuestionIsRefused) {
  Silent dead(NotAnswered::Kind::kCrash);
  EXPECT_TRUE(Search(*space_, *questions_, dead, {}).broke);
  EXPECT_EQ(dead.asked, 3);
  Silent refusing(NotAnswered::Kind::kReject);
  SearchOptions options;
  options.questions = 20;
  const SearchResult found = Search(*space_, *questions_, refusing, options);
  EXPECT_EQ(refusing.asked, 20);
  EXPECT_FALSE(found.broke);
  EXPECT_EQ(found.unanswered.begin()->second, 20U);
}

// What a hypothesis is predicted to answer by the deviations that matter is what it answers.
TEST_F(SearchTest, PredictsWhatIsAnswered) {
  for (std::size_t q = 0; q < questions_->size(); q += 7) {
    const PredictedQuestion& question = (*questions_)[q];
    for (std::size_t i = 0; i < space_->size(); i += 97) {
      EXPECT_EQ(question.answers[question.answer_of[i]],
                Predict(question.question, *space_, (*space_)[i]).value())
          << "question " << q << ", hypothesis " << i;
    }
  }
}

}  // namespace
}  // namespace pmproof::validator
