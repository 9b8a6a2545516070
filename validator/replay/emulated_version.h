// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_REPLAY_EMULATED_VERSION_H_
#define PMPROOF_VALIDATOR_REPLAY_EMULATED_VERSION_H_

#include <utility>
#include <vector>

#include "reference/core/pcp_version.h"

namespace pmproof::validator {

// The versions of PCP that can be emulated, as users name them.
inline std::vector<std::pair<const char*, PcpVersion>> EmulatedVersions() {
  return {
      {"6.0.3", PcpVersion::k6_0_3}, {"6.3.8", PcpVersion::k6_3_8}, {"7.2.2", PcpVersion::k7_2}};
}

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_REPLAY_EMULATED_VERSION_H_
