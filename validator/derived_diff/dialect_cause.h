// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DERIVED_DIFF_DIALECT_CAUSE_H_
#define PMPROOF_VALIDATOR_DERIVED_DIFF_DIALECT_CAUSE_H_

#include <functional>
#include <optional>
#include <string>

#include "reference/derived/dialect.h"
#include "reference/replay/replay_archive.h"
#include "validator/derived_diff/definition_source.h"
#include "validator/derived_diff/derived_side.h"

namespace pmproof::validator {

// What a definition means in a dialect; nothing where that cannot be found out.
using MeaningIn = std::function<std::optional<DefinitionMeaning>(const derived::Dialect& dialect)>;

// The clause of the one property in which two dialects differ that makes a definition mean
// `baseline` in the one and `candidate` in the other. Empty if it is none, or several.
std::string ClauseBetween(const derived::Dialect& of_baseline, const DefinitionMeaning& baseline,
                          const derived::Dialect& of_candidate, const DefinitionMeaning& candidate,
                          const MeaningIn& meaning_in);

// Why a dialect refuses a definition of the source, in the words of PCP; empty if it does not.
struct DialectRefusal {
  std::string message;
  std::string clause;
};
DialectRefusal RefusalOf(const DefinitionSource& source, const std::string& name,
                         const derived::Dialect& dialect, const replay::ReplayArchive& archive);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_DERIVED_DIFF_DIALECT_CAUSE_H_
