// SPDX-License-Identifier: Apache-2.0
#include "validator/dbpmda/connection.h"

#include <utility>

#include "reference/pmda/pdu/error_codes.h"
#include "reference/pmda/transport/connect.h"

namespace pmproof::agent_script {

using pmda::Deadline;

Result<std::unique_ptr<Connection>> Connection::Start(const std::vector<std::string>& words,
                                                      std::string name, Kind kind,
                                                      const Patience& patience) {
  auto process = pmda::AgentProcess::Start({.words = words}, Deadline::After(patience.answer));
  if (!process) return tl::unexpected(process.error());
  std::unique_ptr<Connection> connection(new Connection(std::move(name), kind, patience));
  connection->process_.emplace(std::move(*process));
  connection->session_ = std::make_unique<pmda::Session>(*connection->process_->transport());
  return connection;
}

Result<std::unique_ptr<Connection>> Connection::Connect(const pmda::Address& address,
                                                        std::string name,
                                                        const Patience& patience) {
  auto socket = pmda::Connect(address, Deadline::Passed());
  if (!socket) return tl::unexpected(socket.error());
  std::unique_ptr<Connection> connection(new Connection(std::move(name), Kind::kDaemon, patience));
  connection->socket_ = std::move(*socket);
  connection->session_ = std::make_unique<pmda::Session>(*connection->socket_);
  return connection;
}

Connection::~Connection() { Finish(); }

tl::expected<void, pmda::SessionFailure> Connection::Greet() {
  const auto greeting = session_->Greet(Deadline::After(patience_.greeting));
  if (!greeting) return tl::unexpected(greeting.error());
  version_ = greeting->version;
  return {};
}

tl::expected<pdu::Pdu, pmda::SessionFailure> Connection::Ask(const pdu::Body& request) {
  return session_->Ask({.body = request}, Deadline::After(patience_.answer));
}

tl::expected<void, pmda::SessionFailure> Connection::Send(const pdu::Body& request) {
  return session_->Send({.body = request}, Deadline::After(patience_.answer));
}

std::string Connection::Finish() {
  if (session_ != nullptr) {
    (void)Send(pdu::Error{.code = pdu::kErrNotConnected});
    session_.reset();
  }
  socket_.reset();
  if (!process_) return "";
  process_->End();
  return process_->log().text;
}

}  // namespace pmproof::agent_script
