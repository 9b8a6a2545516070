// SPDX-License-Identifier: Apache-2.0
#include "validator/bisect/search.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

namespace pmproof::validator {
namespace {

constexpr int kMostBreaks = 3;

class Searching {
 public:
  Searching(const HypothesisSpace& space, std::span<const PredictedQuestion> questions,
            Respondent& respondent, const SearchOptions& options)
      : space_(space),
        questions_(questions),
        respondent_(respondent),
        options_(options),
        differing_(space.size(), 0),
        open_(questions.size(), true) {
    for (std::size_t i = 0; i < space.size(); ++i) found_.best.push_back(i);
  }

  SearchResult Run() {
    while (const auto next = MostSeparating()) {
      if (!Ask(*next)) break;
      found_.separating = found_.asked.size();
    }
    for (std::size_t i = 0; options_.confirm && i < questions_.size(); ++i) {
      if (open_[i] && !Ask(i)) break;
    }
    Summarise();
    return std::move(found_);
  }

 private:
  // By the number that is left on average; the first of several.
  std::optional<std::size_t> MostSeparating() const {
    std::optional<std::size_t> best;
    std::uint64_t least = std::uint64_t{found_.best.size()} * found_.best.size();
    std::vector<std::uint32_t> counts;
    for (std::size_t i = 0; i < questions_.size(); ++i) {
      if (!open_[i]) continue;
      counts.assign(questions_[i].answers.size(), 0);
      for (const std::size_t hypothesis : found_.best) {
        ++counts[questions_[i].answer_of[hypothesis]];
      }
      std::uint64_t squares = 0;
      for (const std::uint64_t count : counts) squares += count * count;
      if (squares >= least) continue;
      least = squares;
      best = i;
    }
    return best;
  }

  // False if nothing more is to be asked.
  bool Ask(std::size_t number) {
    if (done_ >= options_.questions || breaks_ >= kMostBreaks) return false;
    if (options_.stop && options_.stop()) return false;
    open_[number] = false;
    if (options_.progress) {
      options_.progress(done_, std::min(options_.questions, questions_.size()), found_.best.size());
    }
    ++done_;
    const PredictedQuestion& asked = questions_[number];
    auto answer = respondent_.Ask(asked.question);
    if (!answer) {
      const bool broke = answer.error().broke();
      breaks_ = broke ? breaks_ + 1 : 0;
      found_.broke = found_.broke || broke;
      ++found_.unanswered[std::move(answer.error())];
      return true;
    }
    breaks_ = 0;
    std::vector<std::uint64_t> differing;
    std::size_t parts = answer->size();
    for (const AnswerCells& predicted : asked.answers) {
      differing.push_back(DifferingCells(*answer, predicted).size());
      parts = std::max(parts, predicted.size());
    }
    found_.compared += parts;
    for (std::size_t i = 0; i < space_.size(); ++i) differing_[i] += differing[asked.answer_of[i]];
    const std::uint64_t least = *std::ranges::min_element(differing_);
    found_.best.clear();
    for (std::size_t i = 0; i < space_.size(); ++i) {
      if (differing_[i] == least) found_.best.push_back(i);
    }
    found_.differing = least;
    found_.asked.push_back({number, *std::move(answer)});
    return true;
  }

  static std::tuple<int, int, int, std::size_t> PlainnessOf(const Hypothesis& hypothesis,
                                                            std::size_t number) {
    if (hypothesis.profile) return {0, 0, 0, number};
    const DeviationMask all = SwitchesOf(hypothesis.version);
    const int on = std::popcount(hypothesis.on);
    const int off = std::popcount(all & ~hypothesis.on);
    // Real versions first, the latest of them.
    return {off == 0 ? 0 : 1, std::min(on, off), -static_cast<int>(hypothesis.version), number};
  }

  void Summarise() {
    std::vector<std::size_t>& best = found_.best;
    found_.plainest = *std::ranges::min_element(
        best, {}, [&](std::size_t i) { return PlainnessOf(space_[i], i); });
    for (const std::size_t i : best) {
      if (space_[i].profile) found_.profiles.push_back(i);
    }
    for (const PcpVersion version : kBisectVersions) {
      const DeviationMask all = SwitchesOf(version);
      DeviationMask always = all;
      DeviationMask ever = 0;
      bool any = false;
      for (const std::size_t i : best) {
        if (space_[i].profile || space_[i].version != version) continue;
        any = true;
        always &= space_[i].on;
        ever |= space_[i].on;
      }
      if (any) found_.versions.push_back({version, always, all & ~ever, ever & ~always});
    }
  }

  const HypothesisSpace& space_;
  std::span<const PredictedQuestion> questions_;
  Respondent& respondent_;
  const SearchOptions& options_;
  std::vector<std::uint64_t> differing_;  // of each hypothesis
  std::vector<bool> open_;                // of each question: it was not asked
  std::size_t done_ = 0;
  int breaks_ = 0;
  SearchResult found_;
};

}  // namespace

SearchResult Search(const HypothesisSpace& space, std::span<const PredictedQuestion> questions,
                    Respondent& respondent, const SearchOptions& options) {
  return Searching(space, questions, respondent, options).Run();
}

}  // namespace pmproof::validator
