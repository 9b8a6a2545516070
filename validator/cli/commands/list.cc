// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "validator/catalogue/check_catalogue.h"
#include "validator/cli/command_table.h"
#include "validator/text/display.h"
#include "validator/text/json_values.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

struct ListArguments {
  bool json = false;
  // Where neither parts of rules nor checks are named, all is listed.
  std::vector<RulePart> only;
  std::vector<std::string> checks;  // "agent", "agent-files", "collector"
};

Json Identifiers(std::span<const Clause> clauses) {
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
          {"ingest", ToText(rule.ingest)},
          {"clauses", Identifiers(rule.clauses)},
          {"what", rule.what},
          {"why", rule.why},
          {"remedy", rule.remedy},
          {"together", Identifiers(rule.together)},
          {"covered_by", Identifiers(rule.covered_by)}};
}

const char* PartOf(const CheckEntry& check) {
  switch (check.subject) {
    case CheckEntry::Subject::kCollector:
      return "collector";
    case CheckEntry::Subject::kFiles:
      return "agent-files";
    case CheckEntry::Subject::kAgent:
      break;
  }
  return "agent";
}

Json CheckJson(const CheckEntry& check) {
  return {{"id", check.id.ToString()},
          {"title", check.title},
          {"part", PartOf(check)},
          {"section", check.section},
          {"severity", ToText(check.severity)},
          {"destroys", check.destroys},
          {"clauses", Identifiers(check.clauses)},
          {"what", check.what},
          {"why", check.why},
          {"remedy", check.remedy}};
}

template <typename Wanted>
bool Contains(const std::vector<Wanted>& list, const Wanted& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

struct Listed {
  std::vector<const Rule*> rules;
  std::vector<const CheckEntry*> checks;
};

Listed Select(const ListArguments& arguments, const Catalogue& catalogue,
              const CheckCatalogue& checks) {
  const bool all = arguments.only.empty() && arguments.checks.empty();
  Listed listed;
  for (const Rule& rule : catalogue.entries()) {
    if (all || Contains(arguments.only, rule.part)) listed.rules.push_back(&rule);
  }
  for (const CheckEntry& check : checks.entries()) {
    if (all || Contains(arguments.checks, std::string(PartOf(check)))) {
      listed.checks.push_back(&check);
    }
  }
  return listed;
}

void WriteTable(const Listed& listed, const Environment& environment) {
  const Screen& screen = environment.out_screen;
  constexpr std::size_t kTitleColumn = 10 + 9 + 9 + 9 + 12;
  const auto row = [&](const std::string& id, const std::string& severity, const std::string& live,
                       const std::string& ingest, const std::string& part,
                       const std::string& title) {
    const auto padded = [](const std::string& text, std::size_t width) {
      return text + std::string(width - std::min(width, text.size()), ' ');
    };
    // What is not a terminal gets one line for each rule, for grep.
    environment.out << padded(id, 10) << padded(severity, 9) << padded(live, 9) << padded(ingest, 9)
                    << padded(part, 12)
                    << (screen.terminal ? Wrap(title, screen.width, kTitleColumn) : title) << '\n';
  };
  row("rule", "archival", "live", "ingest", "part", "what must hold");
  for (const Rule* rule : listed.rules) {
    row(rule->id.ToString(), ToText(rule->severity), rule->live ? ToText(*rule->live) : "off",
        ToText(rule->ingest), ToText(rule->part), Displayable(rule->title));
  }
  for (const CheckEntry* check : listed.checks) {
    row(check->id.ToString(), ToText(check->severity), "-", "-", PartOf(*check),
        std::string(check->title));
  }
  environment.out << Plural(listed.rules.size(), "rule") << ", "
                  << Plural(listed.checks.size(), "check")
                  << "; pmproof explain ID tells more of one\n";
}

ExitStatus List(const ListArguments& arguments, const Environment& environment) {
  const CheckCatalogue checks = CheckCatalogue::Shipped();
  const Listed listed = Select(arguments, environment.catalogue, checks);
  if (listed.rules.empty() && listed.checks.empty()) {
    environment.err << "pmproof: no rule is about that\n";
    return ExitStatus::kUsage;
  }
  if (!arguments.json) {
    WriteTable(listed, environment);
    return ExitStatus::kOk;
  }
  Json rule_list = Json::array();
  for (const Rule* rule : listed.rules) rule_list.push_back(RuleJson(*rule));
  Json check_list = Json::array();
  for (const CheckEntry* check : listed.checks) check_list.push_back(CheckJson(*check));
  const Json json = {{"schema", "pmproof-rules/1"},
                     {"tool",
                      {{"name", "pmproof"},
                       {"version", kVersion},
                       {"rules", environment.catalogue.digest()},
                       {"checks", checks.digest()}}},
                     {"catalogue_version", kCatalogueVersion},
                     {"rules", std::move(rule_list)},
                     {"checks", std::move(check_list)}};
  environment.out << DumpJson(json, 2) << '\n';
  return ExitStatus::kOk;
}

class ListCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options
        .Choice("--format", "FORMAT", "",
                std::vector<NamedValue<bool>>{{"text", false}, {"json", true}}, &arguments_.json)
        .Default("text");
    std::vector<std::string> parts;
    for (const RulePart part : kRuleParts) parts.emplace_back(ToText(part));
    parts.insert(parts.end(), {"agent", "agent-files", "collector"});
    options.Add(
        {.names = {"--only"},
         .value_name = "PART,...",
         .help = "Only rules about these parts; agent, agent-files and collector stand for their "
                 "checks",
         .choices = parts,
         .repeats = true,
         .delimiter = ',',
         .take = [this](std::string_view name) {
           if (const auto part = ParseRulePart(name)) {
             arguments_.only.push_back(*part);
           } else {
             arguments_.checks.emplace_back(name);
           }
           return std::string();
         }});
    options.Examples({"pmproof list --only index", "pmproof list --format json"})
        .ExitStatuses("0 done; 2 wrong usage");
  }

  ExitStatus Run(const CommonArguments&, const Environment& environment) override {
    return List(arguments_, environment);
  }

 private:
  ListArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeList() { return std::make_unique<ListCommand>(); }

}  // namespace pmproof::validator
