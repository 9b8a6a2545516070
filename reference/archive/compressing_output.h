// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_COMPRESSING_OUTPUT_H_
#define PMPROOF_REFERENCE_ARCHIVE_COMPRESSING_OUTPUT_H_

#include <memory>
#include <string_view>

#include "reference/archive/output_storage.h"
#include "reference/archive/source.h"

namespace pmproof::archive {

// A file that compresses what is written to it into `file` (ARC-033, ARC-036): kXz, kGzip, kBzip2
// or kZstd, each as the library of that name does; kNone gives `file` back. The memory that it
// takes (xz 20 MB, bzip2 8 MB) does not depend on how much is written. The same bytes are always
// compressed alike by one version of the library.
//
// Errors: kBudget where there is not enough memory, kUnsupported for the other compressions.
Result<std::unique_ptr<OutputFile>> MakeCompressing(std::unique_ptr<OutputFile> file,
                                                    Compression compression);

// ".xz", ".gz", ".bz2", ".zst"; empty for kNone.
std::string_view SuffixOf(Compression compression);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_COMPRESSING_OUTPUT_H_
