#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_UNITS_ARGUMENTS_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_UNITS_ARGUMENTS_H_

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "reference/core/metric.h"
#include "reference/core/pcp_version.h"

// The arguments of `units`, and how they are read.

namespace pmproof::validator {

struct UnitsArguments {
  std::string text;
  std::optional<std::string> to;
  std::optional<std::string> value;  // 1 where only `to` is given
  MetricType type = MetricType::kDouble;
  PcpVersion version = PcpVersion::k7_2;
  bool json = false;
};

// `describe` makes the description of an option for --help, `hint` ends the page.
void AddUnits(CLI::App& app, std::string (*describe)(const char* text), const char* hint,
              UnitsArguments* arguments);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_UNITS_ARGUMENTS_H_
