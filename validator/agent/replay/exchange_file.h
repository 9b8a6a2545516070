// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_REPLAY_EXCHANGE_FILE_H_
#define PMPROOF_VALIDATOR_AGENT_REPLAY_EXCHANGE_FILE_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "reference/core/bytes.h"
#include "reference/core/status.h"
#include "validator/agent/knowledge.h"
#include "validator/protocol_check/agent_report.h"

// The file that `agent check --record` writes and `agent replay` reads: pmproof-agent-exchange/1
// (schema/agent_exchange.schema.json).

namespace pmproof::validator::agent {

// A check that failed, and all that passed in it.
struct RecordedFailure {
  Clause check{};
  Verdict verdict{};      // a failure
  Recording recording{};  // words of a kStart: those after the words of the command
};

struct ExchangeFile {
  static constexpr std::size_t kLargest = std::size_t{256} << 20;  // bytes

  std::vector<std::string> command{};  // of the agent that was checked
  std::string transport{};
  bool says_ready = false;  // --notready
  Knowledge known{};        // of it, before it was checked
  std::vector<RecordedFailure> failures{};
};

// The failures of the report, whose checks were recorded (RunOptions::record).
void WriteExchanges(const AgentReport& report, const Knowledge& known, bool says_ready,
                    std::ostream& out);

// Reads such a file, which may be anybody's, in memory of a few times its size. Error: kDamaged,
// with `name`, the offset and the member.
Result<ExchangeFile> ReadExchanges(Bytes document, const std::string& name);

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_REPLAY_EXCHANGE_FILE_H_
