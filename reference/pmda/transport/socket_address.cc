// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/transport/socket_address.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/un.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>

#include "reference/pmda/transport/system_error.h"

namespace pmproof::pmda {
namespace {

template <typename T>
SocketAddress FromSystem(const T& address, std::size_t size = sizeof(T)) {
  SocketAddress made;
  std::memcpy(&made.storage, &address, size);
  made.size = static_cast<socklen_t>(size);
  return made;
}

Result<SocketAddress> OfPath(const Address& address) {
  sockaddr_un system = {};
  system.sun_family = AF_UNIX;
  if (address.path.empty() || address.path.find('\0') != std::string::npos)
    return tl::unexpected(Status{.kind = Status::Kind::kUsage,
                                 .message = "a unix socket needs a path without NUL bytes"});
  if (address.path.size() >= sizeof system.sun_path)
    return tl::unexpected(SystemError(address.ToText(), ENAMETOOLONG));
  std::copy(address.path.begin(), address.path.end(), system.sun_path);
  return FromSystem(system, offsetof(sockaddr_un, sun_path) + address.path.size() + 1);
}

Result<SocketAddress> OfHost(const Address& address) {
  addrinfo hints = {};
  hints.ai_family = address.kind == Address::Kind::kInet ? AF_INET : AF_INET6;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error =
      getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
  if (error != 0 || found == nullptr) {
    return tl::unexpected(Status{.kind = Status::Kind::kNotFound,
                                 .message = "host " + address.host + ": " + gai_strerror(error)});
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
  SocketAddress made;
  std::memcpy(&made.storage, found->ai_addr, found->ai_addrlen);
  made.size = found->ai_addrlen;
  return made;
}

}  // namespace

Result<SocketAddress> Resolve(const Address& address) {
  if (address.kind == Address::Kind::kUnix) return OfPath(address);
  if (!address.host.empty()) return OfHost(address);
  if (address.kind == Address::Kind::kInet) {
    sockaddr_in system = {};
    system.sin_family = AF_INET;
    system.sin_port = htons(address.port);
    system.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return FromSystem(system);
  }
  sockaddr_in6 system = {};
  system.sin6_family = AF_INET6;
  system.sin6_port = htons(address.port);
  system.sin6_addr = in6addr_loopback;
  return FromSystem(system);
}

}  // namespace pmproof::pmda
