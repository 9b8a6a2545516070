// SPDX-License-Identifier: Apache-2.0
#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "reference/pmda/pdu/error_codes.h"
#include "validator/agent/asking.h"
#include "validator/agent/broken_pdus.h"
#include "validator/agent/check.h"
#include "validator/agent/offence_walk.h"

// 16.6, what an agent announces by itself, and where it runs.

namespace pmproof::validator::agent {
namespace {

// CKA-159
Verdict NotReadyIsSaidOnce(Bench& bench, Session& session) {
  const Pmid pmid = Pmid::Of(bench.knowledge().domain, 0, 0);
  const pdu::DescReq request{
      bench.knowledge().metrics.empty() ? pmid : bench.knowledge().metrics.front().pmid};
  if (!IsError(session.AskOnce(request), pdu::kErrPmdaNotReady)) {
    return Verdict::NotChecked("the agent did not say that it is not ready");
  }
  session.ExpectMore(1);
  if (const auto ready = session.ReceiveReady(); !ready) return ready.error();
  const Answer answer = session.AskOnce(request);
  if (answer.is_pdu() && !IsError(answer, pdu::kErrPmdaNotReady)) return Verdict::Pass();
  return Verdict::Fail("ready, the agent gives " + answer.ToText() + " to " + Brief(request));
}

// CKA-160
Verdict ReadyIsSaidUnasked(Bench& bench) {
  if (!bench.subject().says_ready) {
    return Verdict::NotChecked("the agent's entry is not said to have `notready` (--notready)");
  }
  auto session = bench.Start();
  if (!session) return session.error();
  if (const auto creds = session->ReceiveCreds(); !creds) return creds.error();
  session->SendCreds();
  if (const auto ready = session->ReceiveReady(); !ready) return ready.error();
  return bench.Probe(*session);
}

// Everything that the two bits of a fetch's reply are about.
class Announced {
 public:
  explicit Announced(const Knowledge& knowledge) : knowledge_(knowledge) {}

  struct State {
    std::string labels{};
    std::string names{};
  };
  // As the agent has it now, in the bytes of its replies.
  State Ask(Session& session) const {
    State state;
    const auto labels = [&](std::uint32_t identifier, LabelClass label_class) {
      const Answer answer =
          session.Ask(pdu::LabelReq{identifier, static_cast<std::uint32_t>(label_class)});
      state.labels += AsText(answer.bytes());
    };
    labels(knowledge_.domain, LabelClass::kDomain);
    for (const auto& [indom, instances] : knowledge_.instances) {
      labels(indom.value, LabelClass::kIndom);
      labels(indom.value, LabelClass::kInstances);
    }
    std::set<std::uint32_t> clusters;
    for (std::size_t i = 0; i < knowledge_.metrics.size() && i < kMostMetrics; ++i) {
      const Pmid pmid = knowledge_.metrics[i].pmid;
      labels(pmid.value, LabelClass::kItem);
      if (clusters.insert(pmid.cluster()).second) labels(pmid.value, LabelClass::kCluster);
    }
    state.names = AsText(session.Ask(pdu::PmnsTraverse{.name = knowledge_.root}).bytes());
    return state;
  }

 private:
  static constexpr std::size_t kMostMetrics = 100;

  const Knowledge& knowledge_;
};

// CKA-161
Verdict AnnouncedChangesHappened(Bench& bench, Session& session) {
  constexpr int kFetches = 10;
  const auto metric = ProbeMetric(bench);
  if (!metric) return metric.error();
  const Pmid pmid = (*metric)->pmid;
  const pdu::Fetch fetch{.pmids = std::span(&pmid, 1)};
  const Announced announced(bench.knowledge());
  int changes = 0;
  OffenceWalk offences(bench, session);
  Announced::State before = announced.Ask(session);
  for (int i = 0; i < kFetches; ++i) {
    const auto answer = session.Expect<pdu::Result>(fetch);
    if (!answer)
      return offences.Or(LeftTo({"CKA-034"_clause, "CKA-035"_clause}, answer.error()).value());
    const std::int32_t seconds = answer->As<pdu::Result>()->seconds;
    Announced::State after = announced.Ask(session);
    // What is announced with the first reply may have changed before anybody asked.
    if (i > 0 && (seconds & pdu::kLabelsChanged) != 0 && before.labels == after.labels) {
      offences.Note("a reply says that labels changed, and they are what they were");
    }
    if (i > 0 && (seconds & pdu::kNamesChanged) != 0 && before.names == after.names) {
      offences.Note("a reply says that names changed, and they are what they were");
    }
    if ((seconds & (pdu::kLabelsChanged | pdu::kNamesChanged)) != 0) ++changes;
    before = std::move(after);
  }
  if (changes == 0) {
    return Verdict::NotChecked("the agent announced no change in " + std::to_string(kFetches) +
                               " fetches");
  }
  return offences.Or(Verdict::Pass(std::to_string(changes) + " of " + std::to_string(kFetches) +
                                   " replies announced a change"));
}

// The files that a command names by a path, which are made absolute, as the agent will run
// elsewhere.
std::vector<std::string> FilesOf(std::vector<std::string>* words) {
  std::vector<std::string> files;
  for (std::string& word : *words) {
    std::error_code error;
    if (word.find('/') == std::string::npos || !std::filesystem::exists(word, error)) continue;
    word = std::filesystem::absolute(word, error).string();
    files.push_back(word);
  }
  return files;
}

// Whether this process may start a command as that user: root may not in a user namespace or
// without the capability, and the command's files may be out of that user's reach, which says
// nothing of the agent.
bool MayRunAs(const pmda::Identity& who, const std::vector<std::string>& files) {
  const pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) {
    const bool may = setgroups(who.groups.size(), who.groups.data()) == 0 &&
                     setresgid(who.group, who.group, who.group) == 0 &&
                     setresuid(who.user, who.user, who.user) == 0 &&
                     std::ranges::all_of(files, [](const std::string& file) {
                       return access(file.c_str(), R_OK) == 0;
                     });
    _exit(may ? 0 : 1);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// CKA-162
Verdict ItRunsAnywhere(Bench& bench) {
  Subject elsewhere = bench.subject();
  if (elsewhere.command.words.empty()) return Verdict::NotChecked("no command starts this agent");
  const std::vector<std::string> files = FilesOf(&elsewhere.command.words);
  const char* const path = std::getenv("PATH");
  elsewhere.command.environment = {std::string("PATH=") +
                                   (path != nullptr ? path : "/usr/bin:/bin")};
  elsewhere.command.directory = "/";
  std::string who = "as the same user";
  if (const auto nobody = pmda::LookUpUser("nobody");
      geteuid() == 0 && nobody && MayRunAs(*nobody, files)) {
    elsewhere.command.user = *nobody;
    who = "as nobody";
  }
  auto session = bench.Open(elsewhere);
  if (!session)
    return Verdict::Fail(who + ", in /, without environment: " + session.error().because);
  Verdict verdict = bench.Probe(*session);
  verdict.because = verdict.passed() ? "ran " + who + ", in /, without environment"
                                     : who + ", in /, without environment: " + verdict.because;
  return verdict;
}

constexpr Check kChecks[] = {
    {"CKA-159"_clause, NotReadyIsSaidOnce},
    {"CKA-160"_clause, ReadyIsSaidUnasked, Check::kBasic},
    {"CKA-161"_clause, AnnouncedChangesHappened},
    {"CKA-162"_clause, ItRunsAnywhere},
};

}  // namespace

std::span<const Check> ReadinessChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
