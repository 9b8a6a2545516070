// SPDX-License-Identifier: Apache-2.0
#include "generators/mutations/mutations.h"
#include "validator/tests/mutations/mutation_tests.h"

namespace pmproof::validator::testing {
namespace {

TEST(LabelSetMutations, GiveExactlyTheRuleNamed) {
  ExpectExactlyTheRuleNamed(generators::LabelSetMutations(), "ARC-1501"_clause, "ARC-1530"_clause);
}

}  // namespace
}  // namespace pmproof::validator::testing
