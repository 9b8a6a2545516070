// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CATALOGUE_SEVERITY_H_
#define PMPROOF_VALIDATOR_CATALOGUE_SEVERITY_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace pmproof::validator {

// In order: a rule at or above --fail-on fails the check.
enum class Severity : std::uint8_t { kInfo, kWarning, kError, kFatal };
const char* ToText(Severity severity);
std::optional<Severity> ParseSeverity(std::string_view text);

// By what archives are judged: finished ones; one that is being written (section 14.13); one that
// comes from somebody who is not trusted (section 14.16).
enum class Profile : std::uint8_t { kArchival, kLive, kIngest };
inline constexpr Profile kProfiles[] = {Profile::kArchival, Profile::kLive, Profile::kIngest};
const char* ToText(Profile profile);
std::optional<Profile> ParseProfile(std::string_view text);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CATALOGUE_SEVERITY_H_
