// SPDX-License-Identifier: Apache-2.0
#include "validator/tests/properties/found.h"

#include "validator/catalogue/catalogue.h"
#include "validator/check/check.h"

namespace pmproof::validator::testing {

std::set<std::string> RulesFound(const archive::Storage& storage, const std::string& name) {
  CheckOptions options;
  options.now = {1LL << 50, 0};  // nothing is in the future (ARC-1220)
  const ArchiveReport report = CheckArchive(storage, name, Catalogue::Shipped(), options);
  std::set<std::string> rules;
  for (const Finding& finding : report.findings) rules.insert(finding.rule.ToString());
  for (const std::string& error : report.internal_errors) rules.insert("(" + error + ")");
  if (report.failure) rules.insert("(" + report.failure->ToText() + ")");
  return rules;
}

std::set<std::string> RulesFound(const generators::ArchivePlan& plan) {
  archive::MemoryStorage storage;
  Encode(plan).Store("found/plan", &storage);
  return RulesFound(storage, "found/plan");
}

std::string Joined(const std::set<std::string>& rules) {
  std::string text;
  for (const std::string& rule : rules) text += (text.empty() ? "" : " ") + rule;
  return "{" + text + "}";
}

}  // namespace pmproof::validator::testing
