#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "validator/check_catalogue.h"
#include "validator/command_support.h"
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

const char* PartOf(const CheckEntry& check) {
  return check.id.chapter() == Clause::Chapter::kCka ? "agent" : "collector";
}

Json CheckJson(const CheckEntry& check) {
  return {{"id", check.id.ToString()},  {"title", check.title},
          {"part", PartOf(check)},      {"severity", ToText(check.severity)},
          {"destroys", check.destroys}, {"clauses", Identifiers(check.clauses)},
          {"what", check.what},         {"why", check.why},
          {"remedy", check.remedy}};
}

void WriteTable(const std::vector<const Rule*>& rules, const std::vector<const CheckEntry*>& checks,
                const Environment& environment) {
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
  for (const CheckEntry* check : checks) {
    // Checks know no profiles.
    row(check->id.ToString(), ToText(check->severity), "-", PartOf(*check),
        Displayable(check->title));
  }
  if (!rules.empty()) environment.out << Plural(rules.size(), "rule");
  if (!rules.empty() && !checks.empty()) environment.out << " and ";
  if (!checks.empty()) environment.out << Plural(checks.size(), "check");
  environment.out << "; pmproof explain ID tells more of one\n";
}

}  // namespace

ExitStatus RunList(const ListArguments& arguments, const Environment& environment) {
  const Result<CheckCatalogue> catalogue = CheckCatalogue::Shipped();
  if (!catalogue) return Fail(environment, ExitStatus::kInternal, catalogue.error().ToText());
  const bool all = arguments.only.empty() && arguments.checks.empty();
  std::vector<const Rule*> rules;
  for (const Rule& rule : environment.catalogue.rules()) {
    const bool wanted = all || std::find(arguments.only.begin(), arguments.only.end(), rule.part) !=
                                   arguments.only.end();
    if (wanted) rules.push_back(&rule);
  }
  std::vector<const CheckEntry*> checks;
  for (const CheckEntry& check : catalogue->checks()) {
    const bool wanted = all || std::find(arguments.checks.begin(), arguments.checks.end(),
                                         check.id.chapter()) != arguments.checks.end();
    if (wanted) checks.push_back(&check);
  }
  if (rules.empty() && checks.empty()) {
    environment.err << "pmproof: no rule is about that\n";
    return ExitStatus::kUsage;
  }
  if (!arguments.json) {
    WriteTable(rules, checks, environment);
    return ExitStatus::kOk;
  }
  Json list = Json::array();
  for (const Rule* rule : rules) list.push_back(RuleJson(*rule));
  Json list_of_checks = Json::array();
  for (const CheckEntry* check : checks) list_of_checks.push_back(CheckJson(*check));
  const Json json = {{"schema", "pmproof-rules/1"},
                     {"tool",
                      {{"name", "pmproof"},
                       {"version", kVersion},
                       {"rules", environment.catalogue.digest()},
                       {"checks", catalogue->digest()}}},
                     {"rules", std::move(list)},
                     {"checks", std::move(list_of_checks)}};
  environment.out << json.dump(2, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace)
                  << '\n';
  return ExitStatus::kOk;
}

}  // namespace pmproof::validator
