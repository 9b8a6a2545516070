// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/run.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <initializer_list>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "reference/core/on_threads.h"
#include "validator/agent/left_to.h"
#include "validator/agent/life_signs.h"
#include "validator/agent/subject_text.h"

namespace pmproof::validator::agent {
namespace {

using Clock = std::chrono::steady_clock;

void Tell(const Knowledge& knowledge, AgentReport* report) {
  if (knowledge.domain_known) report->domain = knowledge.domain;
  report->metrics = knowledge.metrics.size();
  report->indoms = knowledge.instances.size();
  for (const auto& [indom, instances] : knowledge.instances) report->instances += instances.size();
  report->names_from = SourceText(knowledge.source);
  report->remarks = knowledge.remarks;
}

constexpr const char* kBudgetUsedUp = "the budget of the run (--budget) was used up";

struct Made {
  CheckOutcome outcome{};
  Audit audit{};
  std::string crash{};
  bool begun = true;  // false: its agent did not get as far as the check, which failed for that
};

// Makes one check.
class Maker {
 public:
  Maker(const Subject& subject, const Knowledge& knowledge, bool record)
      : subject_(subject), knowledge_(knowledge), record_(record) {}

  Made Make(const Check& check, const std::vector<Done>& others) const {
    const auto began = Clock::now();
    Bench bench(subject_, knowledge_);
    if (record_) bench.log().Record();
    Made made{.outcome = {.id = check.id}};
    CheckOutcome& outcome = made.outcome;
    if (const auto* const alone = std::get_if<Check::Alone>(&check.run)) {
      outcome.verdict = (*alone)(bench);
    } else if (const auto* const after = std::get_if<Check::AfterAll>(&check.run)) {
      outcome.verdict = (*after)(others, bench);
    } else {
      OnSession(std::get<Check::OnSession>(check.run), bench, &made);
    }
    if (!std::holds_alternative<Check::AfterAll>(check.run) && subject_.waits->used_up()) {
      // Nothing was waited for any more, neither what is due nor what may not come.
      const bool judged = outcome.verdict.outcome != Outcome::kNotChecked;
      if (judged || !outcome.verdict.left_to.empty()) {
        outcome.verdict = Verdict::NotChecked(kBudgetUsedUp);
      }
    }
    made.crash = bench.log().crash();
    outcome.exchange = bench.log().Lines();
    outcome.said = bench.log().Outputs();
    if (record_) outcome.recording = bench.log().recording();
    outcome.bytes_sent = bench.log().bytes_sent();
    outcome.bytes_received = bench.log().bytes_received();
    outcome.took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began);
    return made;
  }

 private:
  static void OnSession(Check::OnSession run, Bench& bench, Made* made) {
    Verdict& verdict = made->outcome.verdict;
    auto session = bench.Open();
    if (!session) {
      verdict = session.error();
      made->begun = false;
      return;
    }
    verdict = run(bench, *session);
    if (verdict.passed()) {
      const Verdict probe = bench.Probe(*session);
      if (!probe.passed()) verdict = Verdict::Fail("after it " + probe.because);
    }
    // A surplus answer that comes late still comes before the end.
    if (verdict.passed()) {
      session->CloseRequests();
      session->WaitForEnd();
      made->audit = session->audit();
    }
  }

  const Subject& subject_;
  const Knowledge& knowledge_;
  const bool record_;
};

// All that is known of an agent that cannot be asked.
Knowledge KnowledgeFrom(const Discovery& discovery) {
  Knowledge knowledge;
  knowledge.domain = discovery.domain.value_or(0);
  knowledge.domain_known = discovery.domain.has_value();
  return knowledge;
}

Subject WithLimitsAfterASilence(Subject subject) {
  subject.waits = subject.waits->AfterASilence();
  return subject;
}

class Run {
 public:
  Run(const Subject& subject, const Discovery& discovery, const RunOptions& options)
      : subject_(subject),
        discovery_(discovery),
        knowledge_(KnowledgeFrom(discovery)),
        maker_(subject, knowledge_, options.record),
        waits_(*subject.waits),
        options_(options),
        jobs_(subject.pipe() ? std::max(1U, options.jobs) : 1U) {}

