// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_RECORD_BEGINNING_H_
#define PMPROOF_REFERENCE_ARCHIVE_RECORD_BEGINNING_H_

#include <cstddef>

#include "reference/archive/layout.h"
#include "reference/core/bytes.h"

namespace pmproof::archive {

// Whether `beginning`, all that a file of .meta or of a data volume has of its last record, can be
// the first bytes of a sound record of `length` bytes (ARC-1111): the length is possible for the
// kind of file, and the fields that are there fit it. That tells a file that was cut, or is being
// written (ARC-520), from a garbled length word. `beginning` has the leading length word at least.
// Time is linear in its size, whatever counts it claims.
bool IsSoundBeginning(Bytes beginning, std::size_t length, Part part, int version);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_RECORD_BEGINNING_H_
