// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_COLLECTOR_COLLECTOR_VERSION_H_
#define PMPROOF_VALIDATOR_COLLECTOR_COLLECTOR_VERSION_H_

#include <array>
#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace pmproof::validator::collector {

// A version of PCP, such as 6.3.8: what a collector does differs between some of them. A value.
struct Version {
  std::array<int, 3> parts{};

  // "7.2", "6.3.8", "6.3.8-1": two or three numbers, and what follows a hyphen does not count.
  static std::optional<Version> Parse(std::string_view text);
  std::string ToText() const;

  friend auto operator<=>(const Version&, const Version&) = default;
};

// Where two behaviours are documented, which of them a collector has to show.
enum class Due { kOld, kNew, kEither };

// kOld for a collector up to `last_old`, kNew from `first_new` on, kEither between these and where
// the version is not known.
Due DueFrom(const std::optional<Version>& version, Version last_old, Version first_new);

}  // namespace pmproof::validator::collector

#endif  // PMPROOF_VALIDATOR_COLLECTOR_COLLECTOR_VERSION_H_
