// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_PROTOCOL_CHECK_EXPECTED_FAILURES_H_
#define PMPROOF_VALIDATOR_PROTOCOL_CHECK_EXPECTED_FAILURES_H_

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reference/core/clause.h"
#include "validator/protocol_check/agent_report.h"

// Failures that are known: of an author's agent, in a list that must be exactly true, and of the
// library that an agent is built on (known_library.h).

namespace pmproof::validator::agent {

// One of them. A value.
struct ExpectedFailure {
  Clause id{};
  // A glob (* and ?) of what an offence says, such as "*simple.color*"; empty: the whole failure,
  // whatever its offences are.
  std::string place{};
  std::string reason{};
  std::string until{};  // the last day on which it holds, 2027-01-31; empty: it always holds
  // Of a list. False: of a library, whose agents need not all fail.
  bool strict = true;

  // As a line of a list: "CKA-111 | *red* | colours are shown raised by 100 | until=2027-01-31"
  std::string ToText() const;
};

// A list: an entry a line, with fields that `|` separates; empty lines and those that begin with #
// are none. Error: what is wrong, with the line: "line 3: there is no reason".
tl::expected<std::vector<ExpectedFailure>, std::string> ParseExpectedFailures(
    std::string_view text);

// Declares the failures of the report that these expect, as they are on `today` (2026-11-27), and
// adds to it what is wrong with the list: entries that have expired, whose check passed (a
// surprise) or failed otherwise. An entry of a check that was not made says nothing. A failure is
// expected only if each of its offences is, by one entry or several; else those that are not come
// first in its verdict, and CheckOutcome::expected says how many were. Of an offence whose text
// was not kept (Offences::kMost) nothing is known, so that only an entry without a glob expects it.
void Declare(const std::vector<ExpectedFailure>& expected, const std::string& today,
             AgentReport* report);

// A list that is true of the report: entries of `old` that hold, and one for each other failure,
// whose reason is to be written.
std::string BaselineOf(const AgentReport& report, const std::vector<ExpectedFailure>& old,
                       const std::string& today);

// "2026-11-27", by the clock of this machine in UTC.
std::string Today();

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_PROTOCOL_CHECK_EXPECTED_FAILURES_H_
