// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_PROFILE_TRIAL_H_
#define PMPROOF_VALIDATOR_AGENT_PROFILE_TRIAL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "reference/pmda/pdu/session_pdus.h"
#include "validator/agent/bench.h"
#include "validator/protocol_check/offences.h"

// Profiles, and what a FETCH after them gives: for profile_checks.cc.

namespace pmproof::validator::agent {

// On whose behalf pmcd asks (PMD-023).
struct Client {
  std::int32_t from = 0;
  std::int32_t context = 0;
};

// What a profile says, with the lists it says it of. A value.
struct Wanted {
  struct Entry {
    Indom indom{};
    std::int32_t state = pdu::kInclude;
    std::vector<std::int32_t> instances{};
  };

  std::int32_t state = pdu::kInclude;
  std::vector<Entry> entries{};

  static Wanted All() { return {}; }
  static Wanted None() { return {.state = pdu::kExclude}; }
  static Wanted Only(Indom indom, std::int32_t instance) {
    return {pdu::kInclude, {{indom, pdu::kExclude, {instance}}}};
  }

  void Send(Session& session, Client client = {}) const;
  // Those of `instances` that it includes (PMD-025).
  std::vector<std::int32_t> Of(Indom indom, const std::vector<std::int32_t>& instances) const;
};

// What a FETCH of one metric gave: whose values, ascending, as often as they came.
struct FetchedInstances {
  std::vector<std::int32_t> instances{};
  ErrorCode status = ErrorCode::kOk;
};
// That there is no RESULT, or one of other value sets, is a failure.
VerdictOr<FetchedInstances> FetchInstances(Session& session, const KnownMetric& metric,
                                           Client client = {});

// The instances that have values under a profile that includes all, in each of a few fetches: those
// that stay. Each once. Other checks report that they do not come.
VerdictOr<std::vector<std::int32_t>> FetchAll(Session& session, const KnownMetric& metric);
// The same where at least `count` are needed.
VerdictOr<std::vector<std::int32_t>> FetchAtLeast(Session& session, const KnownMetric& metric,
                                                  std::size_t count);

// What is in both; both are ascending.
std::vector<std::int32_t> Both(const std::vector<std::int32_t>& a,
                               const std::vector<std::int32_t>& b);

// "0, 2", "none"; long lists are cut.
std::string Listed(const std::vector<std::int32_t>& instances);

// A PROFILE, and a FETCH of one metric after it, for the same client.
struct Step {
  std::string name{};  // for a sentence
  Client client{};
  Wanted wanted{};
};

// Makes the steps one after the other; in between, where `others`, requests that no profile
// concerns. What is wrong with each. A value that the profile excludes, or that comes twice, fails
// the check, and so all is told by the error. One that it includes may be missing where the
// instance has come or gone meanwhile: those that stay are asked for before and after.
VerdictOr<Offences> WrongSteps(Session& session, const KnownMetric& metric,
                               const std::vector<Step>& steps, bool others = false);

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_PROFILE_TRIAL_H_
