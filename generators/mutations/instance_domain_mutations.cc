// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.5: instance domains.

#include "generators/mutations/instance_domain_mutations.h"

#include "generators/mutations/mutations.h"

namespace pmproof::generators {

std::span<const Mutation> InstanceDomainMutations() {
  static const std::vector<Mutation> all = [] {
    std::vector<Mutation> joined;
    for (const std::vector<Mutation>& part :
         {DomainFieldMutations(), InstanceNameMutations(), DomainOrderMutations()})
      joined.insert(joined.end(), part.begin(), part.end());
    return joined;
  }();
  return all;
}

}  // namespace pmproof::generators
