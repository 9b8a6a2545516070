// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_INSTANCE_NAMES_H_
#define PMPROOF_REFERENCE_ARCHIVE_INSTANCE_NAMES_H_

#include "reference/archive/indom_record.h"
#include "reference/archive/reporter.h"

namespace pmproof::archive {

// Validates the string table of a record whose words have been checked and which has entries
// (ARC-341, ARC-342, ARC-343; rules ARC-1404, 1409, 1410, 1411, 1420, 1421, 1427, 1429,
// 1431), and says in the record if it is tangled. Time is n log n in the bytes of the record, also
// where names overlap in the table.
//
// A name whose offset is the length of the table (ARC-1403) is left out, and then the table is not
// searched for bytes that belong to no name.
void CheckInstanceNames(IndomRecord* indom, Reporter& reporter);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_INSTANCE_NAMES_H_
