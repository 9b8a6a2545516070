// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_EMULATION_DEFAULT_H_
#define PMPROOF_VALIDATOR_TESTEE_EMULATION_DEFAULT_H_

#include <optional>

#include "reference/core/pcp_version.h"
#include "reference/replay/emulation/deviation.h"

namespace pmproof::validator {

// How a testee answers requests of values that name neither a rule nor a version to emulate.
struct EmulationDefault {
  std::optional<PcpVersion> version;  // nothing: by the rule of the operation
  replay::emulation::Mends mends;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_EMULATION_DEFAULT_H_
