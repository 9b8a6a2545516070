// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CUSTODY_WRITE_BAG_H_
#define PMPROOF_VALIDATOR_CUSTODY_WRITE_BAG_H_

#include <optional>
#include <string>
#include <string_view>

#include "reference/archive/output_storage.h"
#include "reference/core/status.h"
#include "validator/custody/tree.h"

namespace pmproof::validator {

// Whether a directory is a bag already: it has a bagit.txt. Error: of looking.
Result<bool> IsBag(const Tree& directory);

// Returns why a directory cannot become a bag, or "": it has no payload directory `data`, or tag
// files of that name are there and not to be replaced (`force`).
std::string RefuseBag(const Tree& directory, bool force);

// Makes the root of `directory` a bag of version 1.0: hashes its payload (SHA-256), and writes
// bag-info.txt, the manifests of the payload and of the tag files, the certificate among them, and
// bagit.txt as the last one. `date`: "2026-11-27". Error: of reading or writing; what was written
// is removed then.
std::optional<Status> WriteBag(const Tree& directory, archive::OutputStorage& output,
                               std::string_view date, std::string_view software);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CUSTODY_WRITE_BAG_H_
