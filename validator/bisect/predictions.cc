// SPDX-License-Identifier: Apache-2.0
#include "validator/bisect/predictions.h"

#include <bit>
#include <map>
#include <utility>

#include "reference/replay/emulation/pcp_context.h"
#include "reference/replay/fetch_script.h"

namespace pmproof::validator {
namespace {

using replay::emulation::EmulatedFetch;
using replay::emulation::PcpContext;

Result<AnswerCells> OfEmulation(const Question& question, PcpVersion version, DeviationMask on) {
  PcpContext context(question.archive->log(), version, replay::CounterWrap::kOff, WithOnly(on));
  AnswerCells cells;
  for (std::size_t i = 0; i < question.steps.size(); ++i) {
    const ScriptStep& step = question.steps[i];
    if (step.seek) context.SetMode(step.seek->time, step.seek->delta);
    const EmulatedFetch fetch = context.Fetch(step.metrics);
    if (fetch.undefined) {
      return tl::unexpected(
          Status{.kind = Status::Kind::kUnsupported,
                 .message = "PCP may crash or answer anything (" + ToText(*fetch.undefined) + ")"});
    }
    AppendCells(fetch, i, &cells);
  }
  return cells;
}

Result<AnswerCells> OfProfile(const Question& question, const replay::Profile& profile) {
  replay::ReplayRequest request;
  for (const auto& metric : question.archive->log().metrics()) {
    request.metrics.push_back(metric.descriptor.pmid);
  }
  std::vector<replay::ScriptedFetch> script;
  const std::vector<Timestamp> times = TimesOf(question);
  for (std::size_t i = 0; i < times.size(); ++i) {
    script.push_back({times[i], question.steps[i].seek.has_value(), question.steps[i].metrics});
  }
  AnswerCells cells;
  std::size_t number = 0;
  const auto sink = [&](const replay::FetchAnswer& fetch) { AppendCells(fetch, number++, &cells); };
  if (auto error = replay::FetchScript(question.archive->archive(), std::move(request), profile,
                                       script, sink)) {
    return tl::unexpected(*error);
  }
  return cells;
}

class Predicting {
 public:
  Predicting(const Question& question, const HypothesisSpace& space, std::size_t most)
      : question_(question), space_(space), most_(most) {}

  std::optional<PredictedQuestion> Run() {
    for (const PcpVersion version : kBisectVersions) {
      if (!FindRelevant(version)) return std::nullopt;
    }
    predicted_.answer_of.reserve(space_.size());
    for (std::size_t i = 0; i < space_.size(); ++i) {
      const Hypothesis& hypothesis = space_[i];
      std::optional<std::uint16_t> number;
      if (hypothesis.profile) {
        const auto cells = OfProfile(question_, space_.profiles()[*hypothesis.profile]);
        if (cells) number = NumberOf(*cells);
      } else {
        number = Played(hypothesis.version, hypothesis.on & relevant_.at(hypothesis.version));
      }
      if (!number) return std::nullopt;
      predicted_.answer_of.push_back(*number);
    }
    if (predicted_.answers.size() < 2) return std::nullopt;
    predicted_.question = question_;
    return std::move(predicted_);
  }

 private:
  // Whether all deviations that matter were found and are not too many. Each is switched with all
  // others off, with all on, and with each subset of those that were found.
  bool FindRelevant(PcpVersion version) {
    const DeviationMask all = SwitchesOf(version);
    DeviationMask relevant = 0;
    while (true) {
      if (static_cast<std::size_t>(std::popcount(relevant)) > most_) return false;
      const std::optional<DeviationMask> more = MoreRelevant(version, all, relevant);
      if (!more) return false;
      if (*more == 0) break;
      relevant |= *more;
    }
    relevant_[version] = relevant;
    return true;
  }

  // Zero if there are none. Nothing where PCP may answer anything.
  std::optional<DeviationMask> MoreRelevant(PcpVersion version, DeviationMask all,
                                            DeviationMask relevant) {
    // All subsets of `relevant`, in the usual descending way.
    for (DeviationMask subset = relevant;; subset = (subset - 1) & relevant) {
      const auto without = Played(version, subset);
      const auto with = Played(version, subset | (all & ~relevant));
      if (!without || !with) return std::nullopt;
      DeviationMask more = 0;
      for (DeviationMask bit = 1; bit <= all; bit <<= 1) {
        if ((bit & all & ~relevant) == 0) continue;
        const auto one_more = Played(version, subset | bit);
        const auto one_less = Played(version, (subset | (all & ~relevant)) & ~bit);
        if (!one_more || !one_less) return std::nullopt;
        if (*one_more != *without || *one_less != *with) more |= bit;
      }
      // Several that matter together only: each of them may.
      if (more == 0 && *with != *without) more = all & ~relevant;
      if (more != 0) return more;
      if (subset == 0) return 0;
    }
  }

  std::optional<std::uint16_t> Played(PcpVersion version, DeviationMask on) {
    const auto key = std::pair(version, on);
    if (const auto known = played_.find(key); known != played_.end()) return known->second;
    const auto cells = OfEmulation(question_, version, on);
    if (!cells) return std::nullopt;
    return played_[key] = NumberOf(*cells);
  }

  std::uint16_t NumberOf(const AnswerCells& cells) {
    const auto [known, added] =
        numbers_.emplace(cells, static_cast<std::uint16_t>(predicted_.answers.size()));
    if (added) predicted_.answers.push_back(cells);
    return known->second;
  }

  const Question& question_;
  const HypothesisSpace& space_;
  std::size_t most_;
  std::map<PcpVersion, DeviationMask> relevant_;
  std::map<std::pair<PcpVersion, DeviationMask>, std::uint16_t> played_;
  std::map<AnswerCells, std::uint16_t> numbers_;
  PredictedQuestion predicted_;
};

}  // namespace

Result<AnswerCells> Predict(const Question& question, const HypothesisSpace& space,
                            const Hypothesis& hypothesis) {
  if (hypothesis.profile) return OfProfile(question, space.profiles()[*hypothesis.profile]);
  return OfEmulation(question, hypothesis.version, hypothesis.on);
}

std::optional<PredictedQuestion> PredictAll(const Question& question, const HypothesisSpace& space,
                                            std::size_t most) {
  return Predicting(question, space, most).Run();
}

}  // namespace pmproof::validator
