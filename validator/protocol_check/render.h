// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_PROTOCOL_CHECK_RENDER_H_
#define PMPROOF_VALIDATOR_PROTOCOL_CHECK_RENDER_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "reference/core/timestamp.h"
#include "validator/catalogue/check_catalogue.h"
#include "validator/check/report/report.h"
#include "validator/protocol_check/agent_report.h"
#include "validator/protocol_check/claim.h"
#include "validator/text/terminal.h"

// The report of `agent check` or `collector check` in each format that it is asked for. Texts from
// agents may hold any bytes; what is written is UTF-8, and well-formed in its format, whatever they
// are.

namespace pmproof::validator::agent {

enum class ReportFormat : std::uint8_t { kText, kJson, kJunit, kHtml };

struct RenderOptions {
  Severity fail_on = Severity::kError;  // JUnit: graver ones are failures
  bool quiet = false;                   // text: only what failed
  Screen screen{};                      // text
  Timestamp made{};                     // HTML: of the page
};

void Render(ReportFormat format, const AgentReport& report, const CheckCatalogue& catalogue,
            const RenderOptions& options, std::ostream& out);

// A table by section, what failed with its octets, what was not checked and why, a last line.
void RenderText(const AgentReport& report, const CheckCatalogue& catalogue,
                const RenderOptions& options, std::ostream& out);

// "conformant: 48 passed, 2 failed (2 warnings), 67 not checked"; after it why a claim is
// undetermined.
std::string SummaryLine(const AgentReport& report, const CheckCatalogue& catalogue);

// Schema pmproof-agent-report/2 (schema/agent_report.schema.json), and of a collector
// pmproof-collector-report/2 (schema/collector_report.schema.json).
void RenderJson(const AgentReport& report, const CheckCatalogue& catalogue, std::ostream& out);

// A test suite for each section, with the claim as its property; a test case for each check.
void RenderJunit(const AgentReport& report, const CheckCatalogue& catalogue, Severity fail_on,
                 std::ostream& out);

// One page that needs no other file.
void RenderHtml(const AgentReport& report, const CheckCatalogue& catalogue, Timestamp made,
                std::ostream& out);

// "00000010 00007004 00000000 3f400001": words of four bytes.
std::string HexWords(const std::vector<std::uint8_t>& bytes);

// What the outcome of a check says: of a failure each of the first offences, "and 2 more offences",
// and how many of all were expected.
std::vector<std::string> Sentences(const CheckOutcome& outcome);

// The first of the offences that a verdict keeps, as many as are shown.
std::vector<std::string> ShownOffences(const Verdict& verdict);

// "agent 2's standard error ends:", "the agent's log /tmp/simple.log:".
std::string SaidHeading(const AgentOutput& output, bool several);

// "pass", "fail", "not_checked".
const char* ToText(Outcome outcome);

// Whether there was more than one agent, or more than one connection with a collector.
bool Several(const CheckOutcome& outcome);

// Lines of the exchange that are shown: how the agent of several that the check started is named.
std::string Caption(const ExchangeLine& line, bool several);

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_PROTOCOL_CHECK_RENDER_H_
