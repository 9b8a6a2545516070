// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_AGENT_SIMPLER_AGENT_H_
#define PMPROOF_GENERATORS_AGENT_SIMPLER_AGENT_H_

#include <functional>
#include <vector>

#include "generators/agent/agent_model.h"

namespace pmproof::generators {

using AgentEdit = std::function<void(AgentModel&)>;

// Edits that each make a model simpler and leave it sound, those that take most away first.
std::vector<AgentEdit> SimplerAgents(const AgentModel& model);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_AGENT_SIMPLER_AGENT_H_
