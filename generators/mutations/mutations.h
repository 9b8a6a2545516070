// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_MUTATIONS_MUTATIONS_H_
#define PMPROOF_GENERATORS_MUTATIONS_MUTATIONS_H_

#include <span>
#include <vector>

#include "generators/mutation.h"

// The mutations, by the subsections of section 14 of reference/spec/archive.md. Each list lives as
// long as the program.

namespace pmproof::generators {

std::span<const Mutation> FileMutations();            // 14.1, ARC-1001..1016
std::span<const Mutation> FramingMutations();         // 14.2, ARC-1101..1111
std::span<const Mutation> LabelMutations();           // 14.3, ARC-1201..1229
std::span<const Mutation> DescriptorMutations();      // 14.4, ARC-1301..1336
std::span<const Mutation> InstanceDomainMutations();  // 14.5, ARC-1401..1431
std::span<const Mutation> LabelSetMutations();        // 14.6, ARC-1501..1530
std::span<const Mutation> HelpTextMutations();        // 14.7, ARC-1601..1612
std::span<const Mutation> DataRecordMutations();      // 14.8, ARC-1701..1729
std::span<const Mutation> ValueMutations();           // 14.9, ARC-1801..1835
std::span<const Mutation> IndexMutations();           // 14.10, ARC-1901..1927
std::span<const Mutation> AcrossMutations();          // 14.11, ARC-2001..2010
std::span<const Mutation> SetMutations();             // 14.11, ARC-2101..2109

// All of them in the order of the rules. Those of one rule are in the order of their section.
std::vector<const Mutation*> AllMutations();

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_MUTATIONS_H_
