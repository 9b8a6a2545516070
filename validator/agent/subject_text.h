// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_SUBJECT_TEXT_H_
#define PMPROOF_VALIDATOR_AGENT_SUBJECT_TEXT_H_

#include <string>

#include "validator/agent/knowledge.h"
#include "validator/agent/subject.h"

// How reports name what an agent is asked over, and where its metrics were found.

namespace pmproof::validator::agent {

// "pipe", "unix", "inet", "ipv6"
std::string TransportText(const Subject& subject);

// "--pmns", "PMNS_TRAVERSE", "a scan of PMIDs", "nothing"
std::string SourceText(Knowledge::Source source);

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_SUBJECT_TEXT_H_
