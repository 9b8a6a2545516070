// SPDX-License-Identifier: Apache-2.0
#include "validator/rules_diff/comparison_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string_view>
#include <utility>

#include "validator/replay/value_text.h"
#include "validator/text/display.h"
#include "validator/text/quote.h"

namespace pmproof::validator {
namespace {

std::string Quoted(std::string_view text) {
  std::string quoted;
  AppendQuoted(text, Quoting::kText, &quoted);
  return quoted;
}

std::string BoundText(const replay::Bound& bound) {
  using Kind = replay::Bound::Kind;
  if (bound.kind == Kind::kNone) return "nothing";
  std::string text = bound.kind == Kind::kMark     ? "a mark"
                     : bound.kind == Kind::kDamage ? "a damaged record"
                     : IsNumeric(bound.value.type) ? ValueText(bound.value)
                                                   : "a value";
  return text + " at " + TimeText(bound.moment.time) + " (record " +
         std::to_string(bound.moment.record) + ")";
}

std::string CountText(std::uint64_t count) { return count == 0 ? "-" : std::to_string(count); }

}  // namespace

std::string SeriesText(const SeriesName& name) {
  if (name.instance == kInstanceNull) return name.metric;
  return name.metric + " [" + std::to_string(name.instance) +
         (name.instance_name.empty() ? "" : " " + Quoted(name.instance_name)) + "]";
}

std::string NumberText(long double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4Lg", number);
  return text.data();
}

std::string PercentText(long double part) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3Lg %%", part * 100);
  return text.data();
}

std::string ShareText(std::uint64_t part, std::uint64_t all) {
  const double share = static_cast<double>(part) / static_cast<double>(all);
  if (part > 0 && share < 0.0001) return "< 0.01 %";
  if (part < all && share > 0.999) return "> 99.9 %";
  return PercentText(share);
}

std::string DistanceText(const Distance& distance, bool any) {
  if (!any) return "-";
  return NumberText(distance.absolute) + " (" + PercentText(distance.relative) + ")";
}

std::string IntervalText(std::int64_t nanoseconds) {
  std::int64_t unit = 1'000'000'000;
  for (const char* name : {"s", "ms", "us"}) {
    if (nanoseconds % unit == 0) return std::to_string(nanoseconds / unit) + name;
    unit /= 1000;
  }
  return std::to_string(nanoseconds) + "ns";
}

std::string ClauseText(Clause clause) { return clause.empty() ? "none cited" : clause.ToString(); }

std::string KindText(NotAnswered::Kind kind) {
  switch (kind) {
    case NotAnswered::Kind::kSkip:
      return "skip";
    case NotAnswered::Kind::kReject:
      return "reject";
    case NotAnswered::Kind::kError:
      return "error";
    case NotAnswered::Kind::kCrash:
      return "crash";
    case NotAnswered::Kind::kTimeout:
      return "timeout";
    case NotAnswered::Kind::kProtocol:
      return "protocol";
  }
  return "";
}

std::vector<std::string> UnansweredTexts(const Comparison& comparison,
                                         const ComparisonReport& report) {
  std::vector<std::string> texts;
  const auto add = [&](const SideNote& side, const auto& reasons) {
    for (const auto& [why, count] : reasons) {
      texts.push_back("no answer of " + side.name + " to " + std::to_string(count) + " of " +
                      std::to_string(comparison.metrics * comparison.times) +
                      " questions (a metric at a time): " + KindText(why.kind) + ": " + why.text);
    }
  };
  add(report.baseline, comparison.baseline_unanswered);
  add(report.candidate, comparison.candidate_unanswered);
  return texts;
}

std::vector<std::string> ExplainedTexts(const Comparison& comparison,
                                        const ComparisonReport& report) {
  std::vector<std::string> texts;
  if (!report.explained_by) return texts;
  std::uint64_t all = 0;
  std::string parts;
  for (const auto& [by, count] : comparison.explained) {
    all += count;
    parts += (parts.empty() ? ": " : ", ") + by + " " + std::to_string(count);
  }
  texts.push_back(all == 0 ? "no difference is a deviation of PCP " + *report.explained_by
                           : "not counted: " + Plural(all, "deviation") + " of PCP " +
                                 *report.explained_by + parts);
  for (const auto& [why, count] : comparison.unexplainable) {
    texts.push_back(Plural(count, "difference") + " could not be explained: " + why);
  }
  return texts;
}

std::string AnswerText(const RuleAnswer& answer, MetricType type) {
  if (answer.kind == RuleAnswer::Kind::kNone) return "no value";
  const bool quoted = answer.kind == RuleAnswer::Kind::kValue && type == MetricType::kString;
  return quoted ? Quoted(answer.text) : answer.text;
}

