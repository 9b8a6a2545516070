// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_FETCH_H_
#define PMPROOF_VALIDATOR_AGENT_FETCH_H_

#include <initializer_list>
#include <string>
#include <vector>

#include "validator/agent/bench.h"
#include "validator/agent/session.h"
#include "validator/protocol_check/verdict.h"

// What checks that fetch have in common.

namespace pmproof::validator::agent {

// Fetches by which is known what is usual: instance domains may change from each to the next.
constexpr int kUsualFetches = 3;

// A FETCH and the RESULT that answers it.
struct Fetched {
  Answer answer;

  const pdu::Result& result() const { return *answer.As<pdu::Result>(); }
};

// A FETCH whose answer is what the check is about: anything but a RESULT that decodes fails it. A
// RESULT that does not decode is left to CKA-037.
VerdictOr<Fetched> Fetch(Session& session, const std::vector<Pmid>& pmids, std::int32_t from = 0,
                         std::int32_t context = 0);
// The same where the check needs the values only: that they do not come is left to CKA-034 and
// CKA-035, and this one cannot be made.
VerdictOr<Fetched> FetchForValues(Session& session, const std::vector<Pmid>& pmids);

// What is due of every RESULT (PDU-109): a value set for each PMID, in order. Empty, or the fault.
std::string WrongSets(const std::vector<Pmid>& pmids, const pdu::Result& result);

// FETCH of so many metrics that a message tells: "FETCH of 253.0.0, 253.0.1 and 3 more".
std::string FetchText(const std::vector<Pmid>& pmids);

// PMIDs of all known metrics, at most as many as fit into a PDU that pmcd sends.
std::vector<Pmid> AllPmids(const Bench& bench);

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_FETCH_H_
