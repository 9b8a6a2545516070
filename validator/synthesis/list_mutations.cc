// SPDX-License-Identifier: Apache-2.0
#include "validator/synthesis/list_mutations.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "generators/mutations/mutations.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

constexpr std::size_t kRule = 12;

std::string Padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, text.size()), ' ');
}

std::string EditText(const generators::Mutation& mutation, const Rule& rule) {
  std::string text(mutation.edit);
  if (mutation.version != 0) text += " (version " + std::to_string(mutation.version) + ")";
  std::string others;
  for (const Clause other : rule.together)
    others += (others.empty() ? "" : ", ") + other.ToString();
  return others.empty() ? text : text + "; with it: " + others;
}

}  // namespace

ExitStatus ListMutations(const Environment& environment) {
  struct Row {
    std::string rule;
    std::string edit;
    std::string title;
  };
  std::vector<Row> rows;
  std::set<Clause> rules;
  std::size_t number = 0;
  std::size_t widest = 0;
  for (const generators::Mutation* const mutation : generators::AllMutations()) {
    const Rule* const rule = environment.catalogue.Find(mutation->rule);
    if (rule == nullptr) continue;
    number = rules.insert(rule->id).second ? 1 : number + 1;
    rows.push_back({rule->id.ToString() + ":" + std::to_string(number), EditText(*mutation, *rule),
                    Displayable(rule->title)});
    widest = std::max(widest, rows.back().edit.size());
  }
  // What is not a terminal, or too narrow for three columns, gets one line for each edit, for grep.
  const Screen& screen = environment.out_screen;
  const std::size_t column = kRule + widest + 2;
  const bool wrap = screen.terminal && screen.width > column + 20;
  environment.out << Padded("rule", kRule) << Padded("edit", widest + 2) << "what must hold\n";
  for (const Row& row : rows) {
    environment.out << Padded(row.rule, kRule) << Padded(row.edit, widest + 2)
                    << (wrap ? Wrap(row.title, screen.width, column) : row.title) << '\n';
  }
  environment.out << Plural(rows.size(), "edit") << " for " << Plural(rules.size(), "rule")
                  << "; --rule takes a rule, or one of its edits\n";
  return ExitStatus::kOk;
}

}  // namespace pmproof::validator
