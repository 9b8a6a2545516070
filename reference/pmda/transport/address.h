// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_ADDRESS_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_ADDRESS_H_

#include <cstdint>
#include <string>
#include <utility>

namespace pmproof::pmda {

// Where an agent or a collector listens (PMD-002, PMD-003). A value.
struct Address {
  enum class Kind : std::uint8_t { kUnix, kInet, kInet6 };

  static Address Unix(std::string path) { return {.kind = Kind::kUnix, .path = std::move(path)}; }
  static Address Inet(std::uint16_t port) { return {.kind = Kind::kInet, .port = port}; }
  static Address Inet6(std::uint16_t port) { return {.kind = Kind::kInet6, .port = port}; }

  Kind kind = Kind::kInet;
  std::string path{};      // kUnix: at most 107 bytes
  std::string host{};      // else: a name or number to connect to; empty is the loopback address
  std::uint16_t port = 0;  // else

  // "unix /run/agent.socket", "inet 127.0.0.1:4321", "ipv6 [::1]:4321"
  std::string ToText() const;

  friend bool operator==(const Address&, const Address&) = default;
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_ADDRESS_H_
