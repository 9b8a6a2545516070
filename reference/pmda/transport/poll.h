// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_POLL_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_POLL_H_

#include <poll.h>

#include <span>

#include "reference/pmda/transport/deadline.h"

namespace pmproof::pmda {

// poll() that signals do not cut short. Number of descriptors with events; 0 at the deadline; -1
// with errno.
int Poll(std::span<pollfd> descriptors, Deadline deadline);

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_POLL_H_
