// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_AGENT_FAULT_H_
#define PMPROOF_GENERATORS_AGENT_FAULT_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generators/agent/agent_model.h"
#include "generators/agent/random_agent.h"
#include "generators/random.h"
#include "reference/core/clause.h"
#include "reference/pmda/pdu/decoder.h"
#include "reference/pmda/runtime/responder.h"

// Faults of agents, each of which violates one check of section 16 of reference/spec/pmda.md and,
// apart from those that are declared to fall with it ("together"), no other. A fault is data: edits
// of what a sound agent has, is asked and says.

namespace pmproof::generators {

// What the agent was sent. Views hold during the call.
struct Request {
  Bytes bytes{};
  pdu::PduType type{};
  std::int32_t from = 0;
  const pdu::Pdu* decoded = nullptr;  // nothing: the codec does not take it

  template <typename T>
  const T* As() const {
    return decoded == nullptr ? nullptr : std::get_if<T>(&decoded->body);
  }
};

// An agent at work, as its fault sees it.
class FaultContext {
 public:
  FaultContext(const AgentModel& agent_model, std::uint32_t agent_domain, int start_number)
      : model(agent_model), domain(agent_domain), start(start_number), random(agent_model.seed) {}
  FaultContext(const FaultContext&) = delete;
  FaultContext& operator=(const FaultContext&) = delete;

  const AgentModel& model;
  const std::uint32_t domain;  // as the agent was started
  const int start;             // how often this agent was started, this time included
  Random random;
  int requests = 0;        // that have come, CREDS included
  int at_once = 0;         // of them, those that were read together with this one, and it
  bool connected = false;  // pmcd's CREDS have come
  // Whatever a fault has to remember.
  std::int64_t count = 0;
  std::vector<pdu::Buffer> kept{};
  // Bodies of values that a reply is made of; gone with the next request.
  std::vector<pdu::Buffer> bodies{};

  // What the sound agent says to this.
  std::function<pdu::Buffer(Bytes)> sound{};

  // The process ends here and now, by this signal; 0: with exit status 0.
  void Die(int signal) {
    dead = true;
    death = signal;
  }
  bool dead = false;
  int death = 0;

  // The first metric of that kind, but never the first of all, which checks probe with.
  const MetricModel* Find(bool (*fits)(const MetricModel&)) const;
  Pmid PmidOf(const MetricModel& metric) const { return metric.pmid(domain); }
};

// How the channel of requests came to its end, as the agent sees it.
enum class ChannelEnd : std::uint8_t {
  kBeforeCreds,  // end of file
  kIdle,         // end of file between two PDUs
  kInsidePdu,    // end of file
  kMuted,        // end of file, and nobody had read replies any more
  kBadLength,    // no PDU has such a length (PDU-003, PDU-006)
  kBadType,      // or such a type (PDU-007)
};

struct Fault {
  std::string_view id{};    // "desc-of-another-metric": permanent
  Clause check{};           // that catches it
  std::string_view does{};  // what the agent does, for people
  // Checks that the agent violates by the same deed.
  std::vector<Clause> together{};
  // Checks that see it, too, in some agents.
  std::vector<Clause> perhaps{};
  AgentWish::Names dynamic = AgentWish::Names::kAny;  // what kind of agent can have it
  bool no_features = false;
  Readiness readiness = Readiness::kAtOnce;
  // Nothing can be asked of such an agent, or only what the check itself asks: what else is due of
  // it is not said here.
  bool alone = false;
  bool needs_process = false;  // it shows only in a process of its own

  // In the order in which they are used. Those that are not there change nothing.
  void (*begin)(FaultContext& context, pdu::Buffer& creds) = nullptr;
  // May edit what the sound agent is handed; nothing: it hears nothing of it.
  void (*request)(FaultContext& context, const Request& request, pdu::Buffer& handed) = nullptr;
  // May edit what it answers; nothing: no answer.
  void (*reply)(FaultContext& context, const Request& request, pdu::Buffer& reply) = nullptr;
  // May edit how it says that it is ready.
  void (*wake)(FaultContext& context, pdu::Buffer& ready) = nullptr;
  // Nothing comes from the collector.
  void (*idle)(FaultContext& context, pdu::Buffer& out) = nullptr;
  // There is no going on with the channel; what it still says.
  void (*farewell)(FaultContext& context, ChannelEnd end, pdu::Buffer& out) = nullptr;
  // Where it goes on although it should end.
  std::vector<ChannelEnd> stays{};

  // It takes every piece that it reads for a PDU.
  bool reads_once = false;
  // Only as a process: before it says anything; on its socket.
  void (*process)(FaultContext& context) = nullptr;
  bool ignores_domain_option = false;
  enum class Socket : std::uint8_t { kSound, kSecondConnection, kNoReuse, kStaleFile };
  Socket socket = Socket::kSound;

  // An agent that can have it.
  AgentWish Wish() const {
    return {.complete = true,
            .dynamic = dynamic,
            .no_features = no_features,
            .readiness = readiness,
            .most_metrics = 6};
  }
};

// The same for the same seed.
AgentModel FaultyModel(const Fault& fault, std::uint64_t seed);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_AGENT_FAULT_H_
