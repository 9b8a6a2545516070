// SPDX-License-Identifier: Apache-2.0
#include "validator/derived_diff/derived_text.h"

#include <set>

#include "validator/rules_diff/comparison_text.h"
#include "validator/text/display.h"

namespace pmproof::validator {

std::size_t ChangedCount(const DerivedComparison& found) {
  std::set<std::size_t> changed;
  for (const DefinitionFinding& finding : found.findings) changed.insert(finding.definition);
  return changed.size();
}

std::string VerdictText(const DerivedComparison& found) {
  const std::size_t changed = ChangedCount(found);
  return (changed == 0 ? "none" : std::to_string(changed)) + " of " +
         Plural(found.definitions.size(), "definition") +
         (changed == 1 ? " changes its meaning" : " change their meaning");
}

std::string ExtentText(const DerivedComparison& found) {
  return "over " + Plural(found.archives.size(), "archive") + " (" + Plural(found.values, "value") +
         " compared)";
}

std::string PlaceText(const SourceLine& origin) {
  return origin.file.empty() ? "" : origin.file + ":" + std::to_string(origin.line);
}

std::string WhatText(const DefinitionFinding& finding) {
  switch (finding.kind) {
    case DefinitionFinding::Kind::kRefused:
      return "one side refuses it";
    case DefinitionFinding::Kind::kDescriptor:
      return "it has another descriptor";
    case DefinitionFinding::Kind::kValues:
      break;
  }
  std::string text =
      Plural(finding.differing, "value") + (finding.differing == 1 ? " differs" : " differ");
  text += ", first at " + finding.time;
  if (finding.instance) text += " instance " + std::to_string(*finding.instance);
  return text;
}

std::string ArchivesText(const DefinitionFinding& finding) {
  return "in " + finding.archive +
         (finding.archives > 1 ? " and " + std::to_string(finding.archives - 1) + " more" : "");
}

std::string SaidText(const std::string& said) { return said.empty() ? "no value" : said; }

std::string UnansweredText(const std::string& archive, const std::string& side,
                           const NotAnswered& why) {
  return archive + ": no answer of " + side + ": " + KindText(why.kind) + ": " + why.text;
}

}  // namespace pmproof::validator
