// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_PROTOCOL_CHECK_RECORDING_H_
#define PMPROOF_VALIDATOR_PROTOCOL_CHECK_RECORDING_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pmproof::validator::agent {

// One thing that pmproof or an agent did in the exchange of a check. A value.
struct ExchangeStep {
  enum class Kind : std::uint8_t {
    kStart,          // an agent was started
    kSent,           // octets, in one write
    kReceived,       // one PDU
    kNoPdu,          // octets that are no PDU: the first of them
    kNothing,        // none came within `milliseconds`
    kEndOfFile,      // of the agent
    kCloseRequests,  // pmproof closed the channel of requests,
    kCloseReplies,   // or that of replies,
    kKill,           // or killed the agent,
    kExit,           // or waited for its end
    kGone,           // pmproof is done with this agent
  };

  Kind kind = Kind::kGone;
  unsigned agent = 0;  // of those that the check started, from 1
  std::vector<std::uint8_t> bytes{};
  // kEndOfFile, kExit: how the agent ended.
  std::string text{};
  std::uint64_t milliseconds = 0;
  // kStart: the words of the command.
  std::vector<std::string> words{};
  // kStart: in another folder, with other variables, or as another user than the agent usually is.
  bool elsewhere = false;

  friend bool operator==(const ExchangeStep&, const ExchangeStep&) = default;
};

// All that passed in a check, so that it can be done again. A value.
struct Recording {
  static constexpr std::size_t kMost = std::size_t{20} << 20;  // bytes: those of CKA-118, and more
  static constexpr std::size_t kMostSteps = 200'000;

  std::vector<ExchangeStep> steps{};
  std::size_t bytes = 0;         // of all steps
  std::string not_repeatable{};  // why the steps are not all that happened; empty: they are

  // Nothing after what does not fit.
  void Add(ExchangeStep step) {
    if (!not_repeatable.empty()) return;
    bytes += step.bytes.size() + step.text.size();
    if (bytes > kMost || steps.size() >= kMostSteps) {
      not_repeatable = "the exchange is longer than what is recorded";
      return;
    }
    steps.push_back(std::move(step));
  }
};

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_PROTOCOL_CHECK_RECORDING_H_
