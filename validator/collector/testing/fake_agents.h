// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_COLLECTOR_TESTING_FAKE_AGENTS_H_
#define PMPROOF_VALIDATOR_COLLECTOR_TESTING_FAKE_AGENTS_H_

#include <cstdint>
#include <optional>

#include "reference/pmda/pdu/decoder.h"
#include "validator/collector/requests.h"

// What a collector answers with the agents pmcd, simple, sample and trivial, where neither values
// nor state are concerned.

namespace pmproof::validator::collector {

bool IsKnownMetric(Pmid pmid);

// The answer to DESC_REQ, DESC_IDS, INSTANCE_REQ, TEXT_REQ, LABEL_REQ and PMNS_*.
Octets AnswerMetadata(const pdu::Pdu& request, bool old);

}  // namespace pmproof::validator::collector

#endif  // PMPROOF_VALIDATOR_COLLECTOR_TESTING_FAKE_AGENTS_H_
