// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_BROKEN_PDUS_H_
#define PMPROOF_VALIDATOR_AGENT_BROKEN_PDUS_H_

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "reference/pmda/pdu/encode.h"
#include "validator/agent/bench.h"

// What an agent should survive (16.6): PDUs that pdu::Encode refuses to make, and how to tell that
// each got the answers that are due, and no other.

namespace pmproof::validator::agent {

// A PDU from client 0 word by word, with the right length in front, and `tail` after the words as
// it is, without padding.
pdu::Buffer RawPdu(std::uint32_t type, std::initializer_list<std::uint32_t> words,
                   std::string_view tail = "");
// The twelve bytes of a header, whatever they are.
pdu::Buffer RawHeader(std::uint32_t length, std::uint32_t type);
inline std::uint32_t TypeWord(pdu::PduType type) { return static_cast<std::uint32_t>(type); }

// One of the PDUs that a check sends.
struct Trial {
  std::string what{};  // "FETCH with count -1"
  pdu::Buffer bytes{};
};
using Trials = std::span<const Trial>;
using Accepts = std::function<bool(const Answer&)>;

bool IsError(const Answer& answer, ErrorCode code);
bool IsFailure(const Answer& answer);  // an ERROR with a negative code

// Each trial is sent over the session, and after each comes the probe. A fail names the trial.
// No answer at all:
Verdict SilentEach(const Bench& bench, Session& session, Trials trials);
// Exactly one answer, which `accepts` takes; `due` says which in words:
Verdict OneAnswerEach(const Bench& bench, Session& session, Trials trials, const Accepts& accepts,
                      std::string_view due);
// One ERROR or none:
Verdict AtMostOneErrorEach(const Bench& bench, Session& session, Trials trials);

// OneAnswerEach with an agent of its own for each trial, for what may be the end of it.
Verdict OneAnswerEachAlone(Bench& bench, Trials trials, const Accepts& accepts,
                           std::string_view due);

// The metric whose DESC is the probe.
VerdictOr<const KnownMetric*> ProbeMetric(const Bench& bench);

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_BROKEN_PDUS_H_
