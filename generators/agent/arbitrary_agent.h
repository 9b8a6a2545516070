// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_AGENT_ARBITRARY_AGENT_H_
#define PMPROOF_GENERATORS_AGENT_ARBITRARY_AGENT_H_

#include <rapidcheck.h>

#include <memory>
#include <ostream>
#include <utility>

#include "generators/agent/agent_model.h"
#include "generators/agent/random_agent.h"
#include "generators/agent/simpler_agent.h"
#include "generators/random.h"

// Agents for RapidCheck. They grow with its size, and shrink to fewer metrics, instance domains and
// instances, as far as the wish allows.

namespace pmproof::generators {

inline void showValue(const AgentModel& model, std::ostream& out) { out << '\n' << ToText(model); }

inline rc::Gen<AgentModel> AnyAgent(AgentWish wish = {}) {
  return [wish](const rc::Random& random, int size) {
    rc::Random seed = random;
    Random ours(seed.next());
    AgentWish sized = wish;
    sized.most_metrics = static_cast<std::size_t>(size < 0 ? 0 : size) / 4;
    const auto shrink = [wish](const AgentModel& model) {
      const auto shared = std::make_shared<const AgentModel>(model);
      return rc::seq::filter(rc::seq::map(rc::seq::fromContainer(SimplerAgents(*shared)),
                                          [shared](const AgentEdit& edit) {
                                            AgentModel simpler = *shared;
                                            edit(simpler);
                                            return simpler;
                                          }),
                             [wish](const AgentModel& simpler) { return Meets(simpler, wish); });
    };
    return rc::shrinkable::shrinkRecur(RandomAgent(ours, sized), shrink);
  };
}

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_AGENT_ARBITRARY_AGENT_H_
