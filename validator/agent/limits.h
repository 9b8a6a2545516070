// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_LIMITS_H_
#define PMPROOF_VALIDATOR_AGENT_LIMITS_H_

#include <chrono>
#include <cstddef>

namespace pmproof::validator::agent {

// How long an agent may take, how long it is listened to, and how much is asked of it. Those of
// section 16; a machine that is slower than they suppose gets others (--timeout). A value.
struct Limits {
  using Duration = std::chrono::milliseconds;

  Duration creds{3000};   // from the start to the agent's CREDS (CKA-001)
  Duration answer{5000};  // T: any answer, and taking a request
  Duration end{2000};     // from end-of-file to the end of the process (CKA-009)
  Duration quiet{500};    // nothing may come between the two CREDS (CKA-002)
  Duration silent{200};   // nothing may come where no probe can follow
  Duration late{20000};   // how late pmcd's CREDS may be (CKA-008)
  Duration counter{200};  // between two fetches of counters (CKA-045)
  Duration piece{1};      // between two bytes of a request (CKA-151)

  std::size_t cycles = 50;            // starts and ends (CKA-014)
  std::size_t pmids = 16377;          // of one large fetch (CKA-046)
  std::size_t alternations = 1000;    // of profiles (CKA-065)
  std::size_t block = 0xffffff;       // vlen of a large store (CKA-118)
  std::size_t mutations = 10000;      // of good requests (CKA-155)
  std::size_t requests = 20000;       // mixed ones (CKA-156)
  std::size_t timed_requests = 4000;  // whose latency is measured (CKA-157)
};

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_LIMITS_H_
