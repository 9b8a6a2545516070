// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_SLOW_TAIL_H_
#define PMPROOF_VALIDATOR_AGENT_SLOW_TAIL_H_

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace pmproof::validator::agent {

// The answers that take far longer than those to the same request usually take (CKA-168). A value.
class SlowTail {
 public:
  using Duration = std::chrono::nanoseconds;

  // By request, how long each of its answers took; and how long, meanwhile, the agent and who asked
  // it were ready to run and had no processor.
  SlowTail(std::vector<std::vector<Duration>> latencies, Duration waited);

  // So few as any machine may delay.
  bool IsShort() const { return 100 * late_.size() < all_; }
  // Waiting for a processor makes up half of what the late answers took: the machine has other
  // work.
  bool IsTheMachines() const;
  // "of 4000 answers 80 took more than 50 times as long as ..."; not of an empty tail.
  std::string ToText() const;

 private:
  std::size_t all_ = 0;
  std::vector<Duration> late_{};  // in ascending order
  Duration usual_{};              // of the request of the latest
  Duration waited_;
};

std::string Microseconds(SlowTail::Duration duration);

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_SLOW_TAIL_H_
