// SPDX-License-Identifier: Apache-2.0
#include "validator/collector/checks.h"

#include <algorithm>

namespace pmproof::validator::collector {
namespace {

constexpr Clause kRestart = "CKC-062"_clause;
constexpr std::uint16_t kFirstWithAgents = 45;

// Requests first, then what agents do. The first agent that is dropped is started again at once,
// all others only after a minute (PMD-044): CKC-062 comes before any other check that has one
// dropped. What waits for seconds comes last.
int Turn(const Check& check) {
  if (check.id == kRestart) return 1;
  const std::uint16_t number = check.id.number();
  if (number == 42 || number == 51 || number == 52 || number == 59) return 3;
  return number < kFirstWithAgents ? 0 : 2;
}

CheckResult Run(const CollectorUnderTest& subject, const Check& check) {
  const auto begin = std::chrono::steady_clock::now();
  CheckResult result{.id = check.id};
  Trial trial(subject, &result.log);
  check.run(trial);
  result.verdict = trial.verdict();
  result.took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begin);
  return result;
}

}  // namespace

std::vector<Check> AllChecks() {
  std::vector<Check> checks;
  for (const auto part : {SetupChecks(), FetchChecks(), FramingChecks(), MetadataChecks(),
                          NameChecks(), StoreChecks(), ProfileChecks(), AnswerChecks(),
                          SilenceChecks(), StateChecks(), ConnectionChecks()}) {
    checks.insert(checks.end(), part.begin(), part.end());
  }
  std::ranges::sort(checks, {}, &Check::id);
  return checks;
}

std::vector<CheckResult> RunChecks(const CollectorUnderTest& subject, std::span<const Check> checks,
                                   const Turns& turn) {
  std::vector<Check> turns(checks.begin(), checks.end());
  const auto is_restart = [](const Check& check) { return check.id == kRestart; };
  const bool prepare =
      std::ranges::none_of(turns, is_restart) && std::ranges::any_of(turns, [](const Check& check) {
        return check.id.number() > kFirstWithAgents;
      });
  if (prepare) {
    const auto all = AllChecks();
    turns.push_back(*std::ranges::find_if(all, is_restart));
  }
  std::ranges::stable_sort(turns, {}, Turn);
  std::vector<CheckResult> results;
  bool alive = true;
  for (const Check& check : turns) {
    if (turn && !turn(results.size(), turns.size())) return {};
    if (!alive) {
      results.push_back(
          {.id = check.id,
           .verdict = agent::Verdict::NotChecked("the collector does not answer any more, since " +
                                                 results.back().id.ToString())});
      continue;
    }
    CheckResult result = Run(subject, check);
    if (!result.verdict.passed()) alive = !WhyUnreachable(subject);
    if (!alive && result.verdict.outcome == agent::Outcome::kFail) {
      result.verdict.because += "; the collector does not answer any more";
    }
    results.push_back(std::move(result));
  }
  std::erase_if(results, [&](const CheckResult& result) {
    return std::ranges::none_of(checks, [&](const Check& check) { return check.id == result.id; });
  });
  std::ranges::sort(results, {}, &CheckResult::id);
  return results;
}

std::optional<std::string> WhyUnreachable(const CollectorUnderTest& subject) {
  agent::ExchangeLog log;
  Trial trial(subject, &log);
  trial.ExpectUsable(trial.Connect(), "set-up");
  if (trial.verdict().passed()) return std::nullopt;
  return trial.verdict().because;
}

std::optional<Version> AskVersion(const CollectorUnderTest& subject) {
  agent::ExchangeLog log;
  Trial trial(subject, &log);
  Client& client = trial.Connect();
  const Answer names = client.Ask(NamesOf({"pmcd.version"}));
  const auto* const ids = names.As<pdu::PmnsIds>();
  if (ids == nullptr || ids->pmids.size() != 1) return std::nullopt;
  const Fetched fetched = client.Fetch(FetchOf(0, {ids->pmids[0]}));
  const auto* const result = fetched.answer.As<pdu::Result>();
  if (result == nullptr || result->sets.size() != 1 || result->sets[0].values.size() != 1) {
    return std::nullopt;
  }
  return Version::Parse(UpToNul(AsText(result->sets[0].values[0].body)));
}

}  // namespace pmproof::validator::collector
