// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_PDU_TEXT_H_
#define PMPROOF_REFERENCE_PMDA_PDU_PDU_TEXT_H_

#include <string>

#include "reference/pmda/pdu/pdu.h"

namespace pmproof::pdu {

// The whole PDU on one line, with the fields of section 4 by their names:
//
//   FETCH from=0 context=0 pmids=[253.0.0 253.0.1]
//   RESULT from=0 seconds=0 microseconds=0 sets=[{253.0.0 insitu -1:00000001} {253.0.99 -12358}]
//   INSTANCE from=0 indom=253.0 instances=[0:'red' 1:'green']
//
// Values are shown as on the wire: a word, or type/body in hexadecimal. As long as the PDU needs.
std::string ToText(const Pdu& pdu);

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_PDU_TEXT_H_
