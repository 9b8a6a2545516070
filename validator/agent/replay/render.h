// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_REPLAY_RENDER_H_
#define PMPROOF_VALIDATOR_AGENT_REPLAY_RENDER_H_

#include <ostream>
#include <string>
#include <vector>

#include "validator/agent/replay/exchange_file.h"
#include "validator/agent/replay/judge.h"
#include "validator/agent/replay/play.h"
#include "validator/text/terminal.h"

namespace pmproof::validator::agent {

// What `agent replay` tells. What it points to lives longer.
struct ReplayReport {
  std::string file{};                  // as the user names it
  std::vector<std::string> command{};  // of the agent that answered now
  const ExchangeFile* recorded = nullptr;
  const RecordedFailure* failure = nullptr;
  std::string title{};  // of the check
  Played played{};
  Judgement judgement{};
};

// Each step, what came of it, and whether the offence is there again. `full`: also long runs of
// answers that are the same.
void RenderReplayText(const ReplayReport& report, bool full, const Screen& screen,
                      std::ostream& out);

// Schema pmproof-agent-replay/1 (schema/agent_replay.schema.json).
void RenderReplayJson(const ReplayReport& report, std::ostream& out);

// "seen again: ...", "not seen again: the check passes".
std::string OutcomeLine(const ReplayReport& report);

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_REPLAY_RENDER_H_
