// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "validator/agent/check.h"
#include "validator/catalogue/check_catalogue.h"

namespace pmproof::validator::agent {
namespace {

std::set<std::string> Implemented() {
  std::set<std::string> ids;
  for (const Check& check : AllChecks()) ids.insert(check.id.ToString());
  return ids;
}

std::set<std::string> Catalogued() {
  std::set<std::string> ids;
  const auto catalogue = CheckCatalogue::Shipped();
  for (const CheckEntry& entry : catalogue.entries()) {
    if (entry.subject == CheckEntry::Subject::kAgent) ids.insert(entry.id.ToString());
  }
  return ids;
}

TEST(AllChecksTest, EachCheckOfTheCatalogueHasCodeAndTheReverse) {
  EXPECT_EQ(Implemented(), Catalogued());
}

TEST(AllChecksTest, NoCheckIsThereTwice) { EXPECT_EQ(AllChecks().size(), Implemented().size()); }

TEST(AllChecksTest, AreInTheOrderOfTheirIdentifiers) {
  const std::vector<Check> checks = AllChecks();
  for (std::size_t i = 1; i < checks.size(); ++i) EXPECT_LT(checks[i - 1].id, checks[i].id);
}

}  // namespace
}  // namespace pmproof::validator::agent
