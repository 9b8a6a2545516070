// SPDX-License-Identifier: Apache-2.0
// faulty_agent: an agent made by chance, with a fault on demand, as a program. For tests of what
// checks agents, and to look at by hand:
//
//   pmproof agent check -- faulty_agent --seed 7 --fault odd-state-includes

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "generators/agent/faults/faults.h"
#include "generators/agent/faulty_responder.h"
#include "reference/pmda/names/pmns_source.h"
#include "reference/pmda/runtime/agent_options.h"
#include "reference/pmda/runtime/serve.h"
#include "reference/pmda/transport/descriptor_transport.h"
#include "reference/pmda/transport/listen.h"
#include "reference/pmda/transport/transfer.h"

namespace pmproof::generators {
namespace {

using pmda::Address;
using pmda::Deadline;
using pmda::Descriptor;

// Nothing came for so long: an agent that cannot wait has waited.
constexpr std::chrono::milliseconds kIdle{1000};

struct Words {
  std::uint64_t seed = 1;
  std::string fault{};
  bool list = false;
  bool pmns = false;
  std::vector<std::string> rest{};
};

Words Read(int argc, char** argv) {
  Words words;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const char* next = i + 1 < argc ? argv[i + 1] : "";
    if (word == "--list") {
      words.list = true;
    } else if (word == "--pmns") {
      words.pmns = true;
    } else if (word == "--seed") {
      (void)std::from_chars(next, next + std::strlen(next), words.seed);
      ++i;
    } else if (word == "--fault") {
      words.fault = next;
      ++i;
    } else {
      words.rest.push_back(word);
    }
  }
  return words;
}

void List(const std::vector<Fault>& faults) {
  for (const Fault& fault : faults) {
    std::printf("%s %s: %.*s", fault.check.ToString().c_str(), std::string(fault.id).c_str(),
                static_cast<int>(fault.does.size()), fault.does.data());
    for (const Clause clause : fault.together) std::printf(", %s", clause.ToString().c_str());
    std::printf("\n");
  }
}

Descriptor Bind(const Address& address, Fault::Socket how) {
  if (address.kind == Address::Kind::kUnix) {
    Descriptor socket(::socket(AF_UNIX, SOCK_STREAM, 0));
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    if (address.path.size() >= sizeof name.sun_path) return Descriptor();
    std::memcpy(name.sun_path, address.path.data(), address.path.size());
    if (how != Fault::Socket::kStaleFile) unlink(name.sun_path);
    if (bind(socket.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0) return {};
    return socket;
  }
  Descriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
  const int reuse = how == Fault::Socket::kNoReuse ? 0 : 1;
  setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  name.sin_port = htons(address.port);
  if (bind(socket.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0) return {};
  return socket;
}

// Null: not to be had.
std::unique_ptr<pmda::Transport> Connect(const pmda::AgentOptions& options, const Fault* fault) {
  if (!options.listen) {
    auto streams = pmda::TakeStandardStreams();
    return streams ? *std::move(streams) : nullptr;
  }
  if (fault == nullptr || fault->socket == Fault::Socket::kSound) {
    auto listener = pmda::Listener::Open(*options.listen);
    if (!listener) return nullptr;
    auto accepted = listener->Accept(Deadline::Never());
    return accepted ? *std::move(accepted) : nullptr;
  }
  Descriptor socket = Bind(*options.listen, fault->socket);
  if (!socket.open() || listen(socket.get(), 5) != 0) return nullptr;
  Descriptor connection(accept(socket.get(), nullptr, nullptr));
  if (!connection.open()) return nullptr;
  if (fault->socket == Fault::Socket::kSecondConnection) (void)socket.Release();
  return pmda::MakeSocketTransport(std::move(connection));
}

[[noreturn]] void GoOn() {
  while (true) pause();
}

void Serve(pmda::Transport& transport, ModelAgent& agent, FaultyResponder& responder) {
  pmda::Server server(transport, responder);
  while (true) {
    responder.Reads();
    const int before = responder.context().requests;
    const auto served = server.Turn(Deadline::After(kIdle));
    pdu::Buffer out;
    if (served) {
      const bool stays = responder.Ended(*served, server.pending(), &out);
      if (!out.empty()) (void)WriteAll(transport, out, Deadline::After(kIdle));
      if (stays) GoOn();
      return;
    }
    if (responder.waiting()) agent.BecomeReady();
    if (server.pending() > 0) responder.TornAt(server.pending());
    if (responder.context().requests == before) responder.Idle(&out);
    if (responder.context().dead) return;
    if (!out.empty()) (void)WriteAll(transport, out, Deadline::After(kIdle));
  }
}

int Main(int argc, char** argv) {
  const Words words = Read(argc, argv);
  const std::vector<Fault> faults = AllFaults();
  if (words.list) {
    List(faults);
    return 0;
  }
  const Fault* fault = FindFault(faults, words.fault);
  if (fault == nullptr && !words.fault.empty()) {
    std::fprintf(stderr, "%s: no fault %s; see --list\n", argv[0], words.fault.c_str());
    return 1;
  }
  Random random(words.seed);
  ModelAgent agent(fault != nullptr ? FaultyModel(*fault, words.seed)
                                    : RandomAgent(random, {.complete = true}));
  if (words.pmns) {
    const auto source = pmda::WritePmns(NamesOf(agent.model()));
    if (source) std::fputs(source->c_str(), stdout);
    return source ? 0 : 1;
  }
  const auto options = pmda::ParseAgentOptions(words.rest);
  if (!options) {
    std::fprintf(stderr, "%s: %s\n", argv[0], options.error().c_str());
    return 1;
  }
  const bool ignores = fault != nullptr && fault->ignores_domain_option;
  if (options->domain && !ignores) agent.agent().set_domain(*options->domain);
  FaultyResponder responder(agent, fault, getpid());
  if (fault != nullptr && fault->process != nullptr) fault->process(responder.context());
  const auto transport = Connect(*options, fault);
  if (transport == nullptr) {
    std::fprintf(stderr, "%s: no channel\n", argv[0]);
    return 1;
  }
  Serve(*transport, agent, responder);
  if (const int signal = responder.context().death; signal != 0) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  return 0;
}

}  // namespace
}  // namespace pmproof::generators

int main(int argc, char** argv) { return pmproof::generators::Main(argc, argv); }
