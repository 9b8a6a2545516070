// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_PDU_H_
#define PMPROOF_REFERENCE_PMDA_PDU_PDU_H_

#include <cstdint>
#include <variant>

#include "reference/pmda/pdu/label_pdus.h"
#include "reference/pmda/pdu/metric_pdus.h"
#include "reference/pmda/pdu/name_pdus.h"
#include "reference/pmda/pdu/pdu_type.h"
#include "reference/pmda/pdu/result_pdus.h"
#include "reference/pmda/pdu/session_pdus.h"

namespace pmproof::pdu {

using Body = std::variant<Error, Result, Profile, Fetch, DescReq, Desc, InstanceReq, Instance,
                          TextReq, Text, Creds, PmnsIds, PmnsNames, PmnsChild, PmnsTraverse, Attr,
                          LabelReq, Label, HighresFetch, HighresResult, DescIds, Descs>;

// One PDU: a value made of views. Lists and texts belong to somebody else (see Decoder).
struct Pdu {
  std::int32_t from = 0;  // PDU-008
  Body body{};

  friend bool operator==(const Pdu&, const Pdu&) = default;
};

PduType TypeOf(const Body& body);

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_PDU_H_
