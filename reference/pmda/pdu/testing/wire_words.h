// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_TESTING_WIRE_WORDS_H_
#define PMPROOF_REFERENCE_PMDA_PDU_TESTING_WIRE_WORDS_H_

#include <initializer_list>

#include "reference/core/bytes.h"
#include "reference/pmda/pdu/encode.h"

namespace pmproof::pdu {

// Bytes as the specification writes them: 32 bit words in wire order.
inline Buffer Words(std::initializer_list<std::uint32_t> words) {
  Buffer bytes;
  for (const std::uint32_t word : words) {
    bytes.resize(bytes.size() + 4);
    StoreU32(bytes.data() + bytes.size() - 4, word);
  }
  return bytes;
}

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_TESTING_WIRE_WORDS_H_
