// SPDX-License-Identifier: Apache-2.0
#include "validator/collector/unix_stub_agents.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "reference/pmda/transport/connect.h"
#include "reference/pmda/transport/descriptor_transport.h"
#include "reference/pmda/transport/poll.h"
#include "reference/pmda/transport/socket_address.h"
#include "reference/pmda/transport/system_error.h"
#include "validator/collector/stub_agent_process.h"

namespace pmproof::validator::collector {
namespace {

constexpr int kBacklog = 64;
constexpr std::chrono::seconds kIntroduction{10};

// The line that a stub agent says first, byte by byte: what follows it is the collector's.
std::optional<Introduction> ReadIntroduction(pmda::Transport& transport) {
  const auto deadline = pmda::Deadline::After(kIntroduction);
  std::string line;
  while (line.size() < kLongestIntroduction) {
    std::array<std::uint8_t, 1> byte{};
    if (!transport.Read(byte, deadline).moved()) return std::nullopt;
    if (byte[0] == '\n') return Introduction::Parse(line);
    line += static_cast<char>(byte[0]);
  }
  return std::nullopt;
}

}  // namespace

UnixStubAgents::UnixStubAgents(std::string path, pmda::Descriptor socket)
    : path_(std::move(path)), socket_(std::move(socket)) {}

UnixStubAgents::~UnixStubAgents() { pmda::RemoveSocketFile(path_); }

Result<std::unique_ptr<UnixStubAgents>> UnixStubAgents::Open(const std::string& path) {
  const auto address = pmda::Resolve(pmda::Address::Unix(path));
  if (!address) return tl::unexpected(address.error());
  pmda::RemoveSocketFile(path);
  pmda::Descriptor socket(
      ::socket(address->family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  constexpr mode_t kEverybody = 0666;
  if (!socket.open() || bind(socket.get(), address->get(), address->size) != 0 ||
      chmod(path.c_str(), kEverybody) != 0 || listen(socket.get(), kBacklog) != 0) {
    return tl::unexpected(pmda::SystemError(path, errno));
  }
  return std::unique_ptr<UnixStubAgents>(new UnixStubAgents(path, std::move(socket)));
}

void UnixStubAgents::Accept() {
  pmda::Descriptor connection(accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!connection.open()) return;
  auto transport = pmda::MakeSocketTransport(std::move(connection));
  const auto introduction = ReadIntroduction(*transport);
  if (!introduction) return;
  const std::string_view name = introduction->role->name;
  const auto before = std::ranges::count(stubs_, name, [](const auto& p) { return p->name; });
  stubs_.push_back(std::make_unique<StubAgent>(
      StubAgent{.name = name,
                .generation = static_cast<unsigned>(before) + 1,
                .started = pmda::Deadline::Clock::now() - introduction->age,
                .channel = Channel(std::move(transport))}));
}

StubAgent* UnixStubAgents::FindPresent(std::string_view role, unsigned generation) {
  for (auto stub = stubs_.rbegin(); stub != stubs_.rend(); ++stub) {
    if ((*stub)->name == role) {
      return (*stub)->generation >= generation ? stub->get() : nullptr;
    }
  }
  return nullptr;
}

StubAgent* UnixStubAgents::Find(std::string_view role, unsigned generation,
                                pmda::Deadline deadline) {
  while (true) {
    std::array<pollfd, 1> waiting = {{{socket_.get(), POLLIN, 0}}};
    // All that have knocked already come in first.
    while (pmda::Poll(waiting, pmda::Deadline::Passed()) > 0) Accept();
    StubAgent* const stub = FindPresent(role, generation);
    if (stub != nullptr || deadline.passed()) return stub;
    if (pmda::Poll(waiting, deadline) <= 0) return nullptr;
  }
}

std::vector<std::string_view> UnixStubAgents::AwaitAll(pmda::Deadline deadline) {
  std::vector<std::string_view> missing;
  for (const Role& role : kRoles) {
    if (Starts(role) && Find(role.name, 1, deadline) == nullptr) missing.push_back(role.name);
  }
  return missing;
}

}  // namespace pmproof::validator::collector
