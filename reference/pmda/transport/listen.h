// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_LISTEN_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_LISTEN_H_

#include <memory>

#include "reference/core/status.h"
#include "reference/pmda/transport/address.h"
#include "reference/pmda/transport/deadline.h"
#include "reference/pmda/transport/descriptor.h"
#include "reference/pmda/transport/transport.h"

namespace pmproof::pmda {

// The agent's side of PMD-002 and PMD-003. A resource, moved, not copied.
class Listener {
 public:
  // inet, ipv6: on the loopback address (Address::host is not used), backlog 1, address re-use on;
  // port 0 lets the system choose. unix: a socket file that is already there is stale and is
  // removed (any other file is not: EADDRINUSE), mode rw-rw----, given to user and group pcp if
  // these exist and the process may. The path is never wider open than that, not even for a moment.
  //
  // Errors: as Connect.
  static Result<Listener> Open(const Address& address);

  // With the port that the system chose.
  const Address& address() const { return address_; }

  // Accepts exactly one connection and closes the listening socket: a second connect is refused
  // (CKA-015). The socket file stays; it is the collector that removes it. Error: kBudget with
  // -ETIMEDOUT at the deadline (the listener stays open), -EBADF after a connection.
  Result<std::unique_ptr<Transport>> Accept(Deadline deadline);

 private:
  Listener(Address address, Descriptor socket);

  Address address_;
  Descriptor socket_;
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_LISTEN_H_
