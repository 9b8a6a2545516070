// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_MUTATIONS_INSTANCE_DOMAIN_MUTATIONS_H_
#define PMPROOF_GENERATORS_MUTATIONS_INSTANCE_DOMAIN_MUTATIONS_H_

#include <vector>

#include "generators/mutation.h"

// The parts of InstanceDomainMutations().

namespace pmproof::generators {

std::vector<Mutation> DomainFieldMutations();   // ARC-1401..1407, 1412, 1418..1421, 1427
std::vector<Mutation> InstanceNameMutations();  // ARC-1408..1411, 1424, 1425, 1429, 1431
std::vector<Mutation> DomainOrderMutations();   // ARC-1413..1417, 1422, 1423, 1426, 1428, 1430

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_INSTANCE_DOMAIN_MUTATIONS_H_
