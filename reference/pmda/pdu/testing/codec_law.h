// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_TESTING_CODEC_LAW_H_
#define PMPROOF_REFERENCE_PMDA_PDU_TESTING_CODEC_LAW_H_

#include <string>

#include "reference/core/bytes.h"
#include "reference/pmda/pdu/strictness.h"

namespace pmproof::pdu {

// What holds for any bytes whatever: either they are refused with a place, a clause and a code; or
// encoding what they mean gives the same bytes; or the decoder has said what it overlooked, and
// encoding gives a PDU of the same meaning in which there is nothing to overlook. The text says
// what does not hold; empty if all does.
std::string BrokenLaw(Bytes bytes, const Strictness& strictness);

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_TESTING_CODEC_LAW_H_
