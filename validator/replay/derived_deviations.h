// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_REPLAY_DERIVED_DEVIATIONS_H_
#define PMPROOF_VALIDATOR_REPLAY_DERIVED_DEVIATIONS_H_

#include <span>

#include "validator/replay/asked.h"

namespace pmproof::validator {

// The deviations of fetched metrics as those of asked.known(): a derived value has those that its
// operands have in this fetch, in the same instance or where one of both is singular. `answer` is
// the one to asked.known().
Deviations DerivedDeviations(const Asked& asked, std::span<const Pmid> fetched,
                             const Deviations& deviations, const replay::FetchAnswer& answer);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_REPLAY_DERIVED_DEVIATIONS_H_
