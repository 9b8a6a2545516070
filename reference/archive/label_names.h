// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_LABEL_NAMES_H_
#define PMPROOF_REFERENCE_ARCHIVE_LABEL_NAMES_H_

#include <cstddef>
#include <optional>
#include <string_view>

namespace pmproof::archive {

// Where the first name begins, after its quote, that its object has had before (ARC-1528). What the
// entries of a set show is left out: two labels of at most two levels (ARC-1511).
//
// Requires what ScanLabelJson() found to be one object. Time is n log n in its bytes.
std::optional<std::size_t> FindRepeatedName(std::string_view json);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_LABEL_NAMES_H_
