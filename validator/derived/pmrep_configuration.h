// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DERIVED_PMREP_CONFIGURATION_H_
#define PMPROOF_VALIDATOR_DERIVED_PMREP_CONFIGURATION_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reference/archive/storage.h"
#include "reference/core/status.h"

// Derived metrics that are defined in configuration files of pmrep (DER-341 to DER-345).

namespace pmproof::validator {

struct PmrepDefinition {
  std::string name;
  std::string expression;  // as it is registered: without quotes, its lines joined by newlines
  std::uint64_t line = 0;  // of its beginning, from 1
};

// What is registered together: names are unique within a section alone.
struct PmrepSection {
  std::string file;
  std::string name;
  std::vector<PmrepDefinition> definitions{};
  std::vector<std::string> configurations{};  // paths that `derived` of [options] names (DER-345)
};

// The sections of a file that define something, in its order. Time is linear in the text. Error:
// kUsage, for what ends pmrep, with `file`, the line and the clause.
Result<std::vector<PmrepSection>> ReadPmrepConfiguration(std::string_view text,
                                                         const std::string& file);

// Of a file; of a directory those of its files that end in ".conf", in the order of their names.
// Errors: what cannot be read; kBudget for a file of more than 16 MiB.
Result<std::vector<PmrepSection>> LoadPmrepConfigurations(const archive::Storage& storage,
                                                          const std::string& path);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_DERIVED_PMREP_CONFIGURATION_H_
