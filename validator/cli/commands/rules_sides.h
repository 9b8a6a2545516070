// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_RULES_SIDES_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_RULES_SIDES_H_

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "reference/core/pcp_version.h"
#include "reference/replay/rule.h"
#include "validator/rules_diff/comparison.h"
#include "validator/rules_diff/side.h"
#include "validator/testee/client/adapter.h"

// The sides of `rules diff` as they are named on its command line.

namespace pmproof::validator {

// A side that was named, and can be opened as often as there are threads. A value.
struct SideChoice {
  std::string name;  // as reports call it
  std::variant<replay::Profile, PcpVersion, AdapterCommand> what;
  bool counter_wrap = false;

  bool is_implementation() const { return std::holds_alternative<AdapterCommand>(what); }
};

struct SideOptions {
  std::vector<replay::Profile> profiles;  // that are known
  bool counter_wrap = false;
  std::chrono::milliseconds patience{60'000};        // with each answer of an implementation
  std::size_t longest_line = std::size_t{64} << 20;  // of its answers, in bytes
};

// Error: what is wrong with the text.
tl::expected<SideChoice, std::string> ChooseSide(const std::string& text,
                                                 const SideOptions& options);

// An implementation is started by that. Error: why it does not start.
struct OpenedSide {
  std::unique_ptr<Side> side;
  SideNote note;
};
tl::expected<OpenedSide, std::string> OpenSide(const SideChoice& choice);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_RULES_SIDES_H_
