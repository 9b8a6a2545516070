// SPDX-License-Identifier: Apache-2.0
#include "generators/mutations/mutations.h"
#include "validator/tests/mutations/mutation_tests.h"

namespace pmproof::validator::testing {
namespace {

TEST(AcrossMutations, GiveExactlyTheRuleNamed) {
  ExpectExactlyTheRuleNamed(generators::AcrossMutations(), "ARC-2001"_clause, "ARC-2010"_clause);
}

}  // namespace
}  // namespace pmproof::validator::testing
