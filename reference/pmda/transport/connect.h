// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_CONNECT_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_CONNECT_H_

#include <functional>
#include <memory>
#include <string>

#include "reference/core/status.h"
#include "reference/pmda/transport/address.h"
#include "reference/pmda/transport/deadline.h"
#include "reference/pmda/transport/transport.h"

namespace pmproof::pmda {

// The collector's side of PMD-002..004: connects to an agent (or a client to a collector). Tries
// until somebody listens, at most until the deadline; with Deadline::Passed() exactly once, so that
// "refused" can be told (CKA-015). Small messages are not held back (TCP_NODELAY).
//
// `go_on`, if given, is asked between two tries; false ends the waiting (an agent that has died
// will not listen any more). A host that is a name is looked up first, which no deadline bounds.
//
// Errors: the last try's reason; Status::code is the negated errno number (-ECONNREFUSED, -ENOENT,
// -EAGAIN for a full backlog ...), kind kNotFound for ENOENT, kUsage for a path that is too long,
// else kUnreadable.
Result<std::unique_ptr<Transport>> Connect(const Address& address, Deadline deadline,
                                           const std::function<bool()>& go_on = {});

// What pmcd does when it drops an agent on a unix socket (PMD-003): removes the file, if it is a
// socket. Nothing else is ever removed. True if there was one.
bool RemoveSocketFile(const std::string& path);

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_CONNECT_H_
