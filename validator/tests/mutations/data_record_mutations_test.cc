// SPDX-License-Identifier: Apache-2.0
#include "generators/mutations/mutations.h"
#include "validator/tests/mutations/mutation_tests.h"

namespace pmproof::validator::testing {
namespace {

TEST(DataRecordMutations, GiveExactlyTheRuleNamed) {
  ExpectExactlyTheRuleNamed(generators::DataRecordMutations(), "ARC-1701"_clause,
                            "ARC-1729"_clause);
}

}  // namespace
}  // namespace pmproof::validator::testing
