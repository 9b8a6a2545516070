// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CUSTODY_FIRST_DIFFERENCE_H_
#define PMPROOF_VALIDATOR_CUSTODY_FIRST_DIFFERENCE_H_

#include <cstdint>
#include <string>

#include "reference/archive/source.h"
#include "reference/core/status.h"
#include "validator/custody/certificate.h"
#include "validator/custody/tree.h"

namespace pmproof::validator {

// Returns where the decompressed content of the file at `path` is first other than that of the file
// at `copy_path` in another tree, or of a form of that with another compression: an offset, which
// is the end of the shorter one where it is the beginning of the other. A file that does not
// decompress differs where that ends.
//
// The copy must be as `certified`. Errors: of opening the files; kDamaged for a copy that is not.
Result<std::uint64_t> FirstDifference(const Tree& tree, const std::string& path, const Tree& copy,
                                      const std::string& copy_path, const CertifiedFile& certified,
                                      const archive::SourceLimits& limits);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CUSTODY_FIRST_DIFFERENCE_H_
