// SPDX-License-Identifier: Apache-2.0
// An agent with what trivial and simple do not have: values of every type, names of its own, an
// entry `notready` in pmcd.conf. It is ready as soon as the file named first exists.
//   probe_agent FILE

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <string>

#include "reference/pmda/pdu/event_array_builder.h"
#include "reference/pmda/runtime/agent_responder.h"
#include "reference/pmda/runtime/serve.h"
#include "reference/pmda/transport/descriptor_transport.h"

namespace {

using namespace pmproof;  // NOLINT(google-build-using-namespace): nobody includes this

// Not ready until a file exists, which is looked for now and then.
class ReadyWithFile final : public pmda::Responder {
 public:
  ReadyWithFile(pmda::Agent& agent, std::string file)
      : agent_(agent), inner_(agent, getpid()), file_(std::move(file)) {}

  void Begin(pdu::Buffer* out) override { inner_.Begin(out); }
  Next Respond(Bytes request, pdu::Buffer* out) override { return inner_.Respond(request, out); }
  bool waiting() const override { return inner_.waiting(); }
  pmda::Deadline wakes() const override {
    return pmda::Deadline::After(std::chrono::milliseconds(10));
  }
  void Wake(pdu::Buffer* out) override {
    struct stat status {};
    if (stat(file_.c_str(), &status) == 0) agent_.SetNotReadyUntil(pmda::Deadline::Passed());
    inner_.Wake(out);
  }

 private:
  pmda::Agent& agent_;
  pmda::AgentResponder inner_;
  std::string file_;
};

std::string Events() {
  pdu::EventArrayBuilder events;
  events.AddRecord({1700000000, 250000000}, 1);
  events.AddParameter(Pmid::Of(402, 0, 2), Value::Of(std::int64_t{42}));
  return std::string(AsText(events.body()));
}

void Define(pmda::Agent& agent) {
  std::uint32_t next = 0;
  const auto add = [&](const char* name, MetricType type, const pmda::Sample& sample) {
    (void)agent.names().Add(name, Pmid::Of(0, 0, next));
    agent.AddMetric({.item = next++, .type = type}, [sample](std::int32_t) { return sample; });
  };
  add("probe.value.string", MetricType::kString, std::string("hello"));
  add("probe.value.float", MetricType::kFloat, Value::Of(1.5F));
  add("probe.value.s64", MetricType::k64, Value::Of(std::int64_t{-9999}));
  add("probe.value.aggregate", MetricType::kAggregate, std::string("\1\2\3", 3));
  add("probe.value.event", MetricType::kEvent, Events());
  add("probe.no.support", MetricType::kNoSupport, pmda::NoValue());
  add("probe.no.value", MetricType::k32, pmda::NoValue());
  add("probe.no.time", MetricType::k32, ErrorCode::kAgain);
  pmda::InstanceDomain& disks = agent.AddIndom(0);
  for (const char* name : {"disk one", "cpu", "nic two words"}) disks.Activate(name);
  (void)agent.names().Add("probe.disk", Pmid::Of(0, 1, 0));
  agent.AddMetric({.cluster = 1, .item = 0, .type = MetricType::kDouble, .indom = 0},
                  [](std::int32_t instance) { return Value::Of(instance + 0.5); });
}

}  // namespace

int main(int argc, char** argv) {
  pmda::Agent agent({.name = "probe", .domain = 402});
  Define(agent);
  agent.set_announces_ready(true);
  agent.SetNotReadyUntil(pmda::Deadline::Never());
  const auto transport = pmda::TakeStandardStreams();
  if (argc != 2 || agent.fault() || !transport) return 1;
  ReadyWithFile responder(agent, argv[1]);
  (void)pmda::Server(**transport, responder).Run();
  return 0;
}
