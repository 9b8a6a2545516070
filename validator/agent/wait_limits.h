// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_WAIT_LIMITS_H_
#define PMPROOF_VALIDATOR_AGENT_WAIT_LIMITS_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>

#include "validator/agent/limits.h"

namespace pmproof::validator::agent {

// How long one run waits for its agent. An agent that was silent for the whole of a limit once is
// not waited for so long again, so that a run of very many checks comes to its end: what it is to
// do, others see. A sound agent is never silent, and always has the whole limit. Shared by all
// sessions of a run; any thread.
class WaitLimits {
 public:
  using Duration = Limits::Duration;
  using Clock = std::chrono::steady_clock;

  explicit WaitLimits(std::optional<Duration> budget = {});

  // For an answer that is due within `limit`, to a request of so many bytes.
  Duration ForAnswer(Duration limit, std::size_t bytes) const;
  void WasSilent() { ++silences_; }
  // For the CREDS of an agent that was just started: one that leaves requests unanswered may be
  // sound so far, and slow to start.
  Duration ForCreds(Duration limit) const;
  void GaveNoCreds() { ++starts_; }
  // For the end of a process that is due within `limit`.
  Duration ForEnd(Duration limit) const;
  void DidNotEnd() { ++lingerings_; }
  bool ever_lingered() const { return lingerings_ > 0; }

  // The budget of the whole run is used up: nothing is waited for.
  bool used_up() const { return end_ && Clock::now() >= *end_; }
  // Not longer than the budget lasts.
  Duration Within(Duration limit) const;

 private:
  std::optional<Clock::time_point> end_{};
  std::atomic<unsigned> silences_{0};
  std::atomic<unsigned> starts_{0};  // without CREDS
  std::atomic<unsigned> lingerings_{0};
};

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_WAIT_LIMITS_H_
