// SPDX-License-Identifier: Apache-2.0
#include "generators/mutations/mutations.h"
#include "validator/tests/mutations/mutation_tests.h"

namespace pmproof::validator::testing {
namespace {

TEST(ValueMutations, GiveExactlyTheRuleNamed) {
  ExpectExactlyTheRuleNamed(generators::ValueMutations(), "ARC-1801"_clause, "ARC-1835"_clause);
}

}  // namespace
}  // namespace pmproof::validator::testing
