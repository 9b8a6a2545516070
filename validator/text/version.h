#ifndef PMPROOF_VALIDATOR_TEXT_VERSION_H_
#define PMPROOF_VALIDATOR_TEXT_VERSION_H_

namespace pmproof::validator {

// As --version and reports have it.
inline constexpr char kVersion[] = "0.1.0";

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TEXT_VERSION_H_
