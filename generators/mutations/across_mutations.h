#ifndef PMPROOF_GENERATORS_MUTATIONS_ACROSS_MUTATIONS_H_
#define PMPROOF_GENERATORS_MUTATIONS_ACROSS_MUTATIONS_H_

#include "generators/mutation.h"

// Edits of section 14.11 that concern the times of metadata (ARC-2001, 2002, 2003, 2005).

namespace pmproof::generators {

Lack LabelsBeforeTheStart(ArchivePlan& plan, Random& random);
Lack DomainBeforeTheStart(ArchivePlan& plan, Random& random);
Lack LabelsAfterTheEnd(ArchivePlan& plan, Random& random);
Lack DomainAfterTheEnd(ArchivePlan& plan, Random& random);
Lack LabelsOutOfOrder(ArchivePlan& plan, Random& random);
Lack LabelsInFrontOfDomain(ArchivePlan& plan, Random& random);
Lack DomainBetweenRecords(ArchivePlan& plan, Random& random);
Lack DomainAheadOfItsRecord(ArchivePlan& plan, Random& random);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_ACROSS_MUTATIONS_H_
