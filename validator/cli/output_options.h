// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_OUTPUT_OPTIONS_H_
#define PMPROOF_VALIDATOR_CLI_OUTPUT_OPTIONS_H_

#include <optional>
#include <string>
#include <vector>

#include "validator/cli/options.h"

namespace pmproof::validator {

// One report: its format, and the file it goes to; without a path, standard output.
struct OutputRequest {
  std::string format;
  std::optional<std::string> path;
};

// --format, --output and --force of a command that writes reports. Each report is named by one
// pair, --output FORMAT:FILE; a --format of its own goes to standard output. "--format F --output
// FILE" is taken as a pair where it cannot mean anything else.
class OutputOptions {
 public:
  // `formats` are those of the command, the default first.
  explicit OutputOptions(std::vector<std::string> formats) : formats_(std::move(formats)) {}

  // This outlives `options`. `force_help` says what --force may overwrite.
  void Declare(Options& options, std::string force_help);

  // Makes requests() of what was given. Returns what is wrong or ambiguous, or "".
  std::string Wrong();

  // After Wrong(): at least one, at most one of them without a path.
  const std::vector<OutputRequest>& requests() const { return requests_; }
  bool force() const { return force_; }

 private:
  // What was given, in its order.
  struct Given {
    bool is_format = false;
    std::string text;
  };
  std::optional<OutputRequest> AsPair(const std::string& text) const;
  // By the end of its name; empty where that says nothing.
  std::string FormatOfName(const std::string& path) const;
  std::string PairOldForm(const std::vector<Given>& given);
  std::string Refuse(const std::string& path) const;

  std::vector<std::string> formats_;
  std::vector<Given> given_;
  std::vector<OutputRequest> requests_;
  bool force_ = false;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_OUTPUT_OPTIONS_H_
