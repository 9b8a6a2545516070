// SPDX-License-Identifier: Apache-2.0
#include "generators/mutations/mutations.h"
#include "validator/tests/mutations/mutation_tests.h"

namespace pmproof::validator::testing {
namespace {

TEST(InstanceDomainMutations, GiveExactlyTheRuleNamed) {
  ExpectExactlyTheRuleNamed(generators::InstanceDomainMutations(), "ARC-1401"_clause,
                            "ARC-1431"_clause);
}

}  // namespace
}  // namespace pmproof::validator::testing
