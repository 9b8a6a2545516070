// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_COLLECTOR_STUB_AGENT_PROCESS_H_
#define PMPROOF_VALIDATOR_COLLECTOR_STUB_AGENT_PROCESS_H_

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "reference/core/status.h"
#include "validator/collector/requests.h"
#include "validator/collector/stub_roles.h"

// An agent without a mind: what the collector sends to it goes to whoever listens at the control
// socket, what comes from there goes to the collector. It ends when either of them closes.

namespace pmproof::validator::collector {

// The first line that a stub agent sends to its control: "pmproof-stub 1 NAME MILLISECONDS\n", the
// time since its start.
struct Introduction {
  const Role* role = nullptr;
  std::chrono::milliseconds age{0};

  std::string ToLine() const;
  // `line` without its newline. Nothing if it is not such a line.
  static std::optional<Introduction> Parse(std::string_view line);
};

inline constexpr std::size_t kLongestIntroduction = 100;  // bytes

// What an agent of this role says first; empty for silence.
Octets OpeningOf(const Role& role);

// Takes over standard input and output; until somebody listens at `control`, what comes from the
// collector is kept. Error: why it could not go on.
Result<void> RunStubAgent(const Role& role, const std::string& control);

}  // namespace pmproof::validator::collector

#endif  // PMPROOF_VALIDATOR_COLLECTOR_STUB_AGENT_PROCESS_H_
