// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTS_MUTATIONS_MUTATION_INPUTS_H_
#define PMPROOF_VALIDATOR_TESTS_MUTATIONS_MUTATION_INPUTS_H_

#include <set>
#include <string>
#include <vector>

#include "generators/archive_image.h"

namespace pmproof::validator::testing {

// An archive to be mutated, and the rules of all findings that the check has on it as it is.
struct MutationInput {
  std::string name;
  generators::ArchivePlan plan;
  std::set<std::string> findings;
};

// Sound archives of many shapes, of both versions: that of ARC-1000, in one volume and in several,
// with and without index, marks, prologue and epilogue; one with hardly anything in it, one with
// something of everything, one of many records. Beside what is true of archives that no logger
// began and ended (ARC-2008, ARC-2009) they have no finding. With GeneratedInputs().
std::vector<MutationInput> MutationInputs();

// Of those, what `generate` makes: sound scenarios, several in each, and one that ends with a mark
// (ARC-1723).
std::vector<MutationInput> GeneratedInputs();

}  // namespace pmproof::validator::testing

#endif  // PMPROOF_VALIDATOR_TESTS_MUTATIONS_MUTATION_INPUTS_H_
