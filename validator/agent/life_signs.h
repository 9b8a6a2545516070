// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_LIFE_SIGNS_H_
#define PMPROOF_VALIDATOR_AGENT_LIFE_SIGNS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>

#include "reference/core/metric.h"
#include "validator/agent/session.h"
#include "validator/agent/subject.h"
#include "validator/protocol_check/exchange_log.h"
#include "validator/protocol_check/verdict.h"

namespace pmproof::validator::agent {

// Whether an agent answers anything at all: for each kind of request a fresh one is asked, as one
// request may be all that an agent cannot bear. Any thread.
class LifeSigns {
 public:
  static constexpr unsigned kRequests = 6;

  // The requests are about that domain, and `subject.waits` says how long is waited for answers.
  LifeSigns(Subject subject, std::uint32_t domain);

  // Asks until there was an answer or each was asked; what was asked before is not asked again. The
  // error: an agent cannot be started, or does not get through the handshake.
  VerdictOr<bool> Any();
  // The same ahead of time, as long as it is `wanted`; a start that fails is left to Any.
  void Look(const std::function<bool()>& wanted);

 private:
  VerdictOr<bool> Answers(unsigned request);
  VerdictOr<bool> Ask(const std::function<bool()>& wanted);

  const Subject subject_;
  const std::uint32_t domain_;
  std::mutex mutex_{};
  ExchangeLog log_{};
  unsigned asked_ = 0;
  bool any_ = false;
};

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_LIFE_SIGNS_H_
