// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_LABEL_VALUES_H_
#define PMPROOF_REFERENCE_ARCHIVE_LABEL_VALUES_H_

#include <string_view>

namespace pmproof::archive {

// True if whoever reads the number of a JSON text into a double has the number that is written: an
// integer is within +-(2^53 - 1), and no number becomes infinite or, without being it, 0
// (ARC-1529). Digits of a fraction beyond those of a double do not count. Linear, without
// allocation.
bool FitsDouble(std::string_view number);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_LABEL_VALUES_H_
