// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "validator/check/report/reading_order.h"
#include "validator/check/report/render.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

// What is written has no text of an archive in it, and as many lines as there are rules.
class Exposition {
 public:
  explicit Exposition(std::ostream& out) : out_(out) {}

  void Family(std::string_view name, std::string_view help) {
    name_ = name;
    out_ << "# HELP pmproof_" << name << ' ' << help << "\n# TYPE pmproof_" << name << " gauge\n";
  }
  // `labels` is empty, or as in {verdict="conformant"}.
  void Sample(const std::string& labels, std::uint64_t value) {
    out_ << "pmproof_" << name_ << labels << ' ' << value << '\n';
  }
  void End() { out_ << "# EOF\n"; }

 private:
  std::ostream& out_;
  std::string_view name_;
};

// An archive counts once, by the gravest that can be said of it.
void WriteVerdicts(const Report& report, Exposition& exposition) {
  std::uint64_t conformant = 0;
  std::uint64_t readable = 0;
  std::uint64_t not_readable = 0;
  std::uint64_t none = 0;
  std::uint64_t internal_errors = 0;
  for (const ArchiveReport& archive : report.archives) {
    internal_errors += archive.internal_errors.size();
    ++(archive.failure || !archive.internal_errors.empty() ? none
       : archive.conformant                                ? conformant
       : archive.readable                                  ? readable
                                                           : not_readable);
  }
  exposition.Family("archives", "Archives and sets by verdict.");
  exposition.Sample("{verdict=\"conformant\"}", conformant);
  exposition.Sample("{verdict=\"not conformant\"}", readable);
  exposition.Sample("{verdict=\"not readable\"}", not_readable);
  exposition.Sample("{verdict=\"none\"}", none);
  exposition.Family("unreadable_inputs", "Arguments and directories that could not be read.");
  exposition.Sample("", report.errors.size());
  exposition.Family("internal_errors", "Faults of pmproof itself.");
  exposition.Sample("", internal_errors);
}

void WriteTotals(const Report& report, Exposition& exposition) {
  const std::vector<RuleTotal> totals = TotalsByRule(report);
  const auto labels = [](const RuleTotal& total) {
    return "{rule=\"" + total.rule.ToString() + "\",severity=\"" + ToText(total.severity) + "\"}";
  };
  exposition.Family("findings", "Findings by rule.");
  for (const RuleTotal& total : totals) exposition.Sample(labels(total), total.findings);
  exposition.Family("archives_with_findings", "Archives with findings of a rule.");
  for (const RuleTotal& total : totals) exposition.Sample(labels(total), total.archives);
}

void WritePolicy(const Report& report, Exposition& exposition) {
  if (!report.policy) return;
  const Counts counts = PolicyCounts(report);
  exposition.Family("policy_findings", "Findings of the policy.");
  exposition.Sample("{severity=\"error\"}", counts.error);
  exposition.Sample("{severity=\"warning\"}", counts.warning);
  exposition.Sample("{severity=\"info\"}", counts.info);
}

}  // namespace

void RenderOpenMetrics(const Report& report, const Catalogue& catalogue,
                       const RenderOptions& options, std::ostream& out) {
  Exposition exposition(out);
  WriteVerdicts(report, exposition);
  WriteTotals(report, exposition);
  WritePolicy(report, exposition);
  exposition.Family("last_check_timestamp_seconds", "When the check was made.");
  exposition.Sample("", static_cast<std::uint64_t>(options.time.seconds));
  exposition.Family("check_info", "What was checked with.");
  exposition.Sample("{version=\"" + std::string(kVersion) + "\",rules=\"" +
                        std::string(catalogue.digest()) + "\",profile=\"" + ToText(report.profile) +
                        "\"}",
                    1);
  exposition.End();
}

}  // namespace pmproof::validator
