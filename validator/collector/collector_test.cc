// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "reference/pmda/names/pmcd_conf.h"
#include "reference/pmda/names/pmns_source.h"
#include "validator/catalogue/check_catalogue.h"
#include "validator/collector/checks.h"
#include "validator/collector/configuration.h"
#include "validator/collector/stub_agent_process.h"

namespace pmproof::validator::collector {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

TEST(Catalogue, HasTheChecksThatAreMadeAndNoOthers) {
  const auto catalogue = CheckCatalogue::Shipped();
  std::vector<std::string> listed;
  for (const CheckEntry& entry : catalogue.entries()) {
    if (entry.id.chapter() == Clause::Chapter::kCkc) listed.push_back(entry.id.ToString());
  }
  std::vector<std::string> made;
  for (const Check& check : AllChecks()) made.push_back(check.id.ToString());
  EXPECT_EQ(listed, made);
  EXPECT_THAT(made, SizeIs(65));
}

Configuration Sample() {
  return {.layout = {"/tmp/a folder"}, .pmproof = "/opt/the \"best\" pmproof #1"};
}

TEST(Configuration, IsAPmcdConfWithAllAgents) {  // PMD-320..323
  for (const Instance instance : kInstances) {
    const pmda::PmcdConf conf = pmda::ReadPmcdConf(ConfText(Sample(), instance), "conf");
    EXPECT_THAT(conf.problems, IsEmpty()) << NameOf(instance);
    EXPECT_EQ(conf.access.has_value(), instance != Instance::kChecks);
    if (instance == Instance::kChecks) {
      EXPECT_THAT(conf.agents, SizeIs(4 + kRoles.size()));
    }
  }
}

TEST(Configuration, QuotesTheCommandsOfAgents) {  // PMD-320
  const pmda::PmcdConf conf = pmda::ReadPmcdConf(ConfText(Sample(), Instance::kChecks), "conf");
  for (const pmda::ConfAgent& agent : conf.agents) {
    const Role* const role = FindRole(agent.label);
    if (role == nullptr) continue;
    EXPECT_EQ(agent.domain, role->domain);
    const auto& pipe = std::get<pmda::PipeAgent>(agent.kind);
    EXPECT_EQ(pipe.not_ready, role->not_ready);
    EXPECT_EQ(pipe.command,
              (std::vector<std::string>{Sample().pmproof, "collector", "agent", "--role",
                                        std::string(role->name), "--control",
                                        "/tmp/a folder/control.socket"}));
  }
}

TEST(Configuration, HasANameSpaceThatCanBeRead) {  // PMD-300..304
  const auto names = pmda::ReadPmns(NamesText(), "pmns");
  ASSERT_TRUE(names) << names.error().message;
}

TEST(Roles, HaveDomainsOfTheirOwn) {
  std::set<std::uint32_t> domains = {kPmcdDomain, kSampleDomain, kTrivialDomain, kSimpleDomain,
                                     kNoDomain};
  for (const Role& role : kRoles) EXPECT_TRUE(domains.insert(role.domain).second) << role.name;
}

TEST(Introduction, IsReadAsItIsWritten) {
  for (const Role& role : kRoles) {
    const Introduction written{.role = &role, .age = std::chrono::milliseconds(1234)};
    std::string line = written.ToLine();
    EXPECT_LE(line.size(), kLongestIntroduction);
    ASSERT_EQ(line.back(), '\n');
    line.pop_back();
    const auto read = Introduction::Parse(line);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->role, &role);
    EXPECT_EQ(read->age, written.age);
  }
}

TEST(Introduction, OfAStrangerIsRefused) {
  for (const char* line :
       {"", "pmproof-stub 1 steady", "pmproof-stub 1 nobody 5", "pmproof-stub 2 steady 5",
        "pmproof-stub 1 steady 5x", "pmproof-stub 1 steady -5"}) {
    EXPECT_FALSE(Introduction::Parse(line)) << line;
  }
}

}  // namespace
}  // namespace pmproof::validator::collector
