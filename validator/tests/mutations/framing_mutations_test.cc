// SPDX-License-Identifier: Apache-2.0
#include "generators/mutations/mutations.h"
#include "validator/tests/mutations/mutation_tests.h"

namespace pmproof::validator::testing {
namespace {

TEST(FramingMutations, GiveExactlyTheRuleNamed) {
  ExpectExactlyTheRuleNamed(generators::FramingMutations(), "ARC-1101"_clause, "ARC-1111"_clause);
}

}  // namespace
}  // namespace pmproof::validator::testing
