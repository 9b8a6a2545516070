// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_ADDRESSABLE_SOURCE_H_
#define PMPROOF_REFERENCE_ARCHIVE_ADDRESSABLE_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "reference/archive/memory_budget.h"
#include "reference/archive/source.h"
#include "reference/core/status.h"

namespace pmproof::archive {

// A source whose views hold as long as it does, as metadata and index need them. `source` stands at
// its beginning; it is given back as it is if it is mapped. Else its whole content is decompressed
// into memory: at most `budget` bytes, beyond which the error is kBudget. Where the compressed data
// are damaged, what came before can be read and the error is met after it. `name` is used in
// errors.
Result<std::unique_ptr<Source>> MakeAddressable(std::unique_ptr<Source> source, std::string name,
                                                std::size_t budget = MemoryBudget().Metadata());

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_ADDRESSABLE_SOURCE_H_
