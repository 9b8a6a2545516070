// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_CLOSE_DESCRIPTORS_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_CLOSE_DESCRIPTORS_H_

// Async-signal-safe; also on kernels that do not know close_range.
namespace pmproof::pmda {

void CloseDescriptors(unsigned first, unsigned last);  // both included
void CloseDescriptorsOnExec(unsigned first);

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_CLOSE_DESCRIPTORS_H_
