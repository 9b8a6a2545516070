// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_MUTATIONS_DESCRIPTOR_MUTATIONS_H_
#define PMPROOF_GENERATORS_MUTATIONS_DESCRIPTOR_MUTATIONS_H_

#include <vector>

#include "generators/mutation.h"

// The parts of DescriptorMutations().

namespace pmproof::generators {

std::vector<Mutation> DescNameMutations();      // ARC-1303..1309, ARC-1335
std::vector<Mutation> RepeatedDescMutations();  // ARC-1310..1315
std::vector<Mutation> DescFieldMutations();     // ARC-1316..1319, ARC-1329..1331, ARC-1334
std::vector<Mutation> DescUnitMutations();      // ARC-1320..1328

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_DESCRIPTOR_MUTATIONS_H_
