// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_ASKING_H_
#define PMPROOF_VALIDATOR_AGENT_ASKING_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/clause.h"
#include "validator/agent/bench.h"
#include "validator/protocol_check/offences.h"

// Questions that checks of several themes ask, and what they have in common.

namespace pmproof::validator::agent {

// INSTANCE_REQ of all instances: as they came, in their order. Anything but an INSTANCE is a
// failure.
VerdictOr<std::vector<KnownInstance>> Instances(Session& session, Indom indom);
// The same for checks about something else: that there is no INSTANCE is CKA-080's to report.
VerdictOr<std::vector<KnownInstance>> InstancesAtAll(Session& session, Indom indom);

// FETCH of one metric of each instance domain: that may be what makes an agent look for its
// instances (PMD-221). Not checked where the agent gives nothing.
VerdictOr<void> FillInstanceDomains(Bench& bench, Session& session);

// What is wrong by the verdict of a step that is not what the check is about: one of `reported_by`
// reports it, and the check cannot be made. Where none of them does, it fails after all.
tl::unexpected<Verdict> LeftTo(std::vector<Clause> reported_by, Verdict verdict);
tl::unexpected<Verdict> LeftTo(std::vector<Clause> reported_by, std::string because);

// A number, not negative, that none of these has.
std::int32_t UnusedInstance(std::span<const KnownInstance> instances);

// A name before its first space (PDU-064).
std::string_view FirstWord(std::string_view name);

// For a sentence: "instance 2 \"blue\" of 253.0".
std::string InstanceText(Indom indom, const KnownInstance& instance);

// `wrong` says what is wrong, or nothing, or with which verdict the check ends. Instance domains,
// names and values may change between two requests: it fails where something is wrong twice.
Verdict UnlessWrongTwice(const std::function<VerdictOr<std::string>()>& wrong);
// The same of several things: which of them are wrong.
Verdict UnlessWrongTwice(const std::function<VerdictOr<Offences>()>& wrong);

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_ASKING_H_
