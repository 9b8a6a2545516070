// SPDX-License-Identifier: Apache-2.0
#include "validator/bisect/witness.h"

#include <algorithm>
#include <map>
#include <utility>

#include "reference/replay/emulation/ambiguity.h"
#include "reference/replay/fetch_script.h"
#include "validator/synthesis/shrink.h"

namespace pmproof::validator {
namespace {

namespace emulation = replay::emulation;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMemory = std::size_t{64} << 20;

const emulation::LoggedMetric* MetricOf(const Question& question, const AnswerCell& cell) {
  if (cell.metric == AnswerCell::kWholeFetch) return nullptr;
  const std::size_t number =
      question.steps[cell.fetch].metrics[static_cast<std::size_t>(cell.metric)];
  return &question.archive->log().metrics()[number];
}

// The answer of a rule to the last fetch of a question, at that place.
std::optional<replay::MetricAnswer> LastAnswer(const Question& question,
                                               const replay::Profile& rule, std::int32_t place) {
  replay::ReplayRequest request;
  for (const auto& metric : question.archive->log().metrics()) {
    request.metrics.push_back(metric.descriptor.pmid);
  }
  const std::vector<Timestamp> times = TimesOf(question);
  std::vector<replay::ScriptedFetch> script;
  for (std::size_t i = 0; i < times.size(); ++i) {
    script.push_back({times[i], question.steps[i].seek.has_value(), question.steps[i].metrics});
  }
  std::optional<replay::MetricAnswer> last;
  std::size_t fetches = 0;
  const auto sink = [&](const replay::FetchAnswer& fetch) {
    // Earlier ones may have fewer metrics.
    if (++fetches < script.size() || fetch.status != ErrorCode::kOk) return;
    last = fetch.metrics[static_cast<std::size_t>(place)];
  };
  const auto error =
      replay::FetchScript(question.archive->archive(), std::move(request), rule, script, sink);
  return error ? std::nullopt : last;
}

const replay::InstanceAnswer* Find(const std::optional<replay::MetricAnswer>& metric,
                                   std::int64_t instance) {
  if (!metric) return nullptr;
  const auto found = std::ranges::find(
      metric->values, instance, [](const auto& value) { return std::int64_t{value.instance}; });
  return found == metric->values.end() ? nullptr : &*found;
}

// The fetches up to one.
Question Until(const Question& question, std::size_t fetch) {
  Question head = question;
  head.steps.resize(fetch + 1);
  return head;
}

// One fetch alone, at the same time.
Question Alone(const Question& question, std::size_t fetch) {
  Question alone = question;
  ScriptStep step = question.steps[fetch];
  replay::Delta delta;
  for (std::size_t i = 0; i <= fetch; ++i) {
    if (question.steps[i].seek) delta = question.steps[i].seek->delta;
  }
  step.seek = {TimesOf(question)[fetch], delta};
  alone.steps = {std::move(step)};
  return alone;
}

std::string ClauseOf(const Question& question, const AnswerCell& cell, const HypothesisSpace& space,
                     const Hypothesis& hypothesis) {
  const emulation::LoggedMetric* metric = MetricOf(question, cell);
  if (metric == nullptr) return "INT-206";
  if (cell.instance == AnswerCell::kWholeMetric) return "INT-405";
  const emulation::RecordLog& log = question.archive->log();
  const double t = log.origin().Relative(TimesOf(question)[cell.fetch]);
  const auto instance = std::ranges::find(metric->instances, cell.instance,
                                          [](std::int32_t id) { return std::int64_t{id}; });
  if (instance == metric->instances.end()) return "INT-401";
  const auto place = static_cast<std::size_t>(instance - metric->instances.begin());
  if (const auto ambiguous = emulation::Ambiguities(log).At(metric->first_cell + place, t)) {
    return ToText(*ambiguous);
  }
  const replay::Profile rule =
      hypothesis.profile ? space.profiles()[*hypothesis.profile]
                         : emulation::ReferenceOf(hypothesis.version, replay::CounterWrap::kOff);
  const auto after_all = LastAnswer(Until(question, cell.fetch), rule, cell.metric);
  if (const auto* value = Find(after_all, cell.instance)) return value->why.ToString();
  if (Find(LastAnswer(Alone(question, cell.fetch), rule, cell.metric), cell.instance) != nullptr) {
    return "INT-706";
  }
  if (metric->has_lives) {
    const replay::Candidate& life = metric->lives[place];
    if (t < life.birth || (life.death && t > *life.death)) return "INT-403";
  }
  return "INT-502";
}

// One witness on its way to the smallest.
class Shrinking {
 public:
  Shrinking(const HypothesisSpace& space, const Hypothesis& hypothesis, Respondent& respondent,
            const WitnessOptions& options, Clock::time_point end, Witness witness)
      : space_(space),
        hypothesis_(hypothesis),
        respondent_(respondent),
        options_(options),
        end_(end),
        witness_(std::move(witness)) {}

