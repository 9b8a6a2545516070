// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/collector/stub_agent_process.h"

namespace pmproof::validator {
namespace {

class CollectorAgentCommand final : public Command {
 public:
  void Declare(Options& options) override {
    std::vector<std::string> roles;
    for (const collector::Role& role : collector::kRoles) roles.emplace_back(role.name);
    options.Choice("--role", "NAME", "Which of them it is", std::move(roles), &role_).Required();
    options.Text("--control", "PATH", "The unix socket where collector check listens", &control_)
        .Required();
    options.Examples({"pmproof collector agent --role steady --control /tmp/setup/control"})
        .ExitStatuses("0 the collector has gone; 2 wrong usage; 4 a socket cannot be had");
  }

  ExitStatus Run(const CommonArguments&, const Environment& environment) override {
    const auto done = collector::RunStubAgent(*collector::FindRole(role_), control_);
    if (done) return ExitStatus::kOk;
    return Fail(environment, ExitStatus::kUnreadable, done.error().ToText());
  }

 private:
  std::string role_;
  std::string control_;
};

}  // namespace

std::unique_ptr<Command> MakeCollectorAgent() { return std::make_unique<CollectorAgentCommand>(); }

}  // namespace pmproof::validator
