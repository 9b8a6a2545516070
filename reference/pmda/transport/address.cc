// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/transport/address.h"

namespace pmproof::pmda {

std::string Address::ToText() const {
  switch (kind) {
    case Kind::kUnix:
      return "unix " + path;
    case Kind::kInet:
      return "inet " + (host.empty() ? "127.0.0.1" : host) + ":" + std::to_string(port);
    case Kind::kInet6:
      return "ipv6 [" + (host.empty() ? "::1" : host) + "]:" + std::to_string(port);
  }
  return {};
}

}  // namespace pmproof::pmda
