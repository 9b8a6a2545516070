// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_REPLAY_STEP_NAMES_H_
#define PMPROOF_VALIDATOR_AGENT_REPLAY_STEP_NAMES_H_

#include <optional>
#include <string_view>
#include <utility>

#include "validator/protocol_check/recording.h"

namespace pmproof::validator::agent {

// What a step is called in files.
inline constexpr std::pair<ExchangeStep::Kind, const char*> kStepNames[] = {
    {ExchangeStep::Kind::kStart, "start"},
    {ExchangeStep::Kind::kSent, "sent"},
    {ExchangeStep::Kind::kReceived, "received"},
    {ExchangeStep::Kind::kNoPdu, "no_pdu"},
    {ExchangeStep::Kind::kNothing, "nothing"},
    {ExchangeStep::Kind::kEndOfFile, "end_of_file"},
    {ExchangeStep::Kind::kCloseRequests, "close_requests"},
    {ExchangeStep::Kind::kCloseReplies, "close_replies"},
    {ExchangeStep::Kind::kKill, "kill"},
    {ExchangeStep::Kind::kExit, "exit"},
    {ExchangeStep::Kind::kGone, "gone"},
};

inline const char* NameOf(ExchangeStep::Kind kind) {
  for (const auto& [known, name] : kStepNames) {
    if (known == kind) return name;
  }
  return "";
}

inline std::optional<ExchangeStep::Kind> ParseStepKind(std::string_view text) {
  for (const auto& [kind, name] : kStepNames) {
    if (text == name) return kind;
  }
  return std::nullopt;
}

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_REPLAY_STEP_NAMES_H_
