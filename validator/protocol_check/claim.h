// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_PROTOCOL_CHECK_CLAIM_H_
#define PMPROOF_VALIDATOR_PROTOCOL_CHECK_CLAIM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "reference/core/clause.h"
#include "validator/catalogue/check_catalogue.h"
#include "validator/check/report/report.h"
#include "validator/protocol_check/agent_report.h"

namespace pmproof::validator::agent {

// What may be said of an agent or a collector, in the words of the suite (section 16 of
// reference/spec/pmda.md). A value.
struct Claim {
  enum class Kind : std::uint8_t { kConformant, kNotConformant, kUndetermined };

  // Checks that were not made for want of one thing that a sound agent may lack.
  struct Gap {
    std::string needs{};  // as in the catalogue, "--store"; "left out by --check"
    std::vector<Clause> checks{};
  };

  Kind kind = Kind::kUndetermined;
  std::uint64_t deviations = 0;    // of kConformant: declared ones
  std::string because{};           // of kUndetermined: why nothing can be said
  std::vector<Gap> not_covered{};  // in the order of the first check of each

  bool conformant() const { return kind == Kind::kConformant; }

  // "conformant", "conformant with 2 declared deviations", "not conformant", "undetermined"
  std::string ToText() const;
};

// kUndetermined where the report has a failure; else kNotConformant where a check of severity fatal
// or error failed; else kUndetermined where no metric of the agent was found, or a required check
// was not made; else kConformant.
Claim ClaimOf(const AgentReport& report, const CheckCatalogue& catalogue);

// "--slow (CKA-008), --store (5 checks)"; empty where all was checked.
std::string NotCoveredText(const Claim& claim);

// The first of these that applies: kTesteeFailed: the report has a failure; kUsage: nothing was
// checked; kFindings: a check as grave as `fail_on` failed that was not
// expected to, or a list of expected failures is not true; kBudget: the claim is undetermined,
// though the user left out no required check; kOk.
ExitStatus ExitStatusOf(const AgentReport& report, const CheckCatalogue& catalogue,
                        Severity fail_on);

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_PROTOCOL_CHECK_CLAIM_H_
