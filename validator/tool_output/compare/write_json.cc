// SPDX-License-Identifier: Apache-2.0
#include <unordered_map>

#include "validator/text/json_values.h"
#include "validator/text/version.h"
#include "validator/tool_output/compare/report.h"

namespace pmproof::validator::compare {
namespace {

Json Members(const Difference& difference) {
  Json json;
  json["what"] = difference.what;
  const auto add = [&json](const char* name, const std::string& text) {
    if (!text.empty()) json[name] = text;
  };
  add("metric", difference.metric);
  add("instance", difference.instance);
  add("time", difference.time);
  add("field", difference.field);
  add("clause", difference.clause);
  add("actual", difference.actual);
  add("expected", difference.expected);
  if (difference.line > 0) json["line"] = difference.line;
  return json;
}

}  // namespace

void WriteJson(const Report& report, std::ostream& out) {
  const Outcome& outcome = report.outcome;
  Json json;
  json["schema"] = "pmproof-compare/1";
  json["tool"] = {{"name", "pmproof"}, {"version", kVersion}};
  json["output_of"] = report.tool;
  json["actual"] = report.actual;
  json["expected"] = report.expected;
  json["same"] = outcome.differences.empty();
  json["compared"] = {{"values", outcome.values},
                      {"metrics", outcome.metrics},
                      {"absences", outcome.absences},
                      {"other_records", outcome.records}};
  json["unparsed"] = outcome.unparsed;
  json["not_compared"] = Json::array();
  for (const auto& [why, count] : outcome.not_compared) {
    json["not_compared"].push_back({{"because", why}, {"count", count}});
  }
  json["difference_count"] = outcome.differences.size();
  json["differences"] = Json::array();
  std::unordered_map<std::string, std::uint64_t> shown;
  std::uint64_t left_out = 0;
  for (const Difference& difference : outcome.differences) {
    if (shown[difference.metric]++ < report.max_findings) {
      json["differences"].push_back(Members(difference));
    } else {
      ++left_out;
    }
  }
  json["left_out"] = left_out;
  json["footer"] = {{"complete", true}};
  out << DumpJson(json, 2) << '\n';
}

}  // namespace pmproof::validator::compare
