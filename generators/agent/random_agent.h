// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_AGENT_RANDOM_AGENT_H_
#define PMPROOF_GENERATORS_AGENT_RANDOM_AGENT_H_

#include <cstddef>

#include "generators/agent/agent_model.h"
#include "generators/random.h"

namespace pmproof::generators {

// What an agent should have. A value.
struct AgentWish {
  // One metric at least of every kind that a check needs: singular, with instances, counters,
  // writable ones of each form, events, unsupported ... with help, labels and names. Such an agent
  // is what faults are put into: none of them must go unseen for want of an occasion.
  bool complete = false;
  enum class Names : std::uint8_t { kAny, kSome, kNone };
  Names dynamic = Names::kAny;  // names that the agent supplies itself
  bool no_features = false;     // CREDS ask for nothing
  Readiness readiness = Readiness::kAtOnce;
  // In the instance domains of a complete agent two instances take turns, at least two stay. Those
  // of other agents may change in any case.
  bool changing = false;
  std::size_t most_metrics = 12;  // besides those of a complete one
};

// An agent by chance, sound in every respect of section 16 of reference/spec/pmda.md.
AgentModel RandomAgent(Random& random, const AgentWish& wish);

// Whether a model is what the wish asks for, however it was come by.
bool Meets(const AgentModel& model, const AgentWish& wish);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_AGENT_RANDOM_AGENT_H_
