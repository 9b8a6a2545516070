// SPDX-License-Identifier: Apache-2.0
#include "generators/mutations/mutations.h"
#include "validator/tests/mutations/mutation_tests.h"

namespace pmproof::validator::testing {
namespace {

TEST(FileMutations, GiveExactlyTheRuleNamed) {
  ExpectExactlyTheRuleNamed(generators::FileMutations(), "ARC-1001"_clause, "ARC-1016"_clause);
}

}  // namespace
}  // namespace pmproof::validator::testing
