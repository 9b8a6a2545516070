// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TEXT_VERSION_H_
#define PMPROOF_VALIDATOR_TEXT_VERSION_H_

namespace pmproof::validator {

// Of the command line, as --version and reports have it. CHANGELOG.md says what its numbers
// promise.
inline constexpr char kVersion[] = "0.2.0";

// Of the catalogue of rules and checks, as `list` has it.
inline constexpr char kCatalogueVersion[] = "0.2.0";

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TEXT_VERSION_H_
