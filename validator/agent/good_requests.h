// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_GOOD_REQUESTS_H_
#define PMPROOF_VALIDATOR_AGENT_GOOD_REQUESTS_H_

#include <vector>

#include "reference/pmda/pdu/encode.h"
#include "validator/agent/knowledge.h"

namespace pmproof::validator::agent {

struct GoodRequest {
  pdu::Buffer bytes{};
  bool answered = true;  // false: PROFILE and ERROR(NOTCONN), which an agent is silent to
};

// One of each kind that a collector sends, for what is known of the agent; no store, and none that
// changes which instances are fetched. Never empty where a metric is known.
std::vector<GoodRequest> GoodRequests(const Knowledge& knowledge);

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_GOOD_REQUESTS_H_
