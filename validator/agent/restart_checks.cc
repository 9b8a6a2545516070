// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "reference/pmda/transport/connect.h"
#include "reference/pmda/transport/leftover_files.h"
#include "reference/pmda/transport/listen.h"
#include "validator/agent/asking.h"
#include "validator/agent/check.h"
#include "validator/agent/environment_with.h"
#include "validator/protocol_check/offences.h"

// 16.1, what shows only when an agent is started more than once, or in another way.

namespace pmproof::validator::agent {
namespace {

using pmda::Address;
using pmda::Deadline;

std::string Listed(const std::vector<std::string>& texts) {
  std::string text;
  for (const std::string& item : texts) text += (text.empty() ? "" : ", ") + item;
  return text;
}

// One start and end; what goes wrong.
VerdictOr<void> Cycle(Bench& bench, const Subject& subject) {
  auto session = bench.Start(subject);
  if (!session) return tl::make_unexpected(session.error());
  if (const auto creds = session->ReceiveCreds(); !creds) {
    return tl::make_unexpected(creds.error());
  }
  session->CloseRequests();
  const Session::Ended ended = session->WaitForEnd();
  if (!ended.in_time) return Failed("the request channel is closed: " + ended.text);
  const pmda::Ending ending = session->End({});
  if (!ending.left_behind.empty()) {
    return Failed("the agent leaves process " + ending.left_behind.front().ToText());
  }
  return {};
}

// CKA-014
Verdict StartsAndStopsCleanly(Bench& bench) {
  const auto scratch = pmda::ScratchDirectory::Make();
  if (!scratch) return Verdict::NotChecked(scratch.error().ToText());
  Subject subject = bench.subject();
  subject.command.environment = EnvironmentWith(subject.command, "TMPDIR", scratch->path());
  const auto before = pmda::DirectorySnapshot::Take({scratch->path()});
  for (std::size_t i = 1; i <= bench.limits().cycles; ++i) {
    if (const auto cycle = Cycle(bench, subject); !cycle) {
      return Verdict::Fail("start " + std::to_string(i) + " of " +
                           std::to_string(bench.limits().cycles) + ": " + cycle.error().because);
    }
  }
  const auto left = pmda::DirectorySnapshot::Take({scratch->path()}).NewSince(before);
  if (left.empty()) return Verdict::Pass();
  return Verdict::Fail("the agent leaves files in TMPDIR: " + Listed(left));
}

// CKA-015
Verdict RefusesASecondConnection(Bench& bench) {
  if (bench.subject().pipe()) return Verdict::NotChecked("the agent talks over a pipe");
  auto session = bench.Open();
  if (!session) return LeftTo({"CKA-001"_clause, "CKA-160"_clause}, session.error()).value();
  const auto second = pmda::Connect(*bench.subject().address, Deadline::Passed());
  session->log().Event(session->number(), second
                                              ? "a second connection is accepted"
                                              : "a second connection: " + second.error().ToText());
  if (second) return Verdict::Fail("a second connection is accepted while the first is open");
  return bench.Probe(*session);
}

// CKA-016
Verdict BindsAgain(Bench& bench) {
  if (bench.subject().pipe() || bench.subject().address->kind == Address::Kind::kUnix) {
    return Verdict::NotChecked("the agent does not listen on inet or ipv6");
  }
  {
    auto session = bench.Start();
    if (!session) return LeftTo({"CKA-001"_clause, "CKA-160"_clause}, session.error()).value();
    const auto creds = session->ReceiveCreds();
    if (!creds) return LeftTo({"CKA-001"_clause}, creds.error()).value();
    // The end that closes first keeps the port for a while; here that is the agent.
    session->Kill();
  }
  auto again = bench.Start();
  if (!again) return Verdict::Fail("started again at once, " + again.error().because);
  const auto creds = again->ReceiveCreds();
  if (!creds) return Verdict::Fail("started again at once: " + creds.error().because);
  return Verdict::Pass();
}

// CKA-017
Verdict ReplacesAStaleSocket(Bench& bench) {
  if (bench.subject().pipe() || bench.subject().address->kind != Address::Kind::kUnix) {
    return Verdict::NotChecked("the agent does not listen on a unix socket");
  }
  // The file stays when the listener goes.
  if (const auto stale = pmda::Listener::Open(*bench.subject().address); !stale) {
    return Verdict::NotChecked(stale.error().ToText());
  }
  auto session = bench.Start();
  if (!session) {
    return Verdict::Fail("with a stale socket file in its place " + session.error().because);
  }
  const auto creds = session->ReceiveCreds();
  return creds ? Verdict::Pass() : creds.error();
}

// What is wrong with what the agent says of one metric under its other PMID.
VerdictOr<void> HasDomain(Session& session, const KnownMetric& metric, std::uint32_t domain) {
  const Pmid pmid = Pmid::Of(domain, metric.pmid.cluster(), metric.pmid.item());
  const auto answer = session.Expect<pdu::Desc>(pdu::DescReq{pmid});
  if (!answer) return tl::make_unexpected(answer.error());
  const Descriptor& descriptor = answer->As<pdu::Desc>()->descriptor;
  if (descriptor.pmid.domain() != domain) {
    return Failed("the descriptor of " + ToText(pmid) + " has PMID " + ToText(descriptor.pmid));
  }
  if (!descriptor.indom.IsNull() && descriptor.indom.domain() != domain) {
    return Failed("the descriptor of " + ToText(pmid) + " has instance domain " +
                  ToText(descriptor.indom));
  }
  return {};
}

VerdictOr<void> HasDomain(Session& session, Indom known, std::uint32_t domain) {
  const Indom indom = Indom::Of(domain, known.serial());
  const auto answer = session.Expect<pdu::Instance>(pdu::InstanceReq{.indom = indom});
  if (!answer) return tl::make_unexpected(answer.error());
  const Indom said = answer->As<pdu::Instance>()->indom;
  if (said == indom) return {};
  return Failed("the instances of " + ToText(indom) + " are said to be of " + ToText(said));
}

// CKA-018
Verdict UsesTheDomainItIsGiven(Bench& bench) {
  const Knowledge& knowledge = bench.knowledge();
  if (const auto any = knowledge.AnyMetric(); !any) return any.error();
  const std::uint32_t domain = knowledge.domain == 77 ? 78 : 77;
  const Subject subject = With(bench.subject(), {"-d", std::to_string(domain)});
  auto session = bench.Open(subject);
  if (!session) {
    return Verdict::NotChecked("the agent does not take -d " + std::to_string(domain) +
                               " after its command: " + session.error().because);
  }
  // What it answers wrongly under its own domain, too, is not for want of the other one.
  auto own = bench.Open();
  std::string left;
  Offences offences;
  // After an answer that did not come the next one cannot be told from it.
  const auto go_on = [&](const auto& what) {
    const VerdictOr<void> has = HasDomain(*session, what, domain);
    if (has) return true;
    if (own && !own->lost() && !HasDomain(*own, what, knowledge.domain)) {
      if (left.empty()) left = has.error().because;
    } else if (offences.Add("started with -d " + std::to_string(domain) + ": " +
                            has.error().because)) {
      bench.log().Offence(session->number());
    }
    return !session->lost();
  };
  for (const KnownMetric& metric : knowledge.metrics) {
    if (!go_on(metric)) break;
  }
  for (const auto& [indom, instances] : knowledge.instances) {
    if (session->lost() || !go_on(indom)) break;
  }
  if (left.empty()) return offences.Or(Verdict::Pass());
  return offences.Or(LeftTo({"CKA-030"_clause, "CKA-080"_clause}, left).value());
}

constexpr Check kChecks[] = {
    {"CKA-014"_clause, StartsAndStopsCleanly, Check::kLong},
    {"CKA-015"_clause, RefusesASecondConnection},
    {"CKA-016"_clause, BindsAgain},
    {"CKA-017"_clause, ReplacesAStaleSocket},
    {"CKA-018"_clause, UsesTheDomainItIsGiven},
};

}  // namespace

std::span<const Check> RestartChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