  // Gets to know the agent; the error is that of Discover. While it is slow to answer, `early`
  // checks, of `all`, are made, and others of it are asked for signs of life, so that little is
  // left to do if its answer never comes.
  VerdictOr<void> GetToKnow(const std::vector<const Check*>& early, std::size_t all) {
    constexpr std::chrono::milliseconds kSlow{500};
    auto met = Session::Open(subject_, 1, &log_);
    if (!met) {
      not_met_ = met.error();
      return tl::make_unexpected(met.error());
    }
    LifeSigns life_signs(WithLimitsAfterASilence(subject_), LikelyDomain(discovery_));
    std::atomic<bool> known{false};
    auto learning = std::async(std::launch::async, [&, first = *std::move(met)]() mutable {
      auto learned = Learn(subject_, discovery_, std::move(first), &life_signs, &log_);
      known = true;
      return learned;
    });
    if (jobs_ > 1 && learning.wait_for(kSlow) == std::future_status::timeout) {
      const auto wanted = [&] { return !known && !Stopped() && !waits_.used_up(); };
      std::atomic<bool> looked{false};
      std::atomic<std::size_t> next{0};
      Begin(all);
      OnThreads(jobs_, [&] {
        if (!looked.exchange(true)) life_signs.Look(wanted);
        for (std::size_t i = next++; i < early.size() && wanted(); i = next++) MakeOne(*early[i]);
      });
    }
    auto learned = learning.get();
    if (!learned) return tl::make_unexpected(learned.error());
    knowledge_ = *std::move(learned);
    return {};
  }

  // Those that wait go first, so that nothing waits for them in the end.
  void Make(std::vector<const Check*> checks, std::size_t all) {
    const auto early = [](const Check* check) {
      return check->kind == Check::kSlow ? 2 : check->kind == Check::kLong ? 1 : 0;
    };
    std::stable_sort(checks.begin(), checks.end(),
                     [&](const Check* a, const Check* b) { return early(a) > early(b); });
    Begin(all);
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < checks.size() && !Stopped() && !waits_.used_up();
           i = next++) {
        MakeOne(*checks[i]);
      }
    };
    OnThreads(std::min<std::size_t>(jobs_, checks.size()), work);
  }

  void MakeOne(const Check& check) {
    Made made = maker_.Make(check, done_);
    const std::scoped_lock lock(mutex_);
    done_.push_back({.id = check.id,
                     .verdict = made.outcome.verdict,
                     .audit = made.audit,
                     .crash = made.crash});
    if (!made.begun) not_begun_.insert(check.id);
    KeepWithin(&made.outcome);
    outcomes_[check.id] = std::move(made.outcome);
    if (options_.progress) options_.progress(done_.size(), all_);
  }

  // That agents do not get as far as a check is one failure: of the first check that saw it.
  void BlameOnce() {
    if (not_begun_.empty()) return;
    const Clause first = *not_begun_.begin();
    for (const Clause id : not_begun_) {
      if (id == first) continue;
      Verdict& verdict = outcomes_.at(id).verdict;
      verdict = Verdict::NotChecked(verdict.because + " (" + first.ToString() + ")");
    }
  }

  // An agent that fails when it is first met, and not in the check that is there for that, fails
  // now and then: that check has to say it, as no other does.
  void BlameTheFirstStart() {
    const auto made = outcomes_.find("CKA-001"_clause);
    if (!not_met_ || not_met_->outcome != Outcome::kFail || made == outcomes_.end()) return;
    if (!made->second.verdict.passed() || waits_.used_up()) return;
    made->second.verdict = Verdict::Fail("at another start of it: " + not_met_->because);
    made->second.exchange = log_.Lines();
    made->second.said = log_.Outputs();
  }

  // The first of those checks that failed, in brackets; empty: none did.
  std::string Found(std::initializer_list<Clause> checks) const {
    for (const Clause id : checks) {
      const auto made = outcomes_.find(id);
      if (made == outcomes_.end() || made->second.verdict.outcome != Outcome::kFail) continue;
      return " (" + id.ToString() + ")";
    }
    return "";
  }

  // Recordings of failures, and of what may become one (Verdict::left_to), as far as there is room.
  void KeepWithin(CheckOutcome* outcome) {
    constexpr std::size_t kMostRecorded = std::size_t{64} << 20;  // bytes of a run
    if (!outcome->recording) return;
    if (outcome->verdict.outcome != Outcome::kFail && outcome->verdict.left_to.empty()) {
      outcome->recording.reset();
    } else if (recorded_ + outcome->recording->bytes > kMostRecorded) {
      outcome->recording =
          Recording{.not_repeatable = "the exchanges of this run are longer than what is recorded"};
    } else {
      recorded_ += outcome->recording->bytes;
    }
  }

  bool Stopped() const { return options_.stop && options_.stop(); }

  const Knowledge& knowledge() const { return knowledge_; }
  std::map<Clause, CheckOutcome>& outcomes() { return outcomes_; }

 private:
  void Begin(std::size_t all) {
    all_ = all;
    if (options_.progress) options_.progress(done_.size(), all_);
  }

  const Subject& subject_;
  const Discovery& discovery_;
  Knowledge knowledge_;
  ExchangeLog log_{};
  const Maker maker_;
  const WaitLimits& waits_;
  const RunOptions& options_;
  const unsigned jobs_;
  std::optional<Verdict> not_met_{};  // why the agent that was started first was of no use
  std::size_t all_ = 0;
  std::mutex mutex_{};
  std::vector<Done> done_{};
  std::map<Clause, CheckOutcome> outcomes_{};
  std::set<Clause> not_begun_{};
  std::size_t recorded_ = 0;
};

