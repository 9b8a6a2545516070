// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_MUTATIONS_FRAMING_MUTATIONS_H_
#define PMPROOF_GENERATORS_MUTATIONS_FRAMING_MUTATIONS_H_

#include "generators/mutation.h"

// The edit for ARC-1110: a volume of 2^31 bytes and more, which lies there compressed, in 2 MB. It
// takes three steps: small records in place of its own, their offsets in the index, its content.

namespace pmproof::generators {

NotApplicable RoomForALargeVolume(ArchivePlan& plan, Random& random);
NotApplicable OffsetsInTheLargeVolume(ArchiveImage& image, const ArchivePlan& plan, Random& random);
NotApplicable LargeVolume(MutatedFiles& files, const ArchivePlan& plan, Random& random);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_FRAMING_MUTATIONS_H_
