// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DBPMDA_CONNECTION_H_
#define PMPROOF_VALIDATOR_DBPMDA_CONNECTION_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/pmda/pdu/collector_session.h"
#include "reference/pmda/transport/address.h"
#include "reference/pmda/transport/agent_process.h"

namespace pmproof::agent_script {

// An agent that a script has opened. A resource: its destructor ends it as PMD-403 says.
class Connection {
 public:
  enum class Kind : std::uint8_t { kDaemon, kDso };

  // How long the agent may take.
  struct Patience {
    std::chrono::milliseconds greeting{3000};
    std::chrono::milliseconds answer{10000};
  };

  // PMD-400; also a shared-object agent, whose host is what `words` start. `name` is what status
  // shows.
  static Result<std::unique_ptr<Connection>> Start(const std::vector<std::string>& words,
                                                   std::string name, Kind kind,
                                                   const Patience& patience);
  // PMD-402
  static Result<std::unique_ptr<Connection>> Connect(const pmda::Address& address, std::string name,
                                                     const Patience& patience);
  ~Connection();

  // Exchanges CREDS; where that fails requests will, too.
  tl::expected<void, pmda::SessionFailure> Greet();

  tl::expected<pdu::Pdu, pmda::SessionFailure> Ask(const pdu::Body& request);
  tl::expected<void, pmda::SessionFailure> Send(const pdu::Body& request);

  // The bytes of the last answer.
  Bytes received() const { return session_->received(); }

  const std::string& name() const { return name_; }
  Kind kind() const { return kind_; }
  bool is_dso() const { return kind_ == Kind::kDso; }
  int process() const { return process_ ? process_->process() : 0; }
  bool greeted() const { return version_.has_value(); }
  int version() const { return version_.value_or(0); }  // of the protocol
  // Ends the agent; the end of its log.
  std::string Finish();

 private:
  Connection(std::string name, Kind kind, const Patience& patience)
      : name_(std::move(name)), kind_(kind), patience_(patience) {}

  std::string name_;
  Kind kind_;
  Patience patience_;
  std::optional<pmda::AgentProcess> process_;
  std::unique_ptr<pmda::Transport> socket_;
  std::unique_ptr<pmda::Session> session_;
  std::optional<int> version_;
};

}  // namespace pmproof::agent_script

#endif  // PMPROOF_VALIDATOR_DBPMDA_CONNECTION_H_
