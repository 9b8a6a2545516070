// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_REPORT_POLICY_USE_H_
#define PMPROOF_VALIDATOR_CHECK_REPORT_POLICY_USE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/catalogue/severity.h"

// What a policy (validator/policy) did to a report.

namespace pmproof::validator {

// What a policy finds: of its own entries, and of archives that are not as it requires. These are
// no clauses about PCP's formats, so they have identifiers of their own.
enum class PolicyCheck : std::uint8_t {
  kExpired,      // POL-001
  kUnmatched,    // POL-002
  kMetrics,      // POL-101
  kSpan,         // POL-102
  kInterval,     // POL-103
  kGap,          // POL-104
  kHost,         // POL-105
  kLabelKeys,    // POL-106
  kTimeZone,     // POL-107
  kCompression,  // POL-108
  kVersion,      // POL-109
};
const char* IdOf(PolicyCheck check);  // "POL-001"
std::optional<PolicyCheck> ParsePolicyCheck(std::string_view id);
const char* TitleOf(PolicyCheck check);  // what must hold: "each entry is in force"

struct PolicyFinding {
  PolicyCheck check = PolicyCheck::kExpired;
  Severity severity = Severity::kError;
  std::uint64_t line = 0;  // of the entry in the policy
  std::string message;
  std::string reason;  // of the entry; may be empty
};

// That the severity of a finding is a policy's.
struct Reclassified {
  Severity from = Severity::kError;
  std::uint64_t line = 0;  // of the entry in the policy
  std::string reason;
};

// What one entry of a policy came to.
struct PolicyEntryUse {
  enum class Kind : std::uint8_t { kReclassify, kRequire };
  Kind kind = Kind::kReclassify;
  std::uint64_t line = 0;
  std::string what;    // "ARC-1227 is info where host = \"web*\"", "version is one of 3"
  std::string reason;  // may be empty of what is required
  std::string until;   // "2026-12-31"; empty: for ever
  bool expired = false;
  std::uint64_t archives = 0;  // where it applied
  std::uint64_t findings = 0;  // what it reclassified, or how many archives are not as it requires
  std::uint64_t fatal = 0;     // findings it fits and leaves alone, since they are fatal
};

struct PolicyUse {
  std::string file;
  std::vector<PolicyEntryUse> entries;  // by line
  std::vector<PolicyFinding> findings;  // about the entries, by line
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_REPORT_POLICY_USE_H_
