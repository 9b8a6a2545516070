// SPDX-License-Identifier: Apache-2.0
#include "validator/dbpmda/opening.h"

#include <sys/stat.h>

#include <cerrno>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace pmproof::agent_script {
namespace {

std::string BaseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// Why there is nothing at the path.
std::optional<std::string> Missing(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) return std::nullopt;
  return std::generic_category().message(errno);
}

void Greet(Conversation& talk, const std::string& name) {
  const auto greeted = talk.agent()->Greet();
  if (greeted) return;
  talk.failure() << "Warning: no version exchange with PMDA " << name << ": "
                 << greeted.error().ToText() << '\n';
}

}  // namespace

void Open(const OpenPipe& command, const Connection::Patience& patience, Conversation& talk) {
  const std::string& path = command.words[0];
  if (const auto missing = Missing(path)) {
    talk.failure() << "openpmda: stat " << path << " failed: " << *missing << '\n';
    return;
  }
  talk.out() << "Start " << BaseName(path) << " PMDA: " << path;
  for (std::size_t i = 1; i < command.words.size(); ++i) talk.out() << ' ' << command.words[i];
  talk.out() << '\n';
  if (talk.Adopt(Connection::Start(command.words, path, Connection::Kind::kDaemon, patience),
                 "openpmda")) {
    Greet(talk, path);
  }
}

void Open(const OpenDso& command, const Connection::Patience& patience, Conversation& talk) {
  if (const auto missing = Missing(command.file)) {
    talk.failure() << "opendso: " << command.file << ": " << *missing << '\n';
    return;
  }
  auto report = validator::HostReportFile::Create();
  if (!report) {
    talk.failure() << "opendso: " << report.error().ToText() << '\n';
    return;
  }
  auto opened = Connection::Start(
      validator::HostCommand(command.file + ":" + command.init, command.domain, report->path()),
      command.file, Connection::Kind::kDso, patience);
  if (!opened || (*opened)->Greet()) {
    talk.Adopt(std::move(opened), "opendso", std::move(*report));
    return;
  }
  talk.Finish(**opened);
  const validator::HostReport facts = report->Read();
  if (facts.load && facts.load->loaded && !facts.load->init_found) {
    talk.set_broken();
    talk.out() << "Error: couldn't find init function \"" << command.init << "\" in DSO \""
               << command.file << "\"\n";
    return;
  }
  talk.failure() << "opendso: " << command.file << ": "
                 << (facts.init                          ? facts.init->refused
                     : facts.load && !facts.load->loaded ? facts.load->problem
                                                         : "init did not return")
                 << '\n';
}

void Open(const OpenSocket& command, const Connection::Patience& patience, Conversation& talk) {
  using Kind = OpenSocket::Kind;
  const std::string port = std::to_string(command.port);
  const pmda::Address address = command.kind == Kind::kUnix   ? pmda::Address::Unix(command.path)
                                : command.kind == Kind::kInet ? pmda::Address::Inet(command.port)
                                                              : pmda::Address::Inet6(command.port);
  const std::string name = command.kind == Kind::kUnix
                               ? command.path
                               : (command.kind == Kind::kInet ? "inet port " : "ipv6 port ") + port;
  if (!talk.Adopt(Connection::Connect(address, name, patience),
                  "opensocket: " + (command.kind == Kind::kUnix ? name : "connect"))) {
    return;
  }
  talk.out() << "Connect to PMDA on " << (command.kind == Kind::kUnix ? "socket " : "") << name
             << '\n';
  Greet(talk, name);
}

}  // namespace pmproof::agent_script
