// SPDX-License-Identifier: Apache-2.0
#include "generators/mutations/mutations.h"
#include "validator/tests/mutations/mutation_tests.h"

namespace pmproof::validator::testing {
namespace {

TEST(LabelMutations, GiveExactlyTheRuleNamed) {
  ExpectExactlyTheRuleNamed(generators::LabelMutations(), "ARC-1201"_clause, "ARC-1229"_clause);
}

}  // namespace
}  // namespace pmproof::validator::testing
