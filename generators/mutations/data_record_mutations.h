#ifndef PMPROOF_GENERATORS_MUTATIONS_DATA_RECORD_MUTATIONS_H_
#define PMPROOF_GENERATORS_MUTATIONS_DATA_RECORD_MUTATIONS_H_

#include <span>

#include "generators/mutation.h"

// Edits of section 14.8 that are in files of their own.

namespace pmproof::generators {

// The structure of a record: readers refuse it (ARC-1701..1711).
std::span<const Mutation> DataRecordStructureMutations();
Lack MarkWithMoreThanItsTime(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack LastRecordCut(ArchiveImage& image, const ArchivePlan& plan, Random& random);

// The times of records, and marks (ARC-1718..1724).
Lack FractionTooLarge(ArchivePlan& plan, Random& random);
Lack FractionNegative(ArchivePlan& plan, Random& random);
Lack RecordBeforeTheStart(ArchivePlan& plan, Random& random);
Lack RecordGoesBack(ArchivePlan& plan, Random& random);
Lack TwoRecordsOfOneTime(ArchivePlan& plan, Random& random);
Lack RecordWithTheTimeOfTheLogue(ArchivePlan& plan, Random& random);
Lack RecordBefore1970(ArchivePlan& plan, Random& random);
Lack MarkAtTheStart(ArchivePlan& plan, Random& random);
Lack MarkAtTheEnd(ArchivePlan& plan, Random& random);
Lack MarksInARow(ArchivePlan& plan, Random& random);
Lack MarkNotLaterThanTheRecordBefore(ArchivePlan& plan, Random& random);
Lack MarkLaterThanTheRecordBehind(ArchivePlan& plan, Random& random);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_DATA_RECORD_MUTATIONS_H_
