// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_COLLECTOR_CHECKS_H_
#define PMPROOF_VALIDATOR_COLLECTOR_CHECKS_H_

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference/core/clause.h"
#include "validator/collector/collector_under_test.h"
#include "validator/collector/trial.h"
#include "validator/protocol_check/exchange_log.h"
#include "validator/protocol_check/verdict.h"

namespace pmproof::validator::collector {

// A check of section 17.
struct Check {
  Clause id;
  void (*run)(Trial& trial);
};

// Each in a file of its own.
std::span<const Check> SetupChecks();       // CKC-001..009
std::span<const Check> FetchChecks();       // CKC-010..021
std::span<const Check> FramingChecks();     // CKC-022, 023, 040..044
std::span<const Check> MetadataChecks();    // CKC-024..030
std::span<const Check> NameChecks();        // CKC-031..036
std::span<const Check> StoreChecks();       // CKC-037..039
std::span<const Check> ProfileChecks();     // CKC-045..047, 061
std::span<const Check> AnswerChecks();      // CKC-048..050, 053..055, 065
std::span<const Check> SilenceChecks();     // CKC-051, 052, 060, 062
std::span<const Check> StateChecks();       // CKC-056..059
std::span<const Check> ConnectionChecks();  // CKC-063, 064

// All of them, by their number.
std::vector<Check> AllChecks();

// What came of one check.
struct CheckResult {
  Clause id;
  agent::Verdict verdict{};
  agent::ExchangeLog log{};
  std::chrono::milliseconds took{0};
};

// Runs these checks in the order that disturbs the least; the results are in the order of `checks`.
// Where the collector does not answer any more, the rest is not checked.
// `turn`, if there is one, is told before each check how many are made, of how many; false: no
// other is begun, and the results are of no use.
using Turns = std::function<bool(std::size_t done, std::size_t all)>;
std::vector<CheckResult> RunChecks(const CollectorUnderTest& subject, std::span<const Check> checks,
                                   const Turns& turn = {});

// Why no client gets in; nothing if one does.
std::optional<std::string> WhyUnreachable(const CollectorUnderTest& subject);

// The version that the collector announces (metric pmcd.version); nothing if it does not.
std::optional<Version> AskVersion(const CollectorUnderTest& subject);

}  // namespace pmproof::validator::collector

#endif  // PMPROOF_VALIDATOR_COLLECTOR_CHECKS_H_
