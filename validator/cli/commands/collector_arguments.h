#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_COLLECTOR_ARGUMENTS_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_COLLECTOR_ARGUMENTS_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "validator/protocol_check/report_arguments.h"

// The arguments of `collector check`, `collector config` and `collector agent`.

namespace pmproof::validator {

struct CollectorArguments : ReportArguments {
  std::string chosen;  // the subcommand

  // check
  std::optional<std::string> host;
  std::optional<std::uint16_t> port;
  std::optional<std::string> unix_path;
  std::optional<std::string> setup;  // the folder that `config` has made
  std::optional<std::string> version;
  std::vector<std::string> timeouts;  // "reply=5"

  // config
  std::string folder;
  std::string pmcd = "/usr/lib/pcp/bin/pmcd";
  std::string pmdas = "/usr/lib/pcp/pmdas";
  std::string pmproof;  // empty: this program
  std::string user;     // empty: pcp
  std::vector<std::string> simple;
  std::vector<std::string> trivial;

  // agent
  std::string role;
  std::string control;
};

// `describe` makes the description of an option for --help, `hint` ends the page.
void AddCollector(CLI::App& app, std::string (*describe)(const char* text), const char* hint,
                  CollectorArguments* arguments);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_COLLECTOR_ARGUMENTS_H_
