// SPDX-License-Identifier: Apache-2.0
#include "generators/mutations/mutations.h"
#include "validator/tests/mutations/mutation_tests.h"

namespace pmproof::validator::testing {
namespace {

TEST(IndexMutations, GiveExactlyTheRuleNamed) {
  ExpectExactlyTheRuleNamed(generators::IndexMutations(), "ARC-1901"_clause, "ARC-1927"_clause);
}

}  // namespace
}  // namespace pmproof::validator::testing
