// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/asking.h"
#include "validator/agent/check.h"
#include "validator/agent/exit_text.h"

// 16.1 Start and end: the handshake, and every way to end. Starting again and again, and what only
// sockets have, is in restart_checks.cc.

namespace pmproof::validator::agent {
namespace {

// CKA-001
Verdict CredsComeFirst(Bench& bench) {
  auto session = bench.Start();
  if (!session) return session.error();
  const auto creds = session->ReceiveCreds();
  if (!creds) return creds.error();
  if (creds->version.version() == pdu::kProtocolVersion) return Verdict::Pass();
  return Verdict::Fail("the agent's CREDS have version " +
                       std::to_string(creds->version.version()) + ", where 2 is due");
}

// A fresh agent whose CREDS have come. Without them nothing here can be looked at.
struct Greeted {
  Session session;
  AgentCreds creds;
};
VerdictOr<Greeted> Greet(Bench& bench) {
  auto session = bench.Start();
  if (!session) return LeftTo({"CKA-001"_clause, "CKA-160"_clause}, session.error());
  const auto creds = session->ReceiveCreds();
  if (!creds) return LeftTo({"CKA-001"_clause}, creds.error());
  return Greeted{*std::move(session), *creds};
}

// CKA-002
Verdict NothingFollowsCreds(Bench& bench) {
  auto greeted = Greet(bench);
  if (!greeted) return greeted.error();
  Session& session = greeted->session;
  const Answer answer = session.Next(bench.limits().quiet);
  if (answer.kind() != Answer::Kind::kNothing) {
    return Verdict::Fail("after its CREDS, before pmcd's, the agent gives " + answer.ToText());
  }
  if (!session.unread().empty()) {
    return Verdict::Fail("after its CREDS, before pmcd's, the agent writes " +
                         std::to_string(session.unread().size()) + " bytes");
  }
  return Verdict::Pass();
}

// CKA-003
Verdict CredsNameTheProcess(Bench& bench) {
  auto greeted = Greet(bench);
  if (!greeted) return greeted.error();
  const std::int32_t from = greeted->creds.from;
  if (from <= 0) {
    return Verdict::Fail("the CREDS come from " + std::to_string(from) +
                         ", which is not a process");
  }
  const pid_t process = greeted->session.process();
  if (from == process) return Verdict::Pass();
  return Verdict::Pass("the CREDS come from process " + std::to_string(from) +
                       ", the process started is " + std::to_string(process));
}

// CKA-004
Verdict CredsAskForKnownFeatures(Bench& bench) {
  auto greeted = Greet(bench);
  if (!greeted) return greeted.error();
  constexpr unsigned kKnown = pdu::kFeatureAuth | pdu::kFeatureContainer;
  const unsigned unknown = greeted->creds.version.flags() & ~kKnown;
  if (unknown == 0) return Verdict::Pass();
  char text[8];
  std::snprintf(text, sizeof text, "0x%04x", unknown);
  return Verdict::Fail("the CREDS ask for " + std::string(text) +
                       ", which is not a feature for agents");
}

// What follows pmcd's CREDS.
Verdict Serves(Bench& bench, Session& session) {
  if (const auto ready = session.BecomeReady(); !ready) {
    return LeftTo({"CKA-160"_clause}, ready.error()).value();
  }
  session.Send(pdu::Profile{});
  return bench.Probe(session);
}

Verdict ServesVersion(Bench& bench, std::uint8_t version) {
  auto greeted = Greet(bench);
  if (!greeted) return greeted.error();
  greeted->session.SendCreds(version);
  Verdict verdict = Serves(bench, greeted->session);
  if (verdict.outcome == Outcome::kFail) {
    verdict.because = "after CREDS of version " + std::to_string(version) + " " + verdict.because;
  }
  return verdict;
}

// CKA-005
Verdict ServesVersion2(Bench& bench) { return ServesVersion(bench, 2); }

// CKA-006
Verdict ServesVersions1And3(Bench& bench) {
  const Verdict verdict = ServesVersion(bench, 1);
  return verdict.passed() ? ServesVersion(bench, 3) : verdict;
}

// CKA-007
Verdict IgnoresUnknownCredentials(Bench& bench) {
  auto greeted = Greet(bench);
  if (!greeted) return greeted.error();
  const pdu::Credential credentials[] = {pdu::Credential::Version(pdu::kProtocolVersion, 0),
                                         {.type = 9, .bytes = {1, 2, 3}}};
  greeted->session.Send(pdu::Creds{.credentials = credentials});
  return Serves(bench, greeted->session);
}

// CKA-008
Verdict WaitsForLateCreds(Bench& bench) {
  auto greeted = Greet(bench);
  if (!greeted) return greeted.error();
  const Answer answer = greeted->session.Next(bench.limits().late);
  if (answer.kind() != Answer::Kind::kNothing) {
    return Verdict::Fail("waiting for pmcd's CREDS the agent gives " + answer.ToText());
  }
  greeted->session.SendCreds();
  return Serves(bench, greeted->session);
}

// What must come of a closed request channel: the process ends by itself, and, where nothing is
// owed to the driver (CKA-010, CKA-011), the agent says nothing more.
Verdict Ends(Session& session, bool silently = true) {
  const Session::Ended ended = session.WaitForEnd();
  if (!ended.in_time) return Verdict::Fail("the request channel is closed: " + ended.text);
  if (IsCrash(*ended.exit)) {
    return Verdict::Fail("the request channel is closed: the agent ends with " + ended.text);
  }
  if (silently && ended.surplus > 0) {
    return Verdict::Fail("the request channel is closed: the agent still writes " +
                         std::to_string(ended.surplus) + " bytes");
  }
  return Verdict::Pass(ended.exit->success() ? "" : "the agent ends with " + ended.text);
}

// CKA-009
Verdict EndsDuringHandshake(Bench& bench) {
  auto greeted = Greet(bench);
  if (!greeted) return greeted.error();
  greeted->session.CloseRequests();
  return Ends(greeted->session, /*silently=*/false);
}

// CKA-010
Verdict EndsWhileIdle(Bench& bench) {
  auto session = bench.Open();
  if (!session) return LeftTo({"CKA-001"_clause, "CKA-160"_clause}, session.error()).value();
  if (const Verdict probe = bench.Probe(*session); !probe.passed()) {
    return LeftTo({"CKA-005"_clause}, probe).value();
  }
  session->CloseRequests();
  return Ends(*session);
}

// CKA-011
Verdict EndsInsideAPdu(Bench& bench) {
  // DESC_REQ: five bytes of its header, and its header alone.
  static constexpr std::uint8_t kDescReq[pdu::kHeaderSize] = {0, 0, 0, 16, 0, 0, 0x70, 4};
  for (const std::size_t size : {std::size_t{5}, pdu::kHeaderSize}) {
    auto session = bench.Open();
    if (!session) return LeftTo({"CKA-001"_clause, "CKA-160"_clause}, session.error()).value();
    session->Send(Bytes(kDescReq).first(size));
    session->CloseRequests();
    Verdict verdict = Ends(*session);
    if (verdict.passed()) continue;
    verdict.because = std::to_string(size) + " bytes of a PDU were sent, then " + verdict.because;
    return verdict;
  }
  return Verdict::Pass();
}

// CKA-012
Verdict SurvivesBrokenReplies(Bench& bench) {
  auto session = bench.Open();
  if (!session) return LeftTo({"CKA-001"_clause, "CKA-160"_clause}, session.error()).value();
  const auto metric = bench.knowledge().Singular();
  const Pmid pmid = metric ? (*metric)->pmid : Pmid::Of(bench.knowledge().domain, 0, 0);
  // What was asked before has been answered, so that it is this answer that cannot be written.
  if (const Verdict probe = bench.Probe(*session); !probe.passed()) {
    return LeftTo({"CKA-005"_clause}, probe).value();
  }
  session->CloseReplies();
  session->Send(pdu::Fetch{.pmids = std::span(&pmid, 1)});
  session->CloseRequests();
  const Session::Ended ended = session->WaitForEnd();
  const std::string after =
      "the reply channel is closed, a FETCH sent, the request channel closed: ";
  if (!ended.in_time) return Verdict::Fail(after + ended.text);
  if (IsCrash(*ended.exit)) return Verdict::Fail(after + "the agent ends with " + ended.text);
  return Verdict::Pass(ended.exit->success() ? "" : "the agent ends with " + ended.text);
}

// CKA-013
Verdict StandardOutputCarriesPdus(Bench& bench) {
  if (!bench.subject().pipe()) {
    return Verdict::NotChecked("the agent talks over a socket: its standard output is the log");
  }
  auto session = bench.Start();
  if (!session) return LeftTo({"CKA-001"_clause, "CKA-160"_clause}, session.error()).value();
  const Answer first = session->First();
  if (first.is_pdu()) return Verdict::Pass();
  if (first.kind() == Answer::Kind::kNoFraming || !session->unread().empty()) {
    return Verdict::Fail("standard output begins with what is not a PDU: " + first.ToText());
  }
  return LeftTo({"CKA-001"_clause}, "nothing comes on standard output: " + first.ToText()).value();
}

constexpr Check kChecks[] = {
    {"CKA-001"_clause, CredsComeFirst, Check::kEarly},
    {"CKA-002"_clause, NothingFollowsCreds, Check::kEarly},
    {"CKA-003"_clause, CredsNameTheProcess, Check::kEarly},
    {"CKA-004"_clause, CredsAskForKnownFeatures, Check::kEarly},
    {"CKA-005"_clause, ServesVersion2, Check::kBasic},
    {"CKA-006"_clause, ServesVersions1And3},
    {"CKA-007"_clause, IgnoresUnknownCredentials},
    {"CKA-008"_clause, WaitsForLateCreds, Check::kSlow},
    {"CKA-009"_clause, EndsDuringHandshake, Check::kEarly},
    {"CKA-010"_clause, EndsWhileIdle},
    {"CKA-011"_clause, EndsInsideAPdu},
    {"CKA-012"_clause, SurvivesBrokenReplies},
    {"CKA-013"_clause, StandardOutputCarriesPdus, Check::kEarly},
};

}  // namespace

std::span<const Check> StartAndEndChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
