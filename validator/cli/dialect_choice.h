// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_DIALECT_CHOICE_H_
#define PMPROOF_VALIDATOR_CLI_DIALECT_CHOICE_H_

#include <vector>

#include "reference/derived/dialect.h"
#include "validator/cli/options.h"

namespace pmproof::validator {

// The words of --dialect: the languages of derived metrics (DER-101..109, DER-1501).
inline std::vector<NamedValue<const derived::Dialect*>> DialectChoice() {
  std::vector<NamedValue<const derived::Dialect*>> choice;
  for (const derived::Dialect* dialect : derived::kDialects) {
    choice.push_back({dialect->name.data(), dialect});  // a literal
  }
  return choice;
}

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_DIALECT_CHOICE_H_
