// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_PDU_JSON_H_
#define PMPROOF_VALIDATOR_TESTEE_PDU_JSON_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reference/pmda/pdu/pdu.h"
#include "reference/pmda/pdu/pdu_error.h"
#include "validator/testee/outcome.h"
#include "validator/text/json_values.h"

// PDUs as the testee protocol writes them (PDU of validator/schema/testee.schema.json): the fields
// of section 4, identifiers and words as eight hexadecimal digits.

namespace pmproof::validator {

Json PduJson(const pdu::Pdu& pdu);

// The bytes of what PduJson() writes, or otherwise by the schema. An error says what makes no
// sense, a refusal (PduRefusal) what no PDU can say.
tl::expected<std::vector<std::uint8_t>, Outcome> BytesOf(const Json& pdu);

// pdu.header: of the first twelve bytes (PDU-003, PDU-006, PDU-007); pdu.type: nobody has that type
// (PDU-020); pdu.body: what is after. Its offset is that of the wrong field (PDU-014).
Reject PduRefusal(const pdu::PduError& error);

// Hexadecimal digits, two for each byte; blanks between them are passed over. Nothing for what is
// something else.
std::optional<std::vector<std::uint8_t>> ParseHex(std::string_view text);
std::string HexOf(Bytes bytes);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_PDU_JSON_H_
