// SPDX-License-Identifier: Apache-2.0
#include "validator/collector/collector_version.h"

#include <charconv>
#include <system_error>

namespace pmproof::validator::collector {

std::optional<Version> Version::Parse(std::string_view text) {
  text = text.substr(0, text.find('-'));
  Version version;
  std::size_t count = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    if (count == version.parts.size()) return std::nullopt;
    const auto [next, error] = std::from_chars(at, end, version.parts[count]);
    if (error != std::errc() || version.parts[count] < 0) return std::nullopt;
    ++count;
    if (next == end) break;
    if (*next != '.') return std::nullopt;
    at = next + 1;
  }
  if (count < 2) return std::nullopt;
  return version;
}

std::string Version::ToText() const {
  return std::to_string(parts[0]) + "." + std::to_string(parts[1]) + "." + std::to_string(parts[2]);
}

Due DueFrom(const std::optional<Version>& version, Version last_old, Version first_new) {
  if (!version) return Due::kEither;
  if (*version <= last_old) return Due::kOld;
  return *version >= first_new ? Due::kNew : Due::kEither;
}

}  // namespace pmproof::validator::collector
