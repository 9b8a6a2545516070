// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_COMBINATION_H_
#define PMPROOF_GENERATORS_COMBINATION_H_

#include <span>
#include <string>

#include "generators/mutation.h"

namespace pmproof::generators {

// Applies several mutations to one archive. Those that leave an archive that can be decoded come
// first, each applied to what the one before it made of the archive. The others, after which
// nothing could be found in its place any more, have to change different files. The order among
// them does not depend on that of `mutations`.
//
// Errors: those of Mutate(); kUsage where two mutations change the same file in each of some
// attempts.
Result<MutatedFiles> MutateAll(std::span<const Mutation* const> mutations, ArchivePlan plan,
                               const std::string& base, Random& random);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_COMBINATION_H_
