// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_MUTATIONS_SECOND_ARCHIVE_H_
#define PMPROOF_GENERATORS_MUTATIONS_SECOND_ARCHIVE_H_

#include <cstdint>

#include "generators/archive_image.h"
#include "generators/mutation.h"

// A second archive, which makes a set of one (ARC-550).

namespace pmproof::generators {

// The time from the start of an archive to its last record, in nanoseconds as stored.
std::int64_t Span(const ArchivePlan& plan);

// Makes the times of an archive earlier, so that it begins `nanoseconds` before its start: by
// Span(), it ends where it began, and is followed by the one that it was made from without gap or
// overlap. In front, since after its end there may be the present, or 2038. NotApplicable: it would
// begin before 1990 (ARC-1220).
NotApplicable MoveBack(ArchivePlan& plan, std::int64_t nanoseconds);

// Adds an archive to the files, as "BASE-2".
void AddSecond(const ArchivePlan& second, MutatedFiles& files);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_SECOND_ARCHIVE_H_
