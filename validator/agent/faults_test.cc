// Every fault of generators/agent is caught by the check it is there for, and nothing but what
// falls with it is reported; sound agents have no failure.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "generators/agent/faults/faults.h"
#include "validator/agent/check.h"
#include "validator/agent/testing/memory_subject.h"

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

class FaultInMemory : public ::testing::TestWithParam<Fault> {};

TEST_P(FaultInMemory, IsCaughtAndNothingElseIs) {
  const Fault& fault = GetParam();
  std::set<Clause> due(fault.together.begin(), fault.together.end());
  due.insert(fault.check);
  for (const std::uint64_t seed : kSeeds) {
    const AgentModel model = FaultyModel(fault, seed);
    const std::vector<Clause> only =
        fault.alone ? std::vector<Clause>(due.begin(), due.end()) : std::vector<Clause>();
    const auto report = testing::CheckModel(testing::MemorySubject(model, &fault), model, only);
    const auto failed = testing::Those(report, Outcome::kFail);
    for (const auto& [id, because] : failed) {
      EXPECT_TRUE(due.contains(id))
          << "seed " << seed << ": reported too: " << id.ToString() << ": " << because;
    }
    const auto unchecked = testing::Those(report, Outcome::kNotChecked);
    for (const Clause id : due) {
      EXPECT_TRUE(failed.contains(id)) << "seed " << seed << ": not caught by " << id.ToString()
                                       << (unchecked.contains(id) ? ": " + unchecked.at(id) : "");
    }
    if (HasFailure()) GTEST_FAIL() << fault.does << "\n" << ToText(model);
  }
}

INSTANTIATE_TEST_SUITE_P(Faults, FaultInMemory, ::testing::ValuesIn(FaultsInMemory()),
                         [](const auto& each) {
                           std::string name =
                               each.param.check.ToString() + "-" + std::string(each.param.id);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace pmproof::validator::agent
