// SPDX-License-Identifier: Apache-2.0
#include "generators/agent/memory_agent.h"

#include <vector>

#include "reference/pmda/runtime/agent_options.h"
#include "reference/pmda/transport/transfer.h"

namespace pmproof::generators {

using pmda::Deadline;
using pmda::Served;
using pmda::Transfer;

// The agent's end, which knows how much was moved.
class MemoryAgent::Counted final : public pmda::Transport {
 public:
  explicit Counted(pmda::Transport& end) : end_(end) {}

  Transfer Read(std::span<std::uint8_t> into, Deadline deadline) override {
    return Count(end_.Read(into, deadline));
  }
  Transfer Write(Bytes from, Deadline deadline) override {
    return Count(end_.Write(from, deadline));
  }
  Readiness Wait(Readiness wanted, Deadline deadline) override {
    return end_.Wait(wanted, deadline);
  }
  void CloseWriting() override { end_.CloseWriting(); }
  void CloseReading() override { end_.CloseReading(); }
  int read_descriptor() const override { return -1; }
  int write_descriptor() const override { return -1; }

  std::size_t moved() const { return moved_; }

 private:
  Transfer Count(Transfer transfer) {
    moved_ += transfer.size;
    return transfer;
  }

  pmda::Transport& end_;
  std::size_t moved_ = 0;
};

namespace {

AgentModel Started(AgentModel model, const Fault* fault, std::span<const std::string> words) {
  const auto options = pmda::ParseAgentOptions(words);
  const bool ignored = fault != nullptr && fault->ignores_domain_option;
  if (options && options->domain && !ignored) model.domain = *options->domain;
  return model;
}

}  // namespace

MemoryAgent::MemoryAgent(AgentModel model, const Fault* fault, std::span<const std::string> words,
                         int start, std::size_t capacity)
    : agent_(Started(std::move(model), fault, words)),
      responder_(agent_, fault, kProcess, start),
      pair_(pmda::MakeMemoryPair(capacity)),
      channel_(std::make_unique<Counted>(*pair_.agent)),
      server_(std::make_unique<pmda::Server>(*channel_, responder_)) {
  pair_.collector->OnStall([this] { return Work(); });
}

MemoryAgent::~MemoryAgent() = default;

bool MemoryAgent::Say(const pdu::Buffer& out) {
  return !out.empty() && WriteAll(*channel_, out, Deadline::Passed()).size > 0;
}

bool MemoryAgent::Work() {
  if (ended_ || lingers_) return false;
  // A process would stand here until its replies are read.
  if (!channel_->Wait({.write = true}, Deadline::Passed()).write) return false;
  const std::size_t before = channel_->moved();
  responder_.Reads();
  const auto served = server_->Turn(Deadline::Passed());
  if (served) {
    EndOf(*served);
    return true;
  }
  if (channel_->moved() != before) return true;
  if (responder_.waiting()) {
    agent_.BecomeReady();
    (void)server_->Turn(Deadline::Passed());
    return channel_->moved() != before;
  }
  pdu::Buffer out;
  responder_.Idle(&out);
  if (responder_.context().dead) {
    EndOf({.end = Served::End::kResponder});
    return true;
  }
  return Say(out);
}

void MemoryAgent::EndOf(const Served& served) {
  pdu::Buffer out;
  lingers_ = responder_.Ended(served, server_->pending(), &out);
  (void)Say(out);
  if (lingers_) return;
  ended_ = responder_.context().death;
  channel_->CloseReading();
  channel_->CloseWriting();
}

}  // namespace pmproof::generators
