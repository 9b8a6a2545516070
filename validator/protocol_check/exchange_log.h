// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_PROTOCOL_CHECK_EXCHANGE_LOG_H_
#define PMPROOF_VALIDATOR_PROTOCOL_CHECK_EXCHANGE_LOG_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/core/bytes.h"
#include "validator/protocol_check/recording.h"
#include "validator/protocol_check/verdict.h"

namespace pmproof::validator::agent {

// A line of what passed between pmproof and an agent: octets, or an event such as its end. A value.
struct ExchangeLine {
  enum class Kind : std::uint8_t { kSent, kReceived, kEvent };

  Kind kind = Kind::kEvent;
  unsigned agent = 0;  // of those that the check started, from 1
  // What the octets say ("DESC_REQ from=0 pmid=253.0.0"), or why they are not a PDU, or the event.
  std::string text{};
  std::vector<std::uint8_t> bytes{};  // the first of them
  std::uint64_t size = 0;             // how many there were
};

// The end of what an agent said that is no PDU. A value.
struct AgentOutput {
  unsigned agent = 0;                // of those that the check started, from 1
  std::string from{};                // "standard error", or the path of its log
  std::vector<std::string> lines{};  // the last of them, any bytes; bounded
  bool cut = false;                  // there were more before them
};

// Keeps the beginning and the end of what passed during one check, and what led to its first
// offences, bounded whatever the agent sends. One thread at a time.
class ExchangeLog {
 public:
  void Sent(unsigned agent, Bytes bytes) {
    Add(ExchangeLine::Kind::kSent, agent, bytes, ExchangeStep::Kind::kSent);
  }
  void Received(unsigned agent, Bytes pdu) {
    Add(ExchangeLine::Kind::kReceived, agent, pdu, ExchangeStep::Kind::kReceived);
  }
  void NoPdu(unsigned agent, Bytes bytes) {
    Add(ExchangeLine::Kind::kReceived, agent, bytes, ExchangeStep::Kind::kNoPdu);
  }
  // `bytes`: what it is about, of which the first are kept.
  void Event(unsigned agent, std::string text, Bytes bytes = {});

  // An offence was seen. Of a check that goes on the lines up to its first offences stay.
  void Offence(unsigned agent);

  // What an agent said, once it has gone.
  void Said(AgentOutput output);
  // Of the last of the agents that said anything.
  std::vector<AgentOutput> Outputs() const { return {said_.begin(), said_.end()}; }

  // Keeps all steps from now on, as far as there is room.
  void Record() { recording_.emplace(); }
  void Step(ExchangeStep step);
  // The exchange cannot be repeated by its steps.
  void NotRepeatable(std::string because);
  const std::optional<Recording>& recording() const { return recording_; }

  // The process of an agent was found to have crashed: how ("signal 11").
  void Crash(std::string how) { crash_ = std::move(how); }
  const std::string& crash() const { return crash_; }  // empty: none has

  // In order; an event says where lines were left out. Texts are made here.
  std::vector<ExchangeLine> Lines() const;

  std::uint64_t bytes_sent() const { return bytes_sent_; }
  std::uint64_t bytes_received() const { return bytes_received_; }

 private:
  static constexpr std::size_t kFirst = 8;  // lines kept of the beginning
  static constexpr std::size_t kLast = 20;  // and of the end
  static constexpr std::size_t kBytes = std::size_t{64}
                                        << 10;  // of a line, so that its text can be made
  static constexpr std::size_t kShown = 512;    // of a line, in Lines()
  static constexpr std::size_t kText = 400;
  static constexpr std::size_t kOffences = kShownOffences;  // whose lines stay
  static constexpr std::size_t kBefore = 6;                 // lines of the second and third
  static constexpr std::size_t kOutputs = 4;

  // Lines that stay, after so many that do not.
  struct Part {
    std::uint64_t left_out = 0;
    std::vector<ExchangeLine> lines{};
  };

  void Add(ExchangeLine::Kind kind, unsigned agent, Bytes bytes, ExchangeStep::Kind step);
  void Keep(ExchangeLine line);

  std::vector<ExchangeLine> first_{};
  std::deque<ExchangeLine> last_{};
  std::uint64_t left_out_ = 0;
  std::vector<Part> parts_{};  // up to the offences so far
  std::uint64_t offences_ = 0;
  std::deque<AgentOutput> said_{};
  std::optional<Recording> recording_{};
  std::uint64_t bytes_sent_ = 0;
  std::uint64_t bytes_received_ = 0;
  std::string crash_{};
};

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_PROTOCOL_CHECK_EXCHANGE_LOG_H_