bool Contains(const std::vector<Clause>& list, Clause id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

// Why the user does not have a check made; empty if it is.
std::string Deselected(const Check& check, const RunOptions& options) {
  if (Contains(options.removed, check.id)) return "left out by --check -" + check.id.ToString();
  if (options.added.empty() || Contains(options.added, check.id)) return "";
  return "not among those of --check";
}

std::string TooSlow(const Check& check, const RunOptions& options) {
  const bool made = check.kind != Check::kSlow || options.slow || Contains(options.added, check.id);
  return made ? "" : "it waits long; give --slow to have it made";
}

}  // namespace

AgentReport CheckAgent(const Subject& asked, const Discovery& discovery,
                       std::span<const Check> checks, const CheckCatalogue& catalogue,
                       const RunOptions& options) {
  const auto began = Clock::now();
  Subject subject = asked;
  subject.waits = std::make_shared<WaitLimits>(options.budget);
  AgentReport report{.command = subject.command.words, .transport = TransportText(subject)};
  std::map<Clause, std::string> left_out;
  std::set<Clause> deselected;
  std::vector<const Check*> chosen;
  std::vector<const Check*> early;
  for (const Check& check : checks) {
    std::string because = Deselected(check, options);
    if (!because.empty()) deselected.insert(check.id);
    if (because.empty()) because = TooSlow(check, options);
    if (!because.empty()) {
      left_out.emplace(check.id, std::move(because));
      continue;
    }
    chosen.push_back(&check);
    if (check.kind == Check::kEarly) early.push_back(&check);
  }

  Run run(subject, discovery, options);
  const auto known = run.GetToKnow(early, chosen.size());
  const bool too_late = !known && subject.waits->used_up();
  if (!known) report.failure = too_late ? kBudgetUsedUp : known.error().because;
  Tell(run.knowledge(), &report);
  if (options.knowledge != nullptr) *options.knowledge = run.knowledge();

  std::vector<Clause> out_of_reach;  // where the agent cannot be asked anything
  std::vector<const Check*> during;
  std::vector<const Check*> after;
  for (const Check* check : chosen) {
    if (!known && !check->basic()) {
      out_of_reach.push_back(check->id);
    } else if (!run.outcomes().contains(check->id)) {
      (std::holds_alternative<Check::AfterAll>(check->run) ? after : during).push_back(check);
    }
  }
  run.Make(during, chosen.size() - out_of_reach.size());
  for (const Check* check : after) {
    if (!run.Stopped()) run.MakeOne(*check);
  }
  run.BlameOnce();
  run.BlameTheFirstStart();
  SettleWhatWasLeft(&run.outcomes());
  const std::string found = run.Found({"CKA-001"_clause, "CKA-160"_clause, "CKA-005"_clause});
  for (const Clause id : out_of_reach) {
    left_out.emplace(
        id, too_late ? kBudgetUsedUp : "the agent does not get as far as its first answer" + found);
  }

  for (const Check* check : during) {
    if (!run.outcomes().contains(check->id)) left_out.emplace(check->id, kBudgetUsedUp);
  }

  for (const CheckEntry& entry : catalogue.entries()) {
    if (entry.subject != CheckEntry::Subject::kAgent) continue;
    if (const auto made = run.outcomes().find(entry.id); made != run.outcomes().end()) {
      report.checks.push_back(std::move(made->second));
      continue;
    }
    const auto reason = left_out.find(entry.id);
    report.checks.push_back(
        {.id = entry.id,
         .verdict = Verdict::NotChecked(
             reason != left_out.end() ? reason->second : "this program has no code for it"),
         .left_out = deselected.contains(entry.id)});
  }
  report.took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began);
  return report;
}

}  // namespace pmproof::validator::agent
