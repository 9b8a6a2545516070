// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTS_SALVAGE_SALVAGED_H_
#define PMPROOF_VALIDATOR_TESTS_SALVAGE_SALVAGED_H_

#include <map>
#include <string>
#include <vector>

#include "generators/archive_image.h"
#include "generators/damage.h"
#include "reference/archive/storage.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/report/report.h"
#include "validator/salvage/salvage.h"

namespace pmproof::validator::testing {

// The files "base.meta", "base.0", ... of a plan.
generators::FilesByName FilesOf(const generators::ArchivePlan& plan);

// Files as they were salvaged: "in/base" became "out/saved".
struct Salvaged {
  archive::MemoryStorage storage;
  SalvageOutcome outcome;

  const SalvageReport& report() const { return outcome.report; }
  bool saved() const { return report().outcome != SalvageReport::Outcome::kNothing; }
  // "base.meta" of what was written, where there is such a file.
  generators::FilesByName out() const;
};
Salvaged SalvageFiles(const generators::FilesByName& files,
                      archive::MemoryBudget memory = archive::MemoryBudget());

// What must hold whatever `files` are: the input is as it was, nothing temporary is left, and what
// was written, if anything, is conformant by a check of its own. Returns what does not, or "".
std::string WrongInAnyCase(const generators::FilesByName& files, const Salvaged& salvaged);

// Holds what was saved against `original`, which `files` were before they were damaged:
//   - each record that was written stands in `files`, or is one of them without value sets that the
//     report names, or is a mark that the report counts;
//   - each record of the original that still stands in `files` byte for byte was written, or the
//     report says what of it was not. With `all`, each record of the original.
// Returns the first that does not, or "".
std::string WrongRecords(const generators::FilesByName& original,
                         const generators::FilesByName& files, const Salvaged& salvaged, bool all);

// The losses, for people.
std::string LossesOf(const Salvaged& salvaged);

}  // namespace pmproof::validator::testing

#endif  // PMPROOF_VALIDATOR_TESTS_SALVAGE_SALVAGED_H_
