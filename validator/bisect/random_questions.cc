// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "reference/replay/testing/random_archive.h"
#include "validator/bisect/plan_question.h"
#include "validator/bisect/questions.h"

namespace pmproof::validator {
namespace {

using replay::testing::Chance;
using replay::testing::RandomArchive;
using replay::testing::RandomMetric;
using replay::testing::Taste;

enum class Pattern : std::uint8_t { kForward, kBackward, kSeeks };

constexpr std::uint64_t kFetches = 12;

// The records that a script is about, by their times relative to the start of the archive.
struct Window {
  double begin = 0;
  double end = 0;
  double unit = 0.5;  // half of what is between two records, about
};

class RandomScript {
 public:
  RandomScript(Chance& chance, const QuestionArchive& archive, Window window)
      : chance_(chance), archive_(archive), window_(window) {}

  std::vector<ScriptStep> Steps() {
    constexpr Pattern kAll[] = {Pattern::kForward, Pattern::kBackward, Pattern::kSeeks};
    const Pattern pattern = kAll[chance_.Below(3)];
    const std::vector<std::vector<std::size_t>> lists = Lists(pattern);
    std::vector<ScriptStep> steps(kFetches);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      steps[i].metrics = lists[chance_.Below(lists.size())];
      if (i == 0 || (pattern == Pattern::kSeeks && chance_.In(3))) steps[i].seek = Seek(pattern);
    }
    return steps;
  }

 private:
  std::vector<std::vector<std::size_t>> Lists(Pattern pattern) {
    std::vector<std::vector<std::size_t>> lists;
    const std::uint64_t count = pattern == Pattern::kSeeks ? 1 + chance_.Below(3) : 1;
    for (std::uint64_t i = 0; i < count; ++i) {
      std::vector<std::size_t>& list = lists.emplace_back();
      for (std::size_t k = 0; k < archive_.log().metrics().size(); ++k) {
        if (i == 0 || chance_.In(2)) list.push_back(k);
      }
      if (list.empty()) list.push_back(0);
    }
    return lists;
  }

  replay::emulation::ExplainedStep::Seek Seek(Pattern pattern) {
    double step = window_.unit * static_cast<double>(1 + chance_.Below(5));
    const bool back =
        pattern == Pattern::kBackward || (pattern == Pattern::kSeeks && chance_.In(2));
    if (back) step = -step;
    double from = back ? window_.end : window_.begin;
    if (pattern == Pattern::kSeeks) {
      const auto quarters = static_cast<std::uint64_t>(
          std::clamp((window_.end - window_.begin) / window_.unit * 2, 0.0, 1e6));
      from = window_.begin + static_cast<double>(chance_.Below(quarters + 4)) * window_.unit / 2;
    }
    const Timestamp start = archive_.log().origin().start();
    return {start + std::llround(from * 1e9), StepOf(step)};
  }

  Chance& chance_;
  const QuestionArchive& archive_;
  Window window_;
};

}  // namespace

std::optional<Question> RandomQuestion(std::uint64_t number) {
  Chance chance(number + 1);
  Taste taste;
  taste.same_times = chance.In(4);
  taste.late_index = chance.In(8);
  const RandomArchive random(chance, taste);
  std::vector<std::uint32_t> items;
  for (const RandomMetric& metric : random.metrics) items.push_back(metric.item);
  std::optional<Question> question = PlanQuestion(random.plan, items).Done();
  if (!question) return std::nullopt;
  question->steps = RandomScript(chance, *question->archive, {0, random.end, 0.5}).Steps();
  return question;
}

Question RandomQuestionOver(std::shared_ptr<const QuestionArchive> archive, std::uint64_t number) {
  constexpr std::uint64_t kRecords = 12;
  Chance chance(number + 1);
  const auto& records = archive->log().records();
  // Around a mark every other time.
  std::vector<std::size_t> marks;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records[i].mark) marks.push_back(i);
  }
  std::size_t middle = chance.Below(std::max<std::uint64_t>(1, records.size()));
  if (!marks.empty() && chance.In(2)) middle = marks[chance.Below(marks.size())];
  const std::size_t first = middle - std::min<std::size_t>(middle, 1 + chance.Below(kRecords));
  const std::size_t last = std::min(middle + 1 + chance.Below(kRecords), records.size()) - 1;
  Window window;
  if (!records.empty()) {
    window.begin = std::min(records[first].at, records[last].at);
    window.end = std::max(records[first].at, records[last].at);
    const double each = (window.end - window.begin) / static_cast<double>(last - first + 1);
    window.unit = std::max(1e-6, std::round(each / 2 * 1e6) / 1e6);
  }
  Question question{std::move(archive), {}};
  question.steps = RandomScript(chance, *question.archive, window).Steps();
  return question;
}

}  // namespace pmproof::validator
