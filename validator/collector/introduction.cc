// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <system_error>

#include "validator/collector/stub_agent_process.h"

namespace pmproof::validator::collector {
namespace {

constexpr std::string_view kPrefix = "pmproof-stub 1 ";

}  // namespace

std::string Introduction::ToLine() const {
  return std::string(kPrefix) + std::string(role->name) + " " + std::to_string(age.count()) + "\n";
}

std::optional<Introduction> Introduction::Parse(std::string_view line) {
  if (!line.starts_with(kPrefix)) return std::nullopt;
  line.remove_prefix(kPrefix.size());
  const std::size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  Introduction introduction{.role = FindRole(line.substr(0, blank))};
  const std::string_view digits = line.substr(blank + 1);
  std::int64_t milliseconds = 0;
  const auto [rest, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), milliseconds);
  const bool number = error == std::errc() && rest == digits.data() + digits.size();
  if (introduction.role == nullptr || !number || milliseconds < 0) return std::nullopt;
  introduction.age = std::chrono::milliseconds(milliseconds);
  return introduction;
}

Octets OpeningOf(const Role& role) {
  switch (role.opening) {
    case Opening::kCreds:
      return CredsOf(pdu::kProtocolVersion, 0);
    case Opening::kCredsWithFlags:
      return CredsOf(pdu::kProtocolVersion, pdu::kFeatureAuth | pdu::kFeatureContainer);
    case Opening::kOtherPdu:
      return DescReqOf(role.Metric(1));
    case Opening::kBadCreds:
      return Words({0x14, 0x700c, 0, 0, 0x01020000});
    case Opening::kSilence:
      break;
  }
  return {};
}

}  // namespace pmproof::validator::collector
