// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_OFFENCE_WALK_H_
#define PMPROOF_VALIDATOR_AGENT_OFFENCE_WALK_H_

#include <optional>
#include <string>

#include "validator/agent/bench.h"
#include "validator/protocol_check/offences.h"

namespace pmproof::validator::agent {

// The offences of a check that asks one agent for many things, one after the other. After an
// offence it goes on as long as the agent still answers the probe, so that one lost or surplus
// answer is not taken for many offences. One thread; bench and session outlive it.
class OffenceWalk {
 public:
  OffenceWalk(const Bench& bench, Session& session) : bench_(bench), session_(session) {}

  void Note(std::string because);
  // Whether the check can go on: the agent answers as before.
  bool InStep();

  // Notes an offence. Returns whether the check can go on.
  bool GoOn(std::string because);
  // The same of the verdict of a step. One that is no failure ends the check, and is its verdict
  // unless there are offences.
  bool GoOn(const Verdict& verdict);

  bool any() const { return offences_.any(); }

  // The verdict of the check, which without offences is this one.
  Verdict Or(Verdict otherwise) const;

 private:
  const Bench& bench_;
  Session& session_;
  Offences offences_{};
  std::optional<Verdict> ended_{};
};

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_OFFENCE_WALK_H_