  Witness Run() {
    Try(Until(witness_.question, witness_.cell.fetch));
    Try(Alone(witness_.question, witness_.cell.fetch));
    DropMetrics();
    DropSteps();
    ShrinkArchive();
    DropSteps();
    witness_.shrunk = !Expired();
    return std::move(witness_);
  }

 private:
  bool Expired() const { return Clock::now() >= end_ || (options_.stop && options_.stop()); }

  // Takes the question if a difference of the kind shows in it.
  bool Try(Question question) {
    if (Expired() || question.steps.empty() || !question.steps.front().seek) return false;
    const auto predicted = Predict(question, space_, hypothesis_);
    if (!predicted) return false;
    const auto answer = respondent_.Ask(question);
    if (!answer) return false;
    for (const AnswerCell& cell : DifferingCells(*predicted, *answer)) {
      if (KindOf(question, cell, space_, hypothesis_) != witness_.kind) continue;
      witness_.cell = cell;
      witness_.expected = TextAt(*predicted, cell);
      witness_.answered = TextAt(*answer, cell);
      witness_.question = std::move(question);
      return true;
    }
    return false;
  }

  void DropMetrics() {
    const std::size_t count = witness_.question.archive->log().metrics().size();
    for (std::size_t metric = 0; metric < count && count > 1; ++metric) {
      Question less = witness_.question;
      for (ScriptStep& step : less.steps) std::erase(step.metrics, metric);
      std::erase_if(less.steps, [](const ScriptStep& step) { return step.metrics.empty(); });
      Try(std::move(less));
    }
  }

  // From the back, so that what a fetch goes on from stays as long as it can.
  void DropSteps() {
    for (std::size_t i = witness_.question.steps.size(); i-- > 0;) {
      if (i >= witness_.question.steps.size()) continue;
      Question less = witness_.question;
      if (i + 1 < less.steps.size() && !less.steps[i + 1].seek) {
        less.steps[i + 1].seek = Alone(less, i + 1).steps.front().seek;
      }
      less.steps.erase(less.steps.begin() + static_cast<std::ptrdiff_t>(i));
      Try(std::move(less));
    }
  }

  // A generated archive is read from memory.
  void ShrinkArchive() {
    if (Expired()) return;
    const std::shared_ptr<const QuestionArchive> archive = witness_.question.archive;
    archive::MemoryStorage memory;
    if (archive->files() != nullptr) {
      for (const auto& [file, bytes] : archive->files()->files) {
        memory.files[file].assign(bytes.begin(), bytes.end());
      }
    }
    const archive::Storage& storage = archive->files() != nullptr
                                          ? static_cast<const archive::Storage&>(memory)
                                          : options_.storage;
    std::vector<Pmid> metrics;
    for (const auto& metric : archive->log().metrics()) {
      metrics.push_back(metric.descriptor.pmid);
    }
    RestrictMetrics(&metrics);
    ShrinkOptions options;
    options.base = "witness";
    options.check = options_.check;
    options.expired = [this] { return Expired(); };
    options.keeps = [&](const NamedFiles& files, const std::vector<std::string>& names) {
      auto smaller = QuestionArchive::Of(names.front(), files, metrics, kMemory);
      return smaller && Try({*std::move(smaller), witness_.question.steps});
    };
    // What it takes last is the witness already.
    (void)Shrink(storage, {archive->name()}, options_.catalogue, options, nullptr);
  }

