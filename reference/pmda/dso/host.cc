// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/dso/host.h"

#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "reference/pmda/dso/agent.h"
#include "reference/pmda/pdu/decoder.h"
#include "reference/pmda/runtime/responder.h"
#include "reference/pmda/runtime/serve.h"

namespace pmproof::dso {
namespace {

// What the end of the process looks at, and gives back: an agent that calls exit() ends the process
// inside one of its functions (DSO-022, DSO-033).
struct Watch {
  Observer* observer = nullptr;  // null: the host has ended in order
  std::string_view init{};
  const std::string_view* running = nullptr;
};

extern "C" void OnExit(int status, void* data) {
  const std::unique_ptr<const Watch> watch(static_cast<const Watch*>(data));
  const std::string_view function = watch->running != nullptr ? *watch->running : watch->init;
  if (watch->observer == nullptr || function.empty()) return;
  watch->observer->OnViolation({function == "init" ? "DSO-022"_clause : "DSO-033"_clause, function,
                                "called exit(" + std::to_string(status) + ")"});
}

// What the agent's functions say on a channel.
class AgentHost final : public pmda::Responder {
 public:
  AgentHost(Interface& interface, Observer& observer)
      : agent_(interface, observer), flags_(interface.flags) {}

  const std::string_view& running() const { return agent_.running(); }

  void Begin(pdu::Buffer* out) override {  // PDU-130
    const pdu::Credential version[] = {pdu::Credential::Version(pdu::kProtocolVersion, flags_)};
    (void)pdu::Encode({.from = static_cast<std::int32_t>(getpid()), .body = pdu::Creds{version}},
                      out);
  }

  Next Respond(Bytes bytes, pdu::Buffer* out) override {
    const auto request = decoder_.Decode(bytes);
    const pdu::PduType type = pdu::LoadHeader(bytes).type;
    if (!connected_) {  // PDU-135: whatever comes first is swallowed, but for a CREDS that is none
      connected_ = true;
      return type == pdu::PduType::kCreds && !request ? Next::kEnd : Next::kGoOn;
    }
    if (request) {
      agent_.Answer(*request, out);
    } else if (pdu::AgentAnswers(type)) {
      (void)pdu::Encode({.body = pdu::Error{.code = request.error().code}}, out);
    }
    return Next::kGoOn;
  }

 private:
  Agent agent_;
  std::uint16_t flags_;
  pdu::Decoder decoder_;
  bool connected_ = false;
};

}  // namespace

HostEnd RunHost(const LibraryName& name, std::uint32_t domain, pmda::Transport& transport,
                Observer& observer) {
  const Init init = Load(name, observer);
  if (init == nullptr) return HostEnd::kNotStarted;
  Watch* const watch =
      std::make_unique<Watch>(Watch{.observer = &observer, .init = "init"}).release();
  on_exit(OnExit, watch);
  const auto interface = Initialise(init, domain, observer);
  watch->init = {};
  HostEnd end = HostEnd::kNotStarted;
  if (interface) {
    AgentHost host(*interface, observer);
    watch->running = &host.running();
    const pmda::Served served = pmda::Server(transport, host).Run();
    end = served.end == pmda::Served::End::kFailed ? HostEnd::kChannel : HostEnd::kEndOfFile;
  }
  *watch = {};
  if (end == HostEnd::kChannel) {
    observer.OnViolation({"DSO-033"_clause, "", "the channel was closed within the process"});
  }
  return end;
}

}  // namespace pmproof::dso
