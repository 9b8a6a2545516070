// SPDX-License-Identifier: Apache-2.0
#include "generators/mutations/mutations.h"
#include "validator/tests/mutations/mutation_tests.h"

namespace pmproof::validator::testing {
namespace {

TEST(HelpTextMutations, GiveExactlyTheRuleNamed) {
  ExpectExactlyTheRuleNamed(generators::HelpTextMutations(), "ARC-1601"_clause, "ARC-1612"_clause);
}

}  // namespace
}  // namespace pmproof::validator::testing
