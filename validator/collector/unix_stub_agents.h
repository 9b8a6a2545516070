// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_COLLECTOR_UNIX_STUB_AGENTS_H_
#define PMPROOF_VALIDATOR_COLLECTOR_UNIX_STUB_AGENTS_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/status.h"
#include "reference/pmda/transport/descriptor.h"
#include "validator/collector/stub_agents.h"
#include "validator/collector/stub_roles.h"

namespace pmproof::validator::collector {

// Listens on a unix socket, to which the stub agents of a collector connect (stub_agent_process.h).
// A resource: its destructor closes all channels, at which the stub agents end, and removes the
// socket.
class UnixStubAgents final : public StubAgents {
 public:
  // A socket that is there already is stale and is removed, any other file is not. The folder says
  // who may connect. Errors: kUsage for a path that is too long, else kUnreadable.
  static Result<std::unique_ptr<UnixStubAgents>> Open(const std::string& path);
  ~UnixStubAgents() override;

  StubAgent* Find(std::string_view role, unsigned generation, pmda::Deadline deadline) override;

  // Waits for all roles that a collector starts; names those that are missing at the deadline.
  std::vector<std::string_view> AwaitAll(pmda::Deadline deadline);

 private:
  UnixStubAgents(std::string path, pmda::Descriptor socket);
  StubAgent* FindPresent(std::string_view role, unsigned generation);
  void Accept();

  std::string path_;
  pmda::Descriptor socket_;
  std::vector<std::unique_ptr<StubAgent>> stubs_{};
};

}  // namespace pmproof::validator::collector

#endif  // PMPROOF_VALIDATOR_COLLECTOR_UNIX_STUB_AGENTS_H_
