// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_MUTATIONS_DATA_RECORD_MUTATIONS_H_
#define PMPROOF_GENERATORS_MUTATIONS_DATA_RECORD_MUTATIONS_H_

#include <span>

#include "generators/mutation.h"

// Edits of section 14.8 that are in files of their own.

namespace pmproof::generators {

// The structure of a record: readers refuse it (ARC-1701..1711).
std::span<const Mutation> DataRecordStructureMutations();
NotApplicable MarkWithMoreThanItsTime(ArchiveImage& image, const ArchivePlan& plan, Random& random);
NotApplicable LastRecordCut(ArchiveImage& image, const ArchivePlan& plan, Random& random);

// The times of records, and marks (ARC-1718..1724).
NotApplicable FractionTooLarge(ArchivePlan& plan, Random& random);
NotApplicable FractionNegative(ArchivePlan& plan, Random& random);
NotApplicable RecordBeforeTheStart(ArchivePlan& plan, Random& random);
NotApplicable RecordGoesBack(ArchivePlan& plan, Random& random);
NotApplicable TwoRecordsOfOneTime(ArchivePlan& plan, Random& random);
NotApplicable RecordWithTheTimeOfTheLogue(ArchivePlan& plan, Random& random);
NotApplicable RecordBefore1970(ArchivePlan& plan, Random& random);
NotApplicable MarkAtTheStart(ArchivePlan& plan, Random& random);
NotApplicable MarkAtTheEnd(ArchivePlan& plan, Random& random);
NotApplicable MarksInARow(ArchivePlan& plan, Random& random);
NotApplicable MarkNotLaterThanTheRecordBefore(ArchivePlan& plan, Random& random);
NotApplicable MarkLaterThanTheRecordBehind(ArchivePlan& plan, Random& random);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_DATA_RECORD_MUTATIONS_H_
