// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SYNTHESIS_MUTATE_H_
#define PMPROOF_VALIDATOR_SYNTHESIS_MUTATE_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "generators/archive_image.h"
#include "generators/mutation.h"
#include "reference/core/clause.h"
#include "reference/core/status.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/check.h"

// Archives broken on purpose, and held against the check, so that what is said of them is true.

namespace pmproof::validator {

// The mutations of a rule in the order of their numbers, which begin with 1.
std::vector<const generators::Mutation*> MutationsOf(Clause rule);

// What is to be broken: for each of these one edit, taken by the seed from those given.
struct MutateRequest {
  std::vector<std::vector<const generators::Mutation*>> edits;
  std::uint64_t damages = 0;  // by chance, afterwards
  std::uint64_t flips = 0;    // single bits, last
  std::uint64_t seed = 1;
  std::string base;  // base name of the archive that comes out
};

struct Mutated {
  generators::MutatedFiles files;
  std::vector<const generators::Mutation*> edits;  // that were made
  std::vector<std::string> damages;                // a line for each
  std::set<std::string> found;                     // rules that check did not find before
};

// Makes the edits. One edit alone breaks its rule and, apart from those that the catalogue says to
// fall with it, no other that was not broken before: another place, or another edit of the rule, is
// tried where it does not. The same request gives the same files. `check` says how archives are
// checked.
//
// Errors: kUsage where the archive lacks what each of the edits needs, with the reasons, or where
// several cannot be combined; kUnsupported where no attempt broke just the rule.
Result<Mutated> MutateArchive(const generators::ArchivePlan& plan, const MutateRequest& request,
                              const Catalogue& catalogue, const CheckOptions& check);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SYNTHESIS_MUTATE_H_
