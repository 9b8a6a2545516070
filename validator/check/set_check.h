// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_SET_CHECK_H_
#define PMPROOF_VALIDATOR_CHECK_SET_CHECK_H_

#include <string>
#include <vector>

#include "reference/archive/file_set.h"
#include "reference/archive/storage.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/check.h"
#include "validator/check/report/report.h"

namespace pmproof::validator {

// True if one of the rules on archive sets (ARC-2101..2109) is to be checked.
bool ChecksSets(const Catalogue& catalogue, const CheckOptions& options);

// One archive of a set, and its report.
struct CheckedMember {
  const archive::FoundArchive* found = nullptr;
  const ArchiveReport* report = nullptr;
};

// Checks archives that are opened together (ARC-550..557) against the rules on sets, ARC-2101 to
// ARC-2109, and no others. `members` are the reports of each archive by itself, made with all
// rules: they say which archives are sound (ARC-2107) and when their data end. Labels and metadata
// are read again, one archive after the other, so that memory does not grow with their number.
//
// Members that cannot be opened give ARC-2107 and take part in nothing else. The report's
// `members` name the archives; its findings name files with their directories, since members may
// lie in several. The summary is that of all members together.
ArchiveReport CheckSet(const archive::Storage& storage, const std::string& name,
                       const std::vector<CheckedMember>& members, const Catalogue& catalogue,
                       const CheckOptions& options);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_SET_CHECK_H_
