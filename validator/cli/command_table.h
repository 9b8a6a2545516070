// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_COMMAND_TABLE_H_
#define PMPROOF_VALIDATOR_CLI_COMMAND_TABLE_H_

#include <memory>

#include "validator/cli/command.h"

namespace pmproof::validator {

// All commands of pmproof.
CommandTable AllCommands();

// Each is defined in commands/NAME.cc.
std::unique_ptr<Command> MakeAgentBench();
std::unique_ptr<Command> MakeAgentCheck();
std::unique_ptr<Command> MakeAgentFiles();
std::unique_ptr<Command> MakeAgentHost();
std::unique_ptr<Command> MakeAgentReplay();
std::unique_ptr<Command> MakeAgentRun();
std::unique_ptr<Command> MakeAgentServe();
std::unique_ptr<Command> MakeCertify();
std::unique_ptr<Command> MakeCheck();
std::unique_ptr<Command> MakeCollectorAgent();
std::unique_ptr<Command> MakeCollectorCheck();
std::unique_ptr<Command> MakeCollectorConfig();
std::unique_ptr<Command> MakeCompare();
std::unique_ptr<Command> MakeConfig();
std::unique_ptr<Command> MakeDerive();
std::unique_ptr<Command> MakeDeriveDiff();
std::unique_ptr<Command> MakeDoctor();
std::unique_ptr<Command> MakeDump();
std::unique_ptr<Command> MakeEnumerate();
std::unique_ptr<Command> MakeExplain();
std::unique_ptr<Command> MakeGenerate();
std::unique_ptr<Command> MakeInfo();
std::unique_ptr<Command> MakeList();
std::unique_ptr<Command> MakeMetrics();
std::unique_ptr<Command> MakeMutate();
std::unique_ptr<Command> MakePolicyCheck();
std::unique_ptr<Command> MakeRecheck();
std::unique_ptr<Command> MakeReplay();
std::unique_ptr<Command> MakeRewrite();
std::unique_ptr<Command> MakeRulesBisect();
std::unique_ptr<Command> MakeRulesDiff();
std::unique_ptr<Command> MakeRulesList();
std::unique_ptr<Command> MakeSalvage();
std::unique_ptr<Command> MakeShrink();
std::unique_ptr<Command> MakeTestee();
std::unique_ptr<Command> MakeTriage();
std::unique_ptr<Command> MakeUnits();

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMAND_TABLE_H_
