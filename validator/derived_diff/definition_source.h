// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DERIVED_DIFF_DEFINITION_SOURCE_H_
#define PMPROOF_VALIDATOR_DERIVED_DIFF_DEFINITION_SOURCE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/archive/storage.h"

// Definitions of derived metrics as people have them, made into one configuration file.

namespace pmproof::validator {

struct SourceLine {
  std::string file;
  std::uint64_t line = 0;  // from 1
  std::string name{};      // as it is called there, where the text needs another name
};

// A configuration (DER section 3), and where each of its lines comes from. A value.
struct DefinitionSource {
  std::string text;
  std::vector<SourceLine> lines;

  void Add(const std::string& line, SourceLine from);
  // Of a line of the text, counted from 1; an empty file beyond the last one.
  SourceLine Origin(std::uint64_t line) const;
};

// A definition, whether any version takes it or not.
struct SourceDefinition {
  std::string name;
  std::string expression;
  std::uint64_t line = 0;  // of the text
};

// Adds what a file holds; of a directory what its files hold, in the order of their names. Errors:
// what cannot be read; kBudget for a file of more than 16 MiB.
std::optional<Status> AddDefinitionFile(const archive::Storage& storage, const std::string& path,
                                        DefinitionSource* source);

// Each section of pmrep's configuration as a source of its own (DER-344). Errors: also what ends
// pmrep.
std::optional<Status> AddPmrepConfiguration(const archive::Storage& storage,
                                            const std::string& path,
                                            std::vector<DefinitionSource>* sources);

// Those that the language of 7.2.2 finds in it, each name once, and those that it refuses.
std::vector<SourceDefinition> DefinitionsIn(const DefinitionSource& source);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_DERIVED_DIFF_DEFINITION_SOURCE_H_
