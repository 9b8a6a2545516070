// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_DSO_BLOCK_ORDER_H_
#define PMPROOF_REFERENCE_PMDA_DSO_BLOCK_ORDER_H_

#include <cstdint>
#include <span>

#include "reference/core/metric.h"

// Bodies of value blocks between the order of the wire (PDU-105, 5.3) and that of this machine
// (11.3). In place; opaque bodies stay as they are.

namespace pmproof::dso {

// False where the body is not of its type: a number of another size, an event record that leaves
// its block. What can be converted has been, the rest is as it was.
bool ToWireOrder(MetricType type, std::span<std::uint8_t> body);
bool ToHostOrder(MetricType type, std::span<std::uint8_t> body);

}  // namespace pmproof::dso

#endif  // PMPROOF_REFERENCE_PMDA_DSO_BLOCK_ORDER_H_
