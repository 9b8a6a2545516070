// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_PCP_VERSION_H_
#define PMPROOF_REFERENCE_CORE_PCP_VERSION_H_

#include <cstdint>

namespace pmproof {

// The versions of PCP by which answers differ: V60, V63 and V72 of the specification.
enum class PcpVersion : std::uint8_t { k6_0_3, k6_3_8, k7_2 };

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_PCP_VERSION_H_
