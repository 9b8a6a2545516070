// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DUMP_DUMP_ARCHIVE_H_
#define PMPROOF_VALIDATOR_DUMP_DUMP_ARCHIVE_H_

#include <string>
#include <vector>

#include "reference/archive/file_set.h"
#include "reference/archive/memory_budget.h"
#include "reference/archive/storage.h"
#include "reference/core/status.h"
#include "validator/dump/dump_writer.h"

namespace pmproof::validator {

// Walks over every byte of every file of the archive that `name` stands for: .meta, the volumes in
// their order, .index. Damage does not stop it; what could not be shown is returned, one Status for
// each place. Errors: there is no such archive; a file was cut short while it was read (its path
// and the offset: what was written of it from there on is zeros). `listings` as in FindArchive.
Result<std::vector<Status>> DumpArchive(
    const archive::Storage& storage, const std::string& name, Quoting quoting, DumpWriter& writer,
    const archive::MemoryBudget& budget = archive::MemoryBudget(),
    const archive::Listings* listings = nullptr);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_DUMP_DUMP_ARCHIVE_H_
