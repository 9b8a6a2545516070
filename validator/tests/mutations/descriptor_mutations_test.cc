// SPDX-License-Identifier: Apache-2.0
#include "generators/mutations/mutations.h"
#include "validator/tests/mutations/mutation_tests.h"

namespace pmproof::validator::testing {
namespace {

TEST(DescriptorMutations, GiveExactlyTheRuleNamed) {
  ExpectExactlyTheRuleNamed(generators::DescriptorMutations(), "ARC-1301"_clause,
                            "ARC-1336"_clause);
}

}  // namespace
}  // namespace pmproof::validator::testing
