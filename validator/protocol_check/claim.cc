// SPDX-License-Identifier: Apache-2.0
#include "validator/protocol_check/claim.h"

#include <algorithm>
#include <string_view>

namespace pmproof::validator::agent {
namespace {

constexpr std::string_view kLeftOut = "left out by --check";

struct Required {
  std::vector<Clause> left_out{};  // by the user
  std::vector<Clause> not_made{};  // for another reason
};

Required MissingOf(const AgentReport& report, const CheckCatalogue& catalogue) {
  Required missing;
  for (const CheckOutcome& outcome : report.checks) {
    if (outcome.verdict.outcome != Outcome::kNotChecked) continue;
    const CheckEntry* const entry = catalogue.Find(outcome.id);
    if (entry != nullptr && !entry->required()) continue;
    (outcome.left_out ? missing.left_out : missing.not_made).push_back(outcome.id);
  }
  return missing;
}

// Of files the checks say what is not there.
bool HasNoMetric(const AgentReport& report) {
  return !report.collector && report.files.empty() && report.metrics == 0;
}

// Why nothing can be said of one that passed what was made of it; empty: something can.
std::string WhyUndetermined(const AgentReport& report, const CheckCatalogue& catalogue) {
  if (report.failure) {
    return report.collector ? "the collector could not be checked"
                            : "the agent could not be checked";
  }
  if (HasNoMetric(report)) return "no metric of the agent was found: give --pmns or --root";
  const Required missing = MissingOf(report, catalogue);
  if (!missing.not_made.empty()) {
    constexpr std::size_t kShown = 5;
    std::string text = missing.not_made.size() == 1 ? "a required check was not made:"
                                                    : "required checks were not made:";
    for (std::size_t i = 0; i < std::min(kShown, missing.not_made.size()); ++i) {
      text += " " + missing.not_made[i].ToString();
    }
    if (missing.not_made.size() > kShown) {
      text += " and " + std::to_string(missing.not_made.size() - kShown) + " more";
    }
    return text;
  }
  return missing.left_out.empty() ? "" : "only a selection of the checks was made";
}

std::vector<Claim::Gap> GapsOf(const AgentReport& report, const CheckCatalogue& catalogue) {
  std::vector<Claim::Gap> gaps;
  for (const CheckOutcome& outcome : report.checks) {
    if (outcome.verdict.outcome != Outcome::kNotChecked) continue;
    const CheckEntry* const entry = catalogue.Find(outcome.id);
    const std::string needs = outcome.left_out   ? std::string(kLeftOut)
                              : entry != nullptr ? std::string(entry->needs)
                                                 : std::string();
    if (needs.empty()) continue;
    const auto found = std::find_if(gaps.begin(), gaps.end(),
                                    [&](const Claim::Gap& gap) { return gap.needs == needs; });
    Claim::Gap& gap = found != gaps.end() ? *found : gaps.emplace_back(Claim::Gap{.needs = needs});
    gap.checks.push_back(outcome.id);
  }
  return gaps;
}

}  // namespace

std::string Claim::ToText() const {
  switch (kind) {
    case Kind::kConformant:
      break;
    case Kind::kNotConformant:
      return "not conformant";
    case Kind::kUndetermined:
      return "undetermined";
  }
  if (deviations == 0) return "conformant";
  return "conformant with " + std::to_string(deviations) + " declared deviation" +
         (deviations == 1 ? "" : "s");
}

Claim ClaimOf(const AgentReport& report, const CheckCatalogue& catalogue) {
  const Tally tally = TallyOf(report, catalogue);
  Claim claim{.not_covered = GapsOf(report, catalogue)};
  if (!report.failure && tally.failed.fatal + tally.failed.error > 0) {
    claim.kind = Claim::Kind::kNotConformant;
    return claim;
  }
  claim.because = WhyUndetermined(report, catalogue);
  if (claim.because.empty()) {
    claim.kind = Claim::Kind::kConformant;
    claim.deviations = tally.declared;
  }
  return claim;
}

std::string NotCoveredText(const Claim& claim) {
  std::string text;
  for (const Claim::Gap& gap : claim.not_covered) {
    text += (text.empty() ? "" : ", ") + gap.needs + " (" +
            (gap.checks.size() == 1 ? gap.checks[0].ToString()
                                    : std::to_string(gap.checks.size()) + " checks") +
            ")";
  }
  return text;
}

ExitStatus ExitStatusOf(const AgentReport& report, const CheckCatalogue& catalogue,
                        Severity fail_on) {
  if (report.failure) return ExitStatus::kTesteeFailed;
  bool any = false;
  bool failed = false;
  for (const CheckOutcome& outcome : report.checks) {
    const CheckEntry* const entry = catalogue.Find(outcome.id);
    any |= outcome.verdict.outcome != Outcome::kNotChecked;
    failed |=
        outcome.failed() && (entry != nullptr ? entry->severity : Severity::kError) >= fail_on;
  }
  if (!any) return ExitStatus::kUsage;
  if (failed || !report.list_faults.empty()) return ExitStatus::kFindings;
  if (ClaimOf(report, catalogue).kind != Claim::Kind::kUndetermined) return ExitStatus::kOk;
  const bool by_choice = !HasNoMetric(report) && MissingOf(report, catalogue).not_made.empty();
  return by_choice ? ExitStatus::kOk : ExitStatus::kBudget;
}

}  // namespace pmproof::validator::agent
