// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_AGENT_MEMORY_AGENT_H_
#define PMPROOF_GENERATORS_AGENT_MEMORY_AGENT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "generators/agent/faulty_responder.h"
#include "reference/pmda/runtime/serve.h"
#include "reference/pmda/transport/memory_transport.h"

namespace pmproof::generators {

// An agent in this process and this thread: it works when its collector waits for it. No clock has
// a part in it, so that silence and deafness show at once.
class MemoryAgent {
 public:
  static constexpr std::int32_t kProcess = 4711;  // whom its CREDS are from

  // `words` are those of its command line ("-d 77"); `fault` lives longer, null: none; `capacity`
  // is what each direction holds.
  MemoryAgent(AgentModel model, const Fault* fault, std::span<const std::string> words = {},
              int start = 1, std::size_t capacity = 65536);
  ~MemoryAgent();

  // The collector's end. Gone once it was taken.
  pmda::Transport& transport() { return *pair_.collector; }
  std::unique_ptr<pmda::Transport> TakeTransport() { return std::move(pair_.collector); }

  // How it ended, as a signal or 0 for an exit status 0; nothing: it has not.
  std::optional<int> ended() const { return ended_; }

  // Lets it work, without the collector waiting for it; false if there was nothing to do.
  bool Work();

  ModelAgent& agent() { return agent_; }
  FaultContext& context() { return responder_.context(); }

 private:
  class Counted;

  void EndOf(const pmda::Served& served);
  bool Say(const pdu::Buffer& out);

  ModelAgent agent_;
  FaultyResponder responder_;
  pmda::MemoryPair pair_;
  std::unique_ptr<Counted> channel_;
  std::unique_ptr<pmda::Server> server_;
  bool lingers_ = false;  // nothing of the channel concerns it any more, and it goes on
  std::optional<int> ended_;
};

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_AGENT_MEMORY_AGENT_H_
