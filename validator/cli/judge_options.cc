// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/judge_options.h"

#include <algorithm>

#include "validator/cli/rule_options.h"

namespace pmproof::validator {

void JudgeOptions::Declare(Options& options) {
  options
      .Choice("--fail-on", "SEVERITY", "Exit with 1 at findings of this severity or graver",
              std::vector<NamedValue<Severity>>{{"error", Severity::kError},
                                                {"warning", Severity::kWarning},
                                                {"info", Severity::kInfo}},
              &fail_on_)
      .Default("error")
      .FromSettings();
  options
      .Choice("--profile", "PROFILE",
              "live allows what is normal while an archive is written; ingest takes texts that can "
              "mislead a person or a program for errors",
              std::vector<NamedValue<Profile>>{{"archival", Profile::kArchival},
                                               {"live", Profile::kLive},
                                               {"ingest", Profile::kIngest}},
              &profile_)
      .Default("archival")
      .FromSettings();
  std::vector<std::string> parts;
  for (const RulePart part : kRuleParts) parts.emplace_back(ToText(part));
  options.Add({.names = {"--only"},
               .value_name = "PART,...",
               .help = "Only rules about these parts; rules about files are always checked",
               .choices = parts,
               .repeats = true,
               .from_settings = true,
               .delimiter = ',',
               .take = [this](std::string_view name) {
                 if (const auto part = ParseRulePart(name)) rules_.only.push_back(*part);
                 return std::string();
               }});
  options
      .Texts("--rule", "+ID|-ID",
             "-ID leaves a rule out; +ID checks it beside those of --only, or, without --only, "
             "checks no other",
             &rule_options_)
      .FromSettings();
  options
      .Number("--max-findings", "N",
              "Findings shown of one rule and severity; one more stands for the rest", 0,
              kMostNumber, &max_findings_)
      .Default("20")
      .FromSettings();
}

std::string JudgeOptions::Wrong(const Catalogue& catalogue) {
  if (std::string wrong = SelectRules(rule_options_, catalogue, &rules_); !wrong.empty()) {
    return wrong;
  }
  return WrongIn(profile(), catalogue);
}

std::string JudgeOptions::WrongIn(Profile profile, const Catalogue& catalogue) const {
  const bool any = std::ranges::any_of(catalogue.entries(), [&](const Rule& rule) {
    return rules_.Selects(rule) && rule.In(profile).has_value();
  });
  return any ? "" : "--rule, --only and --profile leave no rule to check";
}

}  // namespace pmproof::validator
