// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/encode.h"

#include "reference/pmda/pdu/coding.h"

namespace pmproof::pdu {

Outcome Encode(const Pdu& pdu, Buffer* out) {
  Writer writer(pdu.from, out);
  return std::visit([&](const auto& body) { return Write(body, writer); }, pdu.body);
}

}  // namespace pmproof::pdu
