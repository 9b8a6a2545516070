// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_MUTATIONS_ACROSS_MUTATIONS_H_
#define PMPROOF_GENERATORS_MUTATIONS_ACROSS_MUTATIONS_H_

#include "generators/mutation.h"

// Edits of section 14.11 that concern the times of metadata (ARC-2001, 2002, 2003, 2005).

namespace pmproof::generators {

NotApplicable LabelsBeforeTheStart(ArchivePlan& plan, Random& random);
NotApplicable DomainBeforeTheStart(ArchivePlan& plan, Random& random);
NotApplicable LabelsAfterTheEnd(ArchivePlan& plan, Random& random);
NotApplicable DomainAfterTheEnd(ArchivePlan& plan, Random& random);
NotApplicable LabelsOutOfOrder(ArchivePlan& plan, Random& random);
NotApplicable LabelsInFrontOfDomain(ArchivePlan& plan, Random& random);
NotApplicable DomainBetweenRecords(ArchivePlan& plan, Random& random);
NotApplicable DomainAheadOfItsRecord(ArchivePlan& plan, Random& random);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_ACROSS_MUTATIONS_H_
