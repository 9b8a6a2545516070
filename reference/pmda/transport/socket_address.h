// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_SOCKET_ADDRESS_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_SOCKET_ADDRESS_H_

#include <sys/socket.h>

#include "reference/core/status.h"
#include "reference/pmda/transport/address.h"

namespace pmproof::pmda {

// An Address as the system's calls take it. A value.
struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;

  int family() const { return storage.ss_family; }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

// The first that the name service has for the host. Errors: kUsage for a path that is empty, too
// long or has a NUL; kNotFound for an unknown host.
Result<SocketAddress> Resolve(const Address& address);

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_SOCKET_ADDRESS_H_
