// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/replay/judge.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <variant>

#include "validator/agent/check.h"
#include "validator/agent/replay/transcript.h"

namespace pmproof::validator::agent {
namespace {

struct Outcomes {
  Verdict verdict{};
  bool left = false;  // the check went on where the exchange does not
};

// A failure, or what becomes one where nobody else reports it.
bool IsOffence(const Verdict& verdict) {
  return verdict.outcome == Outcome::kFail || !verdict.left_to.empty();
}

Verdict Make(const Check& check, Bench& bench) {
  if (const auto* const alone = std::get_if<Check::Alone>(&check.run)) return (*alone)(bench);
  auto session = bench.Open();
  if (!session) return session.error();
  Verdict verdict = std::get<Check::OnSession>(check.run)(bench, *session);
  if (!verdict.passed()) return verdict;
  const Verdict probe = bench.Probe(*session);
  return probe.passed() ? verdict : Verdict::Fail("after it " + probe.because);
}

Outcomes MakeOn(const Check& check, const ExchangeFile& file, const Limits& limits,
                const std::vector<ExchangeStep>& steps) {
  Subject subject{.limits = limits, .says_ready = file.says_ready};
  subject.command.words = file.command;
  subject.limits.late = subject.limits.counter = subject.limits.piece = Limits::Duration(0);
  std::unique_ptr<Transcript> transcript;
  subject.in_memory = [&](const pmda::AgentCommand&) { return transcript->Start(); };
  Outcomes outcomes;
  Bench bench(subject, file.known);
  bench.log().Record();
  transcript = std::make_unique<Transcript>(steps, bench.log());
  outcomes.verdict = Make(check, bench);
  outcomes.left = transcript->left();
  return outcomes;
}

// A check that asked nothing after the handshake judged what was known of the agent before.
bool AskedNothing(const Check& check, const ExchangeFile& file,
                  const std::vector<ExchangeStep>& steps) {
  if (!std::holds_alternative<Check::OnSession>(check.run)) return false;
  const std::ptrdiff_t handshake = file.says_ready ? 2 : 1;
  return std::ranges::count(steps, ExchangeStep::Kind::kReceived, &ExchangeStep::kind) <=
             handshake &&
         std::ranges::none_of(steps, [](const ExchangeStep& step) {
           return step.kind == ExchangeStep::Kind::kNoPdu ||
                  step.kind == ExchangeStep::Kind::kNothing ||
                  step.kind == ExchangeStep::Kind::kEndOfFile;
         });
}

// Without what numbers it tells, which may be values, how long there was no answer, and what the
// agent's log says of its end.
std::string WithoutNumbers(std::string text) {
  constexpr std::string_view kWaited = " (within ";
  for (std::size_t at = 0; (at = text.find(kWaited, at)) != std::string::npos;) {
    const std::size_t end = text.find(')', at);
    text.erase(at, end == std::string::npos ? end : end + 1 - at);
  }
  const std::size_t log = text.find("; its log ends: ");
  if (log != std::string::npos) {
    const std::size_t end = text.rfind(')');
    text.erase(log, end == std::string::npos || end < log ? end : end - log);
  }
  std::string kept;
  for (const char c : text) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (!digit) {
      kept += c;
    } else if (kept.empty() || kept.back() != '#') {
      kept += '#';
    }
  }
  return kept;
}

// `settled` ends with what became of what was left to other checks.
bool SameOffence(const std::string& recorded, const std::string& now) {
  return WithoutNumbers(recorded).starts_with(WithoutNumbers(now)) ||
         WithoutNumbers(now).starts_with(WithoutNumbers(recorded));
}

}  // namespace

Judgement Judge(const RecordedFailure& failure, const ExchangeFile& file,
                const std::vector<ExchangeStep>& now, const Limits& limits) {
  const auto unknown = [](std::string because) {
    return Judgement{Judgement::Kind::kUnknown, std::move(because)};
  };
  if (!failure.recording.not_repeatable.empty()) return unknown(failure.recording.not_repeatable);
  const std::vector<Check> checks = AllChecks();
  const auto check = std::ranges::find(checks, failure.check, &Check::id);
  if (check == checks.end()) return unknown("there is no such check of agents");
  if (std::holds_alternative<Check::AfterAll>(check->run)) {
    return unknown("the check judges what happened in all others");
  }
  if (AskedNothing(*check, file, failure.recording.steps)) {
    return unknown("what the check saw is not in what was exchanged");
  }
  const Outcomes then = MakeOn(*check, file, limits, failure.recording.steps);
  if (then.left || !IsOffence(then.verdict) ||
      !SameOffence(failure.verdict.because, then.verdict.because)) {
    return unknown("what the check saw is not in what was exchanged");
  }
  const Outcomes again = MakeOn(*check, file, limits, now);
  if (again.left)
    return {Judgement::Kind::kNotSeen, "with these answers the check takes another course"};
  if (!IsOffence(again.verdict)) {
    const bool passes = again.verdict.passed();
    return {Judgement::Kind::kNotSeen,
            passes ? "the check passes" : "there is nothing to check: " + again.verdict.because};
  }
  const bool same = SameOffence(failure.verdict.because, again.verdict.because);
  return {same ? Judgement::Kind::kAgain : Judgement::Kind::kAnother, again.verdict.because};
}

}  // namespace pmproof::validator::agent
