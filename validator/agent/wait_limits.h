// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_WAIT_LIMITS_H_
#define PMPROOF_VALIDATOR_AGENT_WAIT_LIMITS_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>

#include "reference/pmda/transport/agent_process.h"
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
  // Limits of their own for an agent that was silent once, within the same budget.
  std::shared_ptr<WaitLimits> AfterASilence() const;

  // For an answer that is due within `limit`, to a request of so many bytes.
  Duration ForAnswer(Duration limit, std::size_t bytes) const;
  // It was silent for the whole of `limit`, or `times` more.
  void WasSilent(Duration limit, unsigned times = 1) { silences_.Add(limit, times); }
  // For the CREDS of an agent that was just started: one that leaves requests unanswered may be
  // sound so far, and slow to start.
  Duration ForCreds(Duration limit) const;
  void GaveNoCreds(Duration limit) { starts_.Add(limit, 1); }
  // For how long it was silent when it was waited for most; zero: it never was.
  Duration silence() const { return silences_.longest; }
  Duration silence_at_start() const { return starts_.longest; }
  // For the end of a process that is due within `limit`.
  Duration ForEnd(Duration limit) const;
  void DidNotEnd() { ++lingerings_; }
  // For an agent that is no longer needed, whose end nobody judges. `silent`: an answer of it did
  // not come, so that it will not see that its channel is closed either.
  pmda::Patience ForCleanUp(bool silent) const;
  // What it took.
  void WasEnded(pmda::Ending::By by);

  // The budget of the whole run is used up: nothing is waited for.
  bool used_up() const { return end_ && Clock::now() >= *end_; }
  // Not longer than the budget lasts.
  Duration Within(Duration limit) const;

 private:
  // Waits in vain.
  struct Vain {
    std::atomic<unsigned> times{0};
    std::atomic<Duration> longest{Duration(0)};

    void Add(Duration limit, unsigned count) {
      Duration before = longest;
      while (before < limit && !longest.compare_exchange_weak(before, limit)) {
      }
      times += count;
    }
  };

  std::optional<Clock::time_point> end_{};
  Vain silences_{};
  Vain starts_{};  // without CREDS
  std::atomic<unsigned> lingerings_{0};
  std::atomic<unsigned> terminated_{0};  // at least, in a clean-up
  std::atomic<unsigned> killed_{0};      // of them
};

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_WAIT_LIMITS_H_
