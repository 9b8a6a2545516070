// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_MUTATIONS_SET_MUTATIONS_H_
#define PMPROOF_GENERATORS_MUTATIONS_SET_MUTATIONS_H_

#include "generators/archive_image.h"
#include "generators/mutation.h"

// Edits of section 14.11 of an archive that others agree with: what its metrics are, and its
// version. By itself the archive stays as sound as it was.

namespace pmproof::generators {

NotApplicable OtherUnits(ArchivePlan& second, Random& random);
NotApplicable OtherSemantics(ArchivePlan& second, Random& random);
NotApplicable OtherType(ArchivePlan& second, Random& random);
NotApplicable OtherDomain(ArchivePlan& second, Random& random);
NotApplicable Renamed(ArchivePlan& second, Random& random);
NotApplicable MoreNames(ArchivePlan& second, Random& random);
NotApplicable OtherMetric(ArchivePlan& second, Random& random);
NotApplicable OtherVersion(ArchivePlan& second, Random& random);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_SET_MUTATIONS_H_
