// SPDX-License-Identifier: Apache-2.0
// Every fault of generators/agent is caught by the check it is there for, and nothing but what
// falls with it is reported; sound agents have no failure.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "generators/agent/arbitrary_agent.h"
#include "generators/agent/faults/faults.h"
#include "validator/agent/testing/memory_subject.h"
#include "validator/catalogue/check_catalogue.h"

namespace pmproof::validator::agent {
namespace {

using generators::AgentModel;
using generators::AllFaults;
using generators::Fault;

constexpr std::uint64_t kSeeds[] = {1, 2, 3};

std::vector<Fault> FaultsInMemory() {
  std::vector<Fault> faults = AllFaults();
  std::erase_if(faults, [](const Fault& fault) { return fault.needs_process; });
  return faults;
}

// What is wrong with what is reported of this agent; empty: nothing.
std::string Wrong(const Fault& fault, const AgentModel& model) {
  std::set<Clause> due(fault.together.begin(), fault.together.end());
  due.insert(fault.check);
  std::vector<Clause> only;
  if (fault.alone) only.assign(due.begin(), due.end());
  const auto report = testing::CheckModel(testing::MemorySubject(model, &fault), model, only);
  const auto failed = testing::Those(report, Outcome::kFail);
  const auto unchecked = testing::Those(report, Outcome::kNotChecked);
  std::string wrong;
  for (const auto& [id, because] : failed) {
    const bool may = std::ranges::find(fault.perhaps, id) != fault.perhaps.end();
    if (!due.contains(id) && !may)
      wrong += "reported too: " + id.ToString() + ": " + because + "\n";
  }
  for (const Clause id : due) {
    if (failed.contains(id)) continue;
    const auto why = unchecked.find(id);
    wrong += "not caught by " + id.ToString() + (why != unchecked.end() ? ": " + why->second : "") +
             "\n";
  }
  return wrong;
}

class FaultInMemory : public ::testing::TestWithParam<Fault> {};

TEST_P(FaultInMemory, IsCaughtAndNothingElseIs) {
  const Fault& fault = GetParam();
  for (const std::uint64_t seed : kSeeds) {
    const AgentModel model = FaultyModel(fault, seed);
    EXPECT_EQ(Wrong(fault, model), "") << fault.does << "\nseed " << seed << ToText(model);
  }
}

INSTANTIATE_TEST_SUITE_P(Faults, FaultInMemory, ::testing::ValuesIn(FaultsInMemory()),
                         [](const auto& each) {
                           std::string name =
                               each.param.check.ToString() + "-" + std::string(each.param.id);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

RC_GTEST_PROP(Faults, AreCaughtInAnyAgent, ()) {
  static const std::vector<Fault> faults = FaultsInMemory();
  const Fault& fault = faults[*rc::gen::inRange<std::size_t>(0, faults.size())];
  const AgentModel model = *generators::AnyAgent(fault.Wish());
  const std::string wrong = Wrong(fault, model);
  if (!wrong.empty()) RC_FAIL(std::string(fault.id) + ": " + wrong);
}

// Those of agents that are shared objects are not of agents that talk.
TEST(Faults, ThereIsOneForEachCheck) {
  const std::set<Clause> of_shared_objects = {"CKA-163"_clause, "CKA-164"_clause, "CKA-165"_clause};
  std::set<Clause> caught;
  std::set<std::string_view> ids;
  for (const Fault& fault : AllFaults()) {
    caught.insert(fault.check);
    EXPECT_TRUE(ids.insert(fault.id).second) << fault.id << " is there twice";
  }
  const auto catalogue = CheckCatalogue::Shipped();
  for (const CheckEntry& check : catalogue.entries()) {
    if (check.subject != CheckEntry::Subject::kAgent || of_shared_objects.contains(check.id))
      continue;
    EXPECT_TRUE(caught.contains(check.id)) << "no fault violates " << check.id.ToString();
  }
}

}  // namespace
}  // namespace pmproof::validator::agent
