// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTS_MUTATIONS_MUTATION_TESTS_H_
#define PMPROOF_VALIDATOR_TESTS_MUTATIONS_MUTATION_TESTS_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <span>
#include <string>

#include "generators/archive_image.h"
#include "generators/mutation.h"
#include "reference/core/clause.h"
#include "validator/catalogue/catalogue.h"

// A mutation is checked by the whole check, from outside: beside what the archive had before, the
// findings are the rule named and those that the catalogue declares to fall with it.

namespace pmproof::validator::testing {

// The rules of all findings on these files, in an archive by itself and as a set.
std::set<std::string> FindingsOf(const generators::MutatedFiles& files, const Catalogue& catalogue);

// One mutation of one archive.
struct Trial {
  bool applied = false;  // the archive has what it needs
  // Where the findings are others than those `before` the mutation, the rule named and those that
  // fall with it: which they are. Else empty.
  std::string wrong;
};
// `checked`, if given, is what was checked before, and is told what was now: the same again is
// taken to be right.
Trial TryMutation(const generators::Mutation& mutation, const generators::ArchivePlan& plan,
                  const std::set<std::string>& before, std::uint64_t seed,
                  const Catalogue& catalogue, generators::MutatedFiles* checked = nullptr);

// For each rule between `first` and `last` there is a mutation; each gives, on every input that has
// what it needs and with several seeds, exactly what it is to give; and each can be applied to at
// least one input of each archive version that it is for. Prints one line for a failure: the rule,
// the input, the seed, what was found.
void ExpectExactlyTheRuleNamed(std::span<const generators::Mutation> mutations, Clause first,
                               Clause last);

}  // namespace pmproof::validator::testing

#endif  // PMPROOF_VALIDATOR_TESTS_MUTATIONS_MUTATION_TESTS_H_