std::string BoundsText(const RuleAnswer& answer) {
  if (!answer.bounds) return "";
  if (answer.bounds->prior.moment == answer.bounds->next.moment &&
      answer.bounds->prior.kind == answer.bounds->next.kind) {
    return "from " + BoundText(answer.bounds->prior);
  }
  return "between " + BoundText(answer.bounds->prior) + " and " + BoundText(answer.bounds->next);
}

std::string ReasonText(const Example& example) {
  const std::string baseline = BoundsText(example.baseline);
  const std::string candidate = BoundsText(example.candidate);
  if (baseline.empty() || baseline == candidate) return candidate;
  return candidate.empty() ? baseline : baseline + "; " + candidate;
}

std::string TimesText(const Comparison& comparison) {
  std::string text = Plural(comparison.times, "time") + " from " + ToIsoText(comparison.start) +
                     " to " + ToIsoText(comparison.finish) + ", interval " +
                     IntervalText(comparison.interval);
  if (comparison.interval_derived) text += " (about a thousandth of the span; see --interval)";
  if (comparison.outside > 0) {
    text += "; " + std::to_string(comparison.outside) + " of them outside of the archive";
  }
  return text;
}

std::string VerdictText(const Tally& tally) {
  if (tally.compared == 0) return "nothing was compared";
  const std::uint64_t differing = tally.Differing();
  if (differing == 0) return "none of " + Plural(tally.compared, "value") + " differs";
  return std::to_string(differing) + " of " + Plural(tally.compared, "value") +
         (differing == 1 ? " differs (" : " differ (") + ShareText(differing, tally.compared) + ")";
}

WordTable GroupTable(const Comparison& comparison) {
  WordTable table;
  table.left = 2;
  table.rows.push_back({"semantics", "type", "metrics", "values", "differ", "",
                        "largest difference", "mean difference"});
  for (const auto& [key, group] : comparison.groups) {
    const Tally& tally = group.tally;
    const std::uint64_t differing = tally.Differing();
    table.rows.push_back({ToText(key.first), ToText(key.second), std::to_string(group.metrics),
                          std::to_string(tally.compared), CountText(differing),
                          differing > 0 ? ShareText(differing, tally.compared) : "",
                          DistanceText(tally.largest, tally.measured > 0),
                          DistanceText(tally.Mean(), tally.measured > 0)});
  }
  return table;
}

WordTable OneSidedTable(const Comparison& comparison, const ComparisonReport& report) {
  WordTable table;
  table.left = 2;
  const Tally& total = comparison.total;
  if (total.baseline_only + total.candidate_only + total.errors == 0) return table;
  table.rows.push_back({"semantics", "type", "value under " + report.baseline.name + " alone",
                        "under " + report.candidate.name + " alone", "another error"});
  for (const auto& [key, group] : comparison.groups) {
    const Tally& tally = group.tally;
    if (tally.baseline_only + tally.candidate_only + tally.errors == 0) continue;
    table.rows.push_back({ToText(key.first), ToText(key.second), CountText(tally.baseline_only),
                          CountText(tally.candidate_only), CountText(tally.errors)});
  }
  return table;
}

WordTable ClauseTable(const Comparison& comparison, const ComparisonReport& report) {
  WordTable table;
  table.left = 2;
  const auto cites_none = [](const auto& row) {
    return row.first.first.empty() && row.first.second.empty();
  };
  if (std::ranges::all_of(comparison.clauses, cites_none)) return table;
  table.rows.push_back({report.baseline.name, report.candidate.name, "differences"});
  std::vector<std::pair<std::uint64_t, std::pair<Clause, Clause>>> rows;
  for (const auto& [clauses, count] : comparison.clauses) rows.emplace_back(count, clauses);
  std::ranges::stable_sort(rows, std::greater<>(), [](const auto& row) { return row.first; });
  for (const auto& [count, clauses] : rows) {
    table.rows.push_back(
        {ClauseText(clauses.first), ClauseText(clauses.second), std::to_string(count)});
  }
  return table;
}

WordTable MostTable(const Comparison& comparison) {
  WordTable table;
  table.left = 1;
  table.rows.push_back({"differ most", "differences", "largest", "at"});
  for (const DifferingSeries& series : comparison.most) {
    table.rows.push_back({SeriesText(series.name), std::to_string(series.differing),
                          DistanceText(series.largest, series.measured), ToIsoText(series.worst)});
  }
  return table;
}

}  // namespace pmproof::validator
