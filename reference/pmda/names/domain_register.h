// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_NAMES_DOMAIN_REGISTER_H_
#define PMPROOF_REFERENCE_PMDA_NAMES_DOMAIN_REGISTER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/pmda/names/diagnosis.h"

// The register of domain numbers (14.4): which agent has which.

namespace pmproof::pmda {

enum class DomainRange : std::uint8_t {
  kReserved,  // 0, and 511 for dynamic subtrees and derived metrics; above: no domain at all
  kPackaged,  // 1..384: given out by PCP
  kFree,      // 385..510: for users
};
DomainRange RangeOf(std::uint32_t domain);

// Names and numbers, each once. A value.
class DomainRegister {
 public:
  // Adds the lines "NAME number" of a part; "#" and "/* */" begin comments. PCP has a packaged part
  // and a local one. What is wrong with a line is told, and the line left out; a packaged number in
  // a part that is `local`, or one of the users' in one that is not, is a warning.
  std::vector<Diagnosis> Add(std::string_view text, const std::string& file, bool local);

  std::optional<std::uint32_t> Find(std::string_view name) const;
  std::optional<std::string_view> Find(std::uint32_t domain) const;

  std::size_t size() const { return numbers_.size(); }
  // Numbers to names.
  const std::map<std::uint32_t, std::string>& names() const { return names_; }

 private:
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  std::map<std::uint32_t, std::string> names_;
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_NAMES_DOMAIN_REGISTER_H_
