// SPDX-License-Identifier: Apache-2.0
#include "validator/tests/stories/findings.h"

#include <gtest/gtest.h>

#include <utility>

#include "reference/archive/time_zone.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/check.h"

namespace pmproof::validator::testing {
namespace {

class AllZones final : public archive::ZoneChecker {
 public:
  bool Exists(std::string_view) const override { return true; }
};

}  // namespace

std::map<std::string, std::string> FindingsOn(const archive::Storage& storage,
                                              const std::vector<std::string>& arguments) {
  const Catalogue catalogue = Catalogue::Shipped();
  const AllZones zones;
  CheckOptions options;
  options.now = {1800000000, 0};
  options.zones = &zones;
  options.sets = true;
  options.max_findings = 1;
  const Report report = CheckAll(storage, arguments, catalogue, options, nullptr);
  std::map<std::string, std::string> rules;
  for (const Status& error : report.errors) rules.emplace(error.ToText(), "");
  for (const ArchiveReport& archive : report.archives) {
    if (archive.failure) rules.emplace(archive.failure->ToText(), "");
    for (const std::string& error : archive.internal_errors) rules.emplace(error, "");
    for (const Finding& finding : archive.findings) {
      rules.emplace(finding.rule.ToString(), finding.file + " " + std::to_string(finding.offset) +
                                                 ": " + finding.message + " (" + finding.field +
                                                 " " + finding.actual + "; " + finding.expected +
                                                 ")");
    }
  }
  EXPECT_FALSE(report.archives.empty());
  return rules;
}

std::map<std::string, std::string> FindingsOn(const generators::ArchivePlan& plan) {
  archive::MemoryStorage storage;
  generators::Encode(plan).Store("d/a", &storage);
  return FindingsOn(storage, {"d/a"});
}

}  // namespace pmproof::validator::testing
