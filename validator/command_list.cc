#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "validator/commands.h"
#include "validator/display.h"
#include "validator/version.h"

namespace pmproof::validator {
namespace {

using Json = nlohmann::ordered_json;

Json Identifiers(const std::vector<Clause>& clauses) {
  Json list = Json::array();
  for (const Clause clause : clauses) list.push_back(clause.ToString());
  return list;
}

Json RuleJson(const Rule& rule) {
  return {{"id", rule.id.ToString()},
          {"title", rule.title},
          {"part", ToText(rule.part)},
          {"severity", ToText(rule.severity)},
          {"also", rule.also ? Json(ToText(*rule.also)) : Json(nullptr)},
          {"also_when", rule.also_when},
          {"live", rule.live ? ToText(*rule.live) : "off"},
          {"live_when", rule.live_when},
          {"clauses", Identifiers(rule.clauses)},
          {"what", rule.what},
          {"why", rule.why},
          {"remedy", rule.remedy},
          {"together", Identifiers(rule.together)},
          {"covered_by", Identifiers(rule.covered_by)}};
}

void WriteTable(const std::vector<const Rule*>& rules, const Environment& environment) {
  const Screen& screen = environment.out_screen;
  constexpr std::size_t kTitleColumn = 10 + 9 + 9 + 10;
  const auto row = [&](const std::string& id, const std::string& severity, const std::string& live,
                       const std::string& part, const std::string& title) {
    const auto padded = [](const std::string& text, std::size_t width) {
      return text + std::string(width - std::min(width, text.size()), ' ');
    };
    // What is no terminal gets one line for each rule, for grep.
    environment.out << padded(id, 10) << padded(severity, 9) << padded(live, 9) << padded(part, 10)
                    << (screen.terminal ? Wrap(title, screen.width, kTitleColumn) : title) << '\n';
  };
  row("rule", "archival", "live", "part", "what must hold");
  for (const Rule* rule : rules) {
    row(rule->id.ToString(), ToText(rule->severity), rule->live ? ToText(*rule->live) : "off",
        ToText(rule->part), Displayable(rule->title));
  }
  environment.out << Plural(rules.size(), "rule") << "; pmproof explain ID tells more of one\n";
}

}  // namespace

ExitStatus RunList(const ListArguments& arguments, const Environment& environment) {
  std::vector<const Rule*> rules;
  for (const Rule& rule : environment.catalogue.rules()) {
    const bool wanted =
        arguments.only.empty() ||
        std::find(arguments.only.begin(), arguments.only.end(), rule.part) != arguments.only.end();
    if (wanted) rules.push_back(&rule);
  }
  if (rules.empty()) {
    environment.err << "pmproof: no rule is about that\n";
    return ExitStatus::kUsage;
  }
  if (!arguments.json) {
    WriteTable(rules, environment);
    return ExitStatus::kOk;
  }
  Json list = Json::array();
  for (const Rule* rule : rules) list.push_back(RuleJson(*rule));
  const Json json = {
      {"schema", "pmproof-rules/1"},
      {"tool",
       {{"name", "pmproof"}, {"version", kVersion}, {"rules", environment.catalogue.digest()}}},
      {"rules", std::move(list)}};
  environment.out << json.dump(2, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace)
                  << '\n';
  return ExitStatus::kOk;
}

}  // namespace pmproof::validator
