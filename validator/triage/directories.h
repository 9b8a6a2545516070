// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TRIAGE_DIRECTORIES_H_
#define PMPROOF_VALIDATOR_TRIAGE_DIRECTORIES_H_

#include <string>
#include <vector>

#include "reference/archive/storage.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/report/report.h"
#include "validator/check/report/triaged.h"
#include "validator/triage/triage.h"

// Archives that were checked one by one, by the directories that readers open as one archive
// (ARC-550).

namespace pmproof::validator {

struct Directory {
  std::string name;
  std::vector<const ArchiveReport*> members;  // two or more
};

// By name. Archives without .meta are none for readers of a directory. The reports outlive what is
// returned. `storage` lists a directory once (ListedStorage), here and below.
std::vector<Directory> FindDirectories(const archive::Storage& storage,
                                       const std::vector<ArchiveReport>& archives);

// Checks it by the rules on sets (ARC-2101..2109) that `options` select. The reports of its members
// were made with all rules.
ArchiveReport CheckDirectory(const archive::Storage& storage, const Directory& directory,
                             const Catalogue& catalogue, const CheckOptions& options);

// What its archives hide from readers that open them as one. `set` is its report as a set.
Neighbours NeighboursOf(const archive::Storage& storage, const ArchiveReport& set,
                        const std::vector<const ArchiveReport*>& members,
                        const TriageOptions& options);

// Sets, and what `triage` says of each.
struct KnownSets {
  std::vector<ArchiveReport> sets;
  std::vector<TriageNote> notes;  // empty if that was not asked for
};

// Checks the directories of archives that were checked before, with `options.check`, and does not
// check these again, but where not all rules were selected then: a selection of rules does not make
// a broken archive sound.
KnownSets CheckKnownSets(const archive::Storage& storage, std::vector<ArchiveReport> archives,
                         const Catalogue& catalogue, const TriageOptions& options, bool triage);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TRIAGE_DIRECTORIES_H_
