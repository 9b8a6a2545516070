// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "generators/agent/faults/faults.h"

namespace pmproof::generators {

std::vector<Fault> AllFaults() {
  std::vector<Fault> all;
  for (auto* list : {StartFaults, DescriptorFaults, FetchFaults, ValueFaults, EventFaults,
                     ProfileFaults, InstanceFaults, MetadataFaults, StoreFaults, StrayFaults,
                     MalformedFaults, EnduranceFaults, UndecodableFaults, SubtleFaults}) {
    std::ranges::move(list(), std::back_inserter(all));
  }
  std::ranges::stable_sort(all, {}, &Fault::check);
  return all;
}

const Fault* FindFault(const std::vector<Fault>& faults, std::string_view id) {
  const auto found = std::ranges::find(faults, id, &Fault::id);
  return found == faults.end() ? nullptr : &*found;
}

}  // namespace pmproof::generators
