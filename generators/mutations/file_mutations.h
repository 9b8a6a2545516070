// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_MUTATIONS_FILE_MUTATIONS_H_
#define PMPROOF_GENERATORS_MUTATIONS_FILE_MUTATIONS_H_

#include "generators/mutation.h"

// Edits of section 14.1 that compress files. They need sound files, and leave the content as it is.

namespace pmproof::generators {

NotApplicable CompressedCopy(MutatedFiles& files, const ArchivePlan& plan, Random& random);
NotApplicable TwoCompressedCopies(MutatedFiles& files, const ArchivePlan& plan, Random& random);
NotApplicable CompressedAndDamaged(MutatedFiles& files, const ArchivePlan& plan, Random& random);
NotApplicable CompressedAndCut(MutatedFiles& files, const ArchivePlan& plan, Random& random);
NotApplicable CompressedAndFollowed(MutatedFiles& files, const ArchivePlan& plan, Random& random);
NotApplicable CompressedByZstd(MutatedFiles& files, const ArchivePlan& plan, Random& random);
NotApplicable AllCompressedByZstd(MutatedFiles& files, const ArchivePlan& plan, Random& random);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_FILE_MUTATIONS_H_
