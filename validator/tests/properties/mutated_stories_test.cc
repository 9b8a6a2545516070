// SPDX-License-Identifier: Apache-2.0
// Each mutation on sound stories by chance: the finding that it names, those that the catalogue
// declares to fall with it, and nothing else. On chosen archives: validator/tests/mutations.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generators/arbitrary/arbitrary_story.h"
#include "generators/mutations/mutations.h"
#include "generators/random.h"
#include "generators/story/composer.h"
#include "validator/catalogue/catalogue.h"
#include "validator/tests/mutations/mutation_tests.h"
#include "validator/tests/properties/found.h"

namespace pmproof::validator::testing {
namespace {

using generators::MutatedFiles;
using generators::Mutation;
using generators::Story;

// True if the rule, or for a sum of other rules one of those, is found and nothing that may not be
// found with it.
bool GivesExactly(const Rule& rule, std::set<std::string> found) {
  const bool named = rule.covered_by.empty()
                         ? found.erase(rule.id.ToString()) > 0
                         : std::erase_if(found, [&rule](const std::string& id) {
                             return std::ranges::any_of(rule.covered_by, [&id](Clause clause) {
                               return clause.ToString() == id;
                             });
                           }) > 0;
  for (const Clause together : rule.together) found.erase(together.ToString());
  return named && found.empty();
}

class MutatedStoriesTest : public ::testing::TestWithParam<const Mutation*> {};

TEST_P(MutatedStoriesTest, GiveTheRuleAndNothingElse) {
  const Mutation& mutation = *GetParam();
  const Rule* rule = Catalogue::Shipped().Find(mutation.rule);
  ASSERT_NE(rule, nullptr);
  const bool holds = rc::check([&] {
    const Story story = *generators::SoundStory();
    const auto seed = *rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()).as("seed");
    generators::Random random(seed);
    const auto files = Mutate(mutation, Compose(story), "base", random);
    if (!files) return;  // the story has not what the edit needs
    const std::set<std::string> found = FindingsOf(*files, Catalogue::Shipped());
    RC_LOG() << mutation.rule.ToString() << " (" << mutation.edit << ") gives " << Joined(found);
    RC_ASSERT(GivesExactly(*rule, found));
  });
  EXPECT_TRUE(holds) << mutation.rule.ToString() << " (" << mutation.edit << ")";
}

// All but one: to read a volume of 2^31 bytes takes too long to be done a hundred times.
std::vector<const Mutation*> Mutations() {
  std::vector<const Mutation*> mutations = generators::AllMutations();
  std::erase_if(mutations,
                [](const Mutation* mutation) { return mutation->rule == "ARC-1110"_clause; });
  return mutations;
}

// "ARC_1104_17": the rule, and which mutation of all.
std::string NameOf(const ::testing::TestParamInfo<const Mutation*>& mutation) {
  std::string name = mutation.param->rule.ToString() + "_" + std::to_string(mutation.index);
  name.at(name.find('-')) = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Mutations, MutatedStoriesTest, ::testing::ValuesIn(Mutations()), NameOf);

}  // namespace
}  // namespace pmproof::validator::testing
