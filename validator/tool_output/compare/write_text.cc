// SPDX-License-Identifier: Apache-2.0
#include <unordered_map>
#include <vector>

#include "validator/text/display.h"
#include "validator/tool_output/compare/report.h"

namespace pmproof::validator::compare {
namespace {

// "sda at 2023-11-14T22:13:20.500000000Z": which value, of its metric.
std::string Place(const Difference& difference) {
  std::string place = difference.instance.empty() ? "" : "[" + difference.instance + "]";
  if (!difference.time.empty()) {
    const auto time = ParseTime("@" + difference.time);
    place +=
        std::string(place.empty() ? "" : " ") + "at " + (time ? ToIsoText(*time) : difference.time);
  }
  return place;
}

std::string Statement(const Difference& difference) {
  const std::string& actual = difference.actual;
  const std::string& expected = difference.expected;
  const std::string& what = difference.what;
  if (what == "unparsed") return "fits no rule [" + difference.clause + "]: " + actual;
  if (what == "value" || what == "error" || what == "name") {
    return what + " " + actual + ", expected " + expected;
  }
  if (what == "field" || what == "item") {
    return difference.field + " " + (actual.empty() ? "missing" : actual) + ", expected " +
           (expected.empty() ? "none" : expected);
  }
  if (what == "extra metric") return "not expected";
  if (what == "missing metric") return "missing";
  const std::string kind = difference.field.empty() ? what : what + " " + difference.field;
  const std::string& content = actual.empty() ? expected : actual;
  return kind + (content.empty() ? "" : ": " + content);
}

}  // namespace

void WriteText(const Report& report, std::ostream& out) {
  const Outcome& outcome = report.outcome;
  std::vector<std::vector<const Difference*>> groups;
  std::unordered_map<std::string, std::size_t> places;
  for (const Difference& difference : outcome.differences) {
    const auto [place, fresh] = places.try_emplace(difference.metric, groups.size());
    if (fresh) groups.emplace_back();
    groups[place->second].push_back(&difference);
  }
  for (const auto& group : groups) {
    const std::string& metric = group.front()->metric;
    out << (metric.empty() ? "(no metric)" : Displayable(metric)) << ": "
        << Plural(group.size(), "difference") << '\n';
    std::uint64_t shown = 0;
    for (const Difference* difference : group) {
      if (shown++ == report.max_findings) {
        out << "  ... and " << group.size() - report.max_findings << " more\n";
        break;
      }
      const std::string place = Place(*difference);
      out << "  " << Displayable(place) << (place.empty() ? "" : ": ")
          << Displayable(Statement(*difference));
      if (difference->line > 0) out << " (line " << difference->line << ")";
      out << '\n';
    }
  }
  if (report.quiet) return;
  out << report.tool << ", " << Displayable(report.actual) << ": "
      << (outcome.differences.empty() ? "no difference"
                                      : Plural(outcome.differences.size(), "difference"))
      << "; compared: " << Plural(outcome.values, "value") << " of "
      << Plural(outcome.metrics, "metric") << ", "
      << (outcome.absences > 0 ? Plural(outcome.absences, "absence") + " of values, " : "")
      << Plural(outcome.records, "other record") << '\n';
  for (const auto& [why, count] : outcome.not_compared) {
    out << "  not compared: " << count << " x " << Displayable(why) << '\n';
  }
}

}  // namespace pmproof::validator::compare
