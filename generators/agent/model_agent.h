// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_AGENT_MODEL_AGENT_H_
#define PMPROOF_GENERATORS_AGENT_MODEL_AGENT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "generators/agent/agent_model.h"
#include "reference/pmda/pdu/event_array_builder.h"
#include "reference/pmda/runtime/agent.h"

namespace pmproof::generators {

// The agent of a model: sound, and without clocks and chance. Counters grow by fetches, other
// values stay until they are stored, and instances come and go by requests.
class ModelAgent {
 public:
  explicit ModelAgent(AgentModel model);

  const AgentModel& model() const { return model_; }
  pmda::Agent& agent() { return agent_; }
  // It can serve from now on.
  void BecomeReady() { agent_.SetNotReadyUntil(pmda::Deadline::Passed()); }

 private:
  void AddTables();
  void AddHelp();
  void AddLabels();
  void BeginTurn(std::size_t indom);  // index in the model
  pmda::Sample SampleOf(const MetricModel& metric, std::int32_t instance);
  std::string Events(const MetricModel& metric);
  ErrorCode Store(const pdu::ValueSet& set);

  AgentModel model_;
  pmda::Agent agent_;
  std::uint64_t fetches_ = 0;
  struct Domain {
    pmda::InstanceDomain* instances = nullptr;
    std::uint64_t turns = 0;
  };
  std::vector<Domain> domains_;                                   // as in the model
  std::map<std::pair<Pmid, std::int32_t>, pmda::Sample> stored_;  // by PMIDs of domain 0
  pdu::EventArrayBuilder events_;
};

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_AGENT_MODEL_AGENT_H_
