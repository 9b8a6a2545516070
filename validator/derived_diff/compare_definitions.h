// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DERIVED_DIFF_COMPARE_DEFINITIONS_H_
#define PMPROOF_VALIDATOR_DERIVED_DIFF_COMPARE_DEFINITIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/archive/storage.h"
#include "validator/cli/environment.h"
#include "validator/derived_diff/definition_source.h"
#include "validator/derived_diff/derived_side.h"

// Which definitions of derived metrics change their meaning between two sides, over archives.

namespace pmproof::validator {

struct DefinitionFinding {
  enum class Kind : std::uint8_t {
    kRefused,     // by one side only
    kDescriptor,  // type, semantics, instance domain or units differ
    kValues,
  };
  Kind kind = Kind::kValues;
  std::size_t definition = 0;  // in DerivedComparison::definitions
  std::string baseline{};      // what each side says; of values "" is none
  std::string candidate{};
  std::string clause{};         // by which they differ; empty if none was found
  std::string archive{};        // the first one that shows it
  std::uint64_t archives = 1;   // that show it
  std::uint64_t differing = 0;  // values, of all archives
  std::string time{};           // of the first value that differs
  std::optional<std::int64_t> instance{};
};

struct ComparedDefinition {
  SourceDefinition definition;
  SourceLine origin;
};

struct DerivedComparison {
  std::vector<ComparedDefinition> definitions;
  std::vector<DefinitionFinding> findings;  // in the order of the definitions
  std::vector<std::string> archives;        // that were compared
  std::vector<std::size_t> refused;         // definitions that both refuse everywhere, ascending
  std::uint64_t values = 0;                 // that were compared
  std::vector<Status> errors;               // archives that were not compared
  // Archives that a side does not answer, and why: baseline, candidate.
  std::vector<std::pair<std::string, NotAnswered>> unanswered[2];
};

struct CompareDefinitionsOptions {
  std::uint64_t records = 1000;  // of each archive, from its start on
  const archive::Storage& storage;
  const ProfileList& profiles;
};

// `archives`: each as a list of paths that are opened as one. The definitions are those of
// DefinitionsIn(). Where a side is a dialect, or answers as one, the clause is that of the property
// of the language (DER-101 to DER-109) without which both would agree, else that of the refusal.
// A source is registered by itself: two may define one name.
DerivedComparison CompareDefinitions(const std::vector<DefinitionSource>& sources,
                                     DerivedSide& baseline, DerivedSide& candidate,
                                     const std::vector<std::vector<std::string>>& archives,
                                     const CompareDefinitionsOptions& options);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_DERIVED_DIFF_COMPARE_DEFINITIONS_H_
