// SPDX-License-Identifier: Apache-2.0
// The mutations of all sections as one list.

#include <algorithm>

#include "generators/mutations/mutations.h"

namespace pmproof::generators {

std::vector<const Mutation*> AllMutations() {
  std::vector<const Mutation*> all;
  for (const std::span<const Mutation> section :
       {FileMutations(), FramingMutations(), LabelMutations(), DescriptorMutations(),
        InstanceDomainMutations(), LabelSetMutations(), HelpTextMutations(), DataRecordMutations(),
        ValueMutations(), IndexMutations(), AcrossMutations(), SetMutations()}) {
    for (const Mutation& mutation : section) all.push_back(&mutation);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Mutation* a, const Mutation* b) { return a->rule < b->rule; });
  return all;
}

}  // namespace pmproof::generators
