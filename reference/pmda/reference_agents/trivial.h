// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_REFERENCE_AGENTS_TRIVIAL_H_
#define PMPROOF_REFERENCE_PMDA_REFERENCE_AGENTS_TRIVIAL_H_

#include <cstdint>
#include <functional>
#include <memory>

#include "reference/pmda/runtime/agent.h"

namespace pmproof::pmda {

// The agent trivial (13.1): one metric, the seconds since 1970. `clock` gives them.
std::unique_ptr<Agent> MakeTrivial(std::function<std::uint64_t()> clock);

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_REFERENCE_AGENTS_TRIVIAL_H_
