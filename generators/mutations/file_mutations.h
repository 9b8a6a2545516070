#ifndef PMPROOF_GENERATORS_MUTATIONS_FILE_MUTATIONS_H_
#define PMPROOF_GENERATORS_MUTATIONS_FILE_MUTATIONS_H_

#include "generators/mutation.h"

// Edits of section 14.1 that compress files. They need sound files, and leave the content as it is.

namespace pmproof::generators {

Lack CompressedCopy(MutatedFiles& files, const ArchivePlan& plan, Random& random);
Lack TwoCompressedCopies(MutatedFiles& files, const ArchivePlan& plan, Random& random);
Lack CompressedAndDamaged(MutatedFiles& files, const ArchivePlan& plan, Random& random);
Lack CompressedAndCut(MutatedFiles& files, const ArchivePlan& plan, Random& random);
Lack CompressedAndFollowed(MutatedFiles& files, const ArchivePlan& plan, Random& random);
Lack CompressedByZstd(MutatedFiles& files, const ArchivePlan& plan, Random& random);
Lack AllCompressedByZstd(MutatedFiles& files, const ArchivePlan& plan, Random& random);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_FILE_MUTATIONS_H_
