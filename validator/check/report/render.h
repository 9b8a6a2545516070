// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_REPORT_RENDER_H_
#define PMPROOF_VALIDATOR_CHECK_REPORT_RENDER_H_

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/timestamp.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/report/report.h"
#include "validator/check/report/triaged.h"
#include "validator/text/terminal.h"

// The report of `check` in each format that it is asked for. All texts from archives may hold any
// bytes; what is written is UTF-8, and well-formed in its format, whatever they are.

namespace pmproof::validator {

enum class Format : std::uint8_t {
  kText,
  kJson,
  kJsonLines,
  kSarif,
  kJunit,
  kHtml,
  kGithub,
  kOpenMetrics,
  kBatch
};
inline constexpr Format kFormats[] = {Format::kText,   Format::kJson,        Format::kJsonLines,
                                      Format::kSarif,  Format::kJunit,       Format::kHtml,
                                      Format::kGithub, Format::kOpenMetrics, Format::kBatch};
const char* ToText(Format format);  // as --format has it: "jsonl"
std::optional<Format> ParseFormat(std::string_view text);

struct RenderOptions {
  Severity fail_on = Severity::kError;  // JUnit: findings as grave as this are failures
  Severity show = Severity::kWarning;  // text, JUnit, GitHub: less grave findings are counted alone
  bool quiet = false;  // text: archives without findings to show and all after them are left out
  Screen screen;       // text
  std::string
      docs;        // SARIF, HTML: where the site of qa/docs/build is, with '/' at its end; or empty
  Timestamp time;  // OpenMetrics: of the check
  Timestamp made;  // HTML: of the page
  // JSON, JSON lines: what `triage` says of each entry of the report. May be null.
  const std::vector<TriageNote>* triage = nullptr;
};

void Render(Format format, const Report& report, const Catalogue& catalogue,
            const RenderOptions& options, std::ostream& out);

// One line for each archive; where there is something to show, also what it holds, what survives of
// it, its findings (InReadingOrder(), with what follows from one folded under it) and what was not
// checked. At the end, over all: what is not shown or not checked, the totals by rule and a last
// line.
void RenderText(const Report& report, const Catalogue& catalogue, const RenderOptions& options,
                std::ostream& out);

// The last line of the text: "3 archives: 2 conformant, 1 not conformant (1 error, 4 warnings)".
std::string SummaryLine(const Report& report);

// Schema pmproof-report/1 (schema/report.schema.json).
void RenderJson(const Report& report, const Catalogue& catalogue, const RenderOptions& options,
                std::ostream& out);

// The same objects one a line, each with its "type": header, finding, archive (after its findings,
// which name it) and footer.
void RenderJsonLines(const Report& report, const Catalogue& catalogue, const RenderOptions& options,
                     std::ostream& out);

// The document of RenderJson without blanks, with each archive's part on a line of its own, for who
// hands these on and does not read them. What that one needs to know of each stands in "batch" at
// the end, with the digest of the line (schema/report.schema.json).
void RenderBatch(const Report& report, const Catalogue& catalogue, const RenderOptions& options,
                 std::ostream& out);

// SARIF 2.1.0: regions are byte offsets into the uncompressed file. A finding has the same
// fingerprint in each run.
void RenderSarif(const Report& report, const Catalogue& catalogue, const RenderOptions& options,
                 std::ostream& out);

// A test case for each archive, which fails with its findings from `fail_on` on.
void RenderJunit(const Report& report, const RenderOptions& options, std::ostream& out);

// One page that needs no other file, for any number of archives. Draws those that have a picture.
void RenderHtml(const Report& report, const Catalogue& catalogue, const RenderOptions& options,
                std::ostream& out);

// The rule's row in the site that qa/docs/build makes.
std::string HelpUri(const std::string& docs, Clause id);

// Workflow commands of GitHub: an annotation for each root cause from `show` or `fail_on` on, and
// the last line of the text.
void RenderGithub(const Report& report, const Catalogue& catalogue, const RenderOptions& options,
                  std::ostream& out);

// Gauges in the OpenMetrics text format, which Prometheus and the textfile collector of its
// node_exporter read: archives by verdict, findings by rule, the time of the check.
void RenderOpenMetrics(const Report& report, const Catalogue& catalogue,
                       const RenderOptions& options, std::ostream& out);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_REPORT_RENDER_H_
