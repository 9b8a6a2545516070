// SPDX-License-Identifier: Apache-2.0
#include "generators/agent/random_agent.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators/agent/arbitrary_agent.h"
#include "generators/agent/model_agent.h"

namespace pmproof::generators {
namespace {

// Whatever of it the runtime would not take (DSO-060, PDU-030, PDU-077) would not be checked
// either.
void IsTaken(const AgentModel& model, const AgentWish& wish) {
  RC_ASSERT(Meets(model, wish));
  ModelAgent agent(model);
  RC_ASSERT(!agent.agent().fault().has_value());
  const auto names = NamesOf(model);
  for (const MetricModel& metric : model.metrics) {
    const auto& where = metric.dynamic ? agent.agent().names() : names;
    RC_ASSERT(where.Find(metric.name) == metric.pmid(metric.dynamic ? 0 : model.domain));
  }
  for (const IndomModel& indom : model.indoms) {
    const auto* taken = agent.agent().FindIndom(Indom::Of(model.domain, indom.serial));
    RC_ASSERT(taken != nullptr);
    RC_ASSERT(taken->instances().size() == indom.instances.size());
    RC_ASSERT(indom.changes() || taken->active_count() == indom.instances.size());
  }
}

RC_GTEST_PROP(RandomAgent, IsTakenAsItIs, ()) { IsTaken(*AnyAgent(), {}); }

RC_GTEST_PROP(RandomAgent, HasWhatIsWished, ()) {
  const AgentWish wish{.complete = true,
                       .dynamic = *rc::gen::element(AgentWish::Names::kAny, AgentWish::Names::kSome,
                                                    AgentWish::Names::kNone),
                       .no_features = *rc::gen::arbitrary<bool>(),
                       .readiness = *rc::gen::element(Readiness::kAtOnce, Readiness::kAnnounced),
                       .changing = *rc::gen::arbitrary<bool>()};
  IsTaken(*AnyAgent(wish), wish);
}

RC_GTEST_PROP(SimplerAgents, AreSound, ()) {
  const AgentModel model = *AnyAgent();
  for (const AgentEdit& edit : SimplerAgents(model)) {
    AgentModel simpler = model;
    edit(simpler);
    RC_ASSERT(simpler != model);
    if (!simpler.metrics.empty()) IsTaken(simpler, {});
  }
}

TEST(RandomAgent, IsTheSameForTheSameSeed) {
  Random a(3);
  Random b(3);
  EXPECT_EQ(RandomAgent(a, {}), RandomAgent(b, {}));
}

}  // namespace
}  // namespace pmproof::generators
