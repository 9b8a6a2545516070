// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_PDU_TYPE_H_
#define PMPROOF_REFERENCE_PMDA_PDU_PDU_TYPE_H_

#include <cstdint>
#include <string>

#include "reference/core/bytes.h"

namespace pmproof::pdu {

// The types of section 2. Other numbers occur: the enumeration is open.
enum class PduType : std::int32_t {
  kError = 0x7000,
  kResult = 0x7001,
  kProfile = 0x7002,
  kFetch = 0x7003,
  kDescReq = 0x7004,
  kDesc = 0x7005,
  kInstanceReq = 0x7006,
  kInstance = 0x7007,
  kTextReq = 0x7008,
  kText = 0x7009,
  kControlReq = 0x700a,  // retired: never decoded, never encoded
  kCreds = 0x700c,
  kPmnsIds = 0x700d,
  kPmnsNames = 0x700e,
  kPmnsChild = 0x700f,
  kPmnsTraverse = 0x7010,
  kAttr = 0x7011,
  kLabelReq = 0x7012,
  kLabel = 0x7013,
  kHighresFetch = 0x7014,
  kHighresResult = 0x7015,
  kDescIds = 0x7016,
  kDescs = 0x7017,
};

// "FETCH", "HIGHRES_RESULT"; "type 0x700b" for others.
std::string ToText(PduType type);

// Whether an agent answers a PDU of this type: with exactly one PDU, whatever is in it (PMD-047).
// To all other types it is silent (section 8, PMD-070..074).
bool AgentAnswers(PduType type);

// The first twelve bytes of every PDU (PDU-002).
inline constexpr std::size_t kHeaderSize = 12;

struct Header {
  std::int32_t length = 0;  // of header and body, in bytes
  PduType type{};
  std::int32_t from = 0;  // client slot, process id or 0 (PDU-008)

  friend bool operator==(const Header&, const Header&) = default;
};

// The header of the PDU that starts at bytes[0]; the caller has seen that twelve bytes are there.
inline Header LoadHeader(Bytes bytes) {
  return {LoadI32(bytes.data()), static_cast<PduType>(LoadI32(bytes.data() + 4)),
          LoadI32(bytes.data() + 8)};
}

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_PDU_TYPE_H_
