// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_TESTING_ALLOCATIONS_H_
#define PMPROOF_REFERENCE_PMDA_PDU_TESTING_ALLOCATIONS_H_

#include <cstddef>

namespace pmproof::pdu {

// How often this program has called operator new. Whoever links this has that operator replaced.
std::size_t Allocations();

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_TESTING_ALLOCATIONS_H_
