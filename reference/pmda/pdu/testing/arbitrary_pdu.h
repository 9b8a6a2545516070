// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_TESTING_ARBITRARY_PDU_H_
#define PMPROOF_REFERENCE_PMDA_PDU_TESTING_ARBITRARY_PDU_H_

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "reference/pmda/pdu/pdu.h"

namespace pmproof::pdu {

// Owns the lists and texts of arbitrary PDUs. Nothing in it moves.
struct PduStorage {
  std::deque<std::string> texts;
  std::deque<std::vector<std::uint8_t>> bodies;
  std::deque<std::vector<Credential>> credentials;
  std::deque<std::vector<std::int32_t>> numbers;
  std::deque<std::vector<ProfileEntry>> entries;
  std::deque<std::vector<Pmid>> pmids;
  std::deque<std::vector<Descriptor>> descriptors;
  std::deque<std::vector<InstanceEntry>> instances;
  std::deque<std::vector<PmnsName>> names;
  std::deque<std::vector<LabelEntry>> labels;
  std::deque<std::vector<LabelSet>> label_sets;
  std::deque<std::vector<InstanceValue>> values;
  std::deque<std::vector<ValueSet>> value_sets;
};

// The types that are decoded: all of section 2 but CONTROL_REQ.
inline constexpr std::array kPduTypes = {
    PduType::kError,     PduType::kResult,    PduType::kProfile,      PduType::kFetch,
    PduType::kDescReq,   PduType::kDesc,      PduType::kInstanceReq,  PduType::kInstance,
    PduType::kTextReq,   PduType::kText,      PduType::kCreds,        PduType::kPmnsIds,
    PduType::kPmnsNames, PduType::kPmnsChild, PduType::kPmnsTraverse, PduType::kAttr,
    PduType::kLabelReq,  PduType::kLabel,     PduType::kHighresFetch, PduType::kHighresResult,
    PduType::kDescIds,   PduType::kDescs};

// Any PDU of the type that there can be on the wire. To be called in a property: it draws from
// RapidCheck's random numbers.
Pdu ArbitraryPdu(PduType type, PduStorage* storage);

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_TESTING_ARBITRARY_PDU_H_