  // Those that are still asked for; the steps count them anew.
  void RestrictMetrics(std::vector<Pmid>* metrics) {
    std::vector<bool> used(metrics->size(), false);
    for (const ScriptStep& step : witness_.question.steps) {
      for (const std::size_t metric : step.metrics) used[metric] = true;
    }
    std::vector<std::size_t> number(metrics->size(), 0);
    std::vector<Pmid> kept;
    for (std::size_t i = 0; i < metrics->size(); ++i) {
      number[i] = kept.size();
      if (used[i]) kept.push_back((*metrics)[i]);
    }
    Question question = witness_.question;
    for (ScriptStep& step : question.steps) {
      for (std::size_t& metric : step.metrics) metric = number[metric];
    }
    const QuestionArchive& archive = *witness_.question.archive;
    auto same = archive.files() != nullptr
                    ? QuestionArchive::Of(archive.name(), *archive.files(), kept, kMemory)
                    : QuestionArchive::Open(options_.storage, archive.name(), kept, kMemory);
    if (!same) return;
    question.archive = *std::move(same);
    if (Try(std::move(question))) *metrics = std::move(kept);
  }

  const HypothesisSpace& space_;
  const Hypothesis& hypothesis_;
  Respondent& respondent_;
  const WitnessOptions& options_;
  Clock::time_point end_;
  Witness witness_;
};

}  // namespace

DifferenceKind KindOf(const Question& question, const AnswerCell& cell,
                      const HypothesisSpace& space, const Hypothesis& hypothesis) {
  const emulation::LoggedMetric* metric = MetricOf(question, cell);
  return {ClauseOf(question, cell, space, hypothesis),
          metric == nullptr ? Semantics::kInstant : metric->descriptor.semantics};
}

std::vector<Witness> FindWitnesses(const HypothesisSpace& space,
                                   std::span<const PredictedQuestion> questions,
                                   const SearchResult& result, Respondent& respondent,
                                   const WitnessOptions& options) {
  const Hypothesis& hypothesis = space[result.plainest];
  std::map<DifferenceKind, Witness> kinds;
  for (const AskedQuestion& asked : result.asked) {
    const PredictedQuestion& question = questions[asked.question];
    const AnswerCells& predicted = question.answers[question.answer_of[result.plainest]];
    for (const AnswerCell& cell : DifferingCells(predicted, asked.answer)) {
      const DifferenceKind kind = KindOf(question.question, cell, space, hypothesis);
      Witness& witness = kinds[kind];
      ++witness.count;
      const bool smaller =
          witness.count == 1 || question.question.archive->log().records().size() <
                                    witness.question.archive->log().records().size();
      if (!smaller) continue;
      witness.kind = kind;
      witness.question = question.question;
      witness.cell = cell;
      witness.expected = TextAt(predicted, cell);
      witness.answered = TextAt(asked.answer, cell);
    }
  }
  std::vector<Witness> witnesses;
  for (auto& [kind, witness] : kinds) witnesses.push_back(std::move(witness));
  std::ranges::stable_sort(witnesses, std::ranges::greater(), &Witness::count);
  witnesses.resize(std::min(witnesses.size(), options.most));
  const Clock::time_point start = Clock::now();
  for (std::size_t i = 0; i < witnesses.size(); ++i) {
    const auto end = start + options.budget * (i + 1) / witnesses.size();
    witnesses[i] =
        Shrinking(space, hypothesis, respondent, options, end, std::move(witnesses[i])).Run();
  }
  return witnesses;
}

}  // namespace pmproof::validator
