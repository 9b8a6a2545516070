#ifndef PMPROOF_VALIDATOR_CLI_COMMANDS_SYNTHESIS_ARGUMENTS_H_
#define PMPROOF_VALIDATOR_CLI_COMMANDS_SYNTHESIS_ARGUMENTS_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/archive/source.h"

// The arguments of the commands that make archives, and how they are read. `describe` makes the
// description of an option for --help, `hint` ends the page.

namespace pmproof::validator {

using Describe = std::string (*)(const char* text);

struct GenerateArguments {
  std::optional<std::string> description;  // a file, instead of all up to `truth`
  std::uint64_t seed = 1;
  std::vector<std::string> scenarios;  // none: the plain one
  std::optional<std::uint64_t> records;
  std::optional<std::uint64_t> metrics;
  std::optional<std::uint64_t> instances;
  std::optional<std::uint64_t> volumes;
  std::optional<std::uint64_t> size;  // bytes of the data volumes together
  int version = 3;
  archive::Compression compression = archive::Compression::kNone;
  bool truth = true;
  bool force = false;
  bool list = false;
  std::string out;
};
void AddGenerate(CLI::App& app, Describe describe, const char* hint, GenerateArguments* arguments);

struct EnumerateArguments {
  std::uint64_t records = 0;
  std::string directory;
};
void AddEnumerate(CLI::App& app, Describe describe, const char* hint,
                  EnumerateArguments* arguments);

struct MutateArguments {
  std::vector<std::string> rules;  // "ARC-1104", or "ARC-1104:2" for the second of its edits
  std::uint64_t damages = 0;       // by chance, of any kind
  std::uint64_t flips = 0;         // single bits
  std::uint64_t seed = 1;
  bool force = false;
  bool list = false;
  std::string in;
  std::string out;
};
void AddMutate(CLI::App& app, Describe describe, const char* hint, MutateArguments* arguments);

struct ShrinkArguments {
  std::string rule;
  double budget = 60;  // seconds
  bool force = false;
  std::string in;
  std::string out;
};
void AddShrink(CLI::App& app, Describe describe, const char* hint, ShrinkArguments* arguments);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMMANDS_SYNTHESIS_ARGUMENTS_H_
