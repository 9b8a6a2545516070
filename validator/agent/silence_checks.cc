// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "reference/pmda/pdu/error_codes.h"
#include "validator/agent/broken_pdus.h"
#include "validator/agent/check.h"
#include "validator/agent/offence_walk.h"

// 16.6, what an agent says nothing to (10.2).

namespace pmproof::validator::agent {
namespace {

using pdu::PduType;

// CKA-130
Verdict UnknownTypesGetNoAnswer(Bench& bench, Session& session) {
  std::vector<Trial> trials;
  for (const std::uint32_t type :
       {0x7fffU, 0x700bU, 0x700aU, 0x7014U, 0x7016U, 0x6fffU, 0x8000U, 0x7018U}) {
    trials.push_back({"a PDU of " + ToText(static_cast<PduType>(type)), RawPdu(type, {})});
  }
  return SilentEach(bench, session, trials);
}

// CKA-131
Verdict RepliesAreNoRequests(Bench& bench, Session& session) {
  const auto unused = bench.knowledge().UnusedPmid();
  if (!unused) return unused.error();
  const std::uint32_t pmid = unused->value;
  const Trial trials[] = {
      {"DESC", RawPdu(TypeWord(PduType::kDesc), {0, 0, 0, 0, 0})},
      {"INSTANCE", RawPdu(TypeWord(PduType::kInstance), {0, 0})},
      {"TEXT", RawPdu(TypeWord(PduType::kText), {pmid, 4}, "text")},
      {"LABEL", RawPdu(TypeWord(PduType::kLabel), {pmid, 16, 0, 0})},
      {"PMNS_IDS with a status", RawPdu(TypeWord(PduType::kPmnsIds), {1, 1, pmid})},
  };
  return AtMostOneErrorEach(bench, session, trials);
}

// CKA-132
Verdict CredsAgainGetNoAnswer(Bench& bench, Session& session) {
  const Trial trials[] = {
      {"CREDS again", RawPdu(TypeWord(PduType::kCreds), {1, 0x01020000})},
      {"CREDS without credentials", RawPdu(TypeWord(PduType::kCreds), {0})},
  };
  return SilentEach(bench, session, trials);
}

// CKA-133
Verdict ErrorsGetNoAnswer(Bench& bench, Session& session) {
  const std::uint32_t type = TypeWord(PduType::kError);
  const Trial trials[] = {
      {"ERROR 0", RawPdu(type, {0})},
      {"ERROR -12366", RawPdu(type, {static_cast<std::uint32_t>(pdu::kErrIpc)})},
      {"ERROR of 12 bytes", RawPdu(type, {})},
      {"ERROR of 20 bytes", RawPdu(type, {0, 0})},
  };
  return SilentEach(bench, session, trials);
}

// CKA-134
Verdict EndsOfClientsGetNoAnswer(Bench& bench, Session& session) {
  OffenceWalk offences(bench, session);
  for (const std::int32_t client : {0, 1, 1000, -1}) {
    Verdict verdict = bench.Silent(session, pdu::Error{.code = pdu::kErrNotConnected}, client);
    if (verdict.passed()) continue;
    verdict.because =
        "ERROR(PM_ERR_NOTCONN) from " + std::to_string(client) + ": " + verdict.because;
    if (!offences.GoOn(verdict)) break;
  }
  return offences.Or(Verdict::Pass());
}

// CKA-150
Verdict BrokenAttributesGetNoAnswer(Bench& bench, Session& session) {
  const std::uint32_t type = TypeWord(PduType::kAttr);
  const auto key = static_cast<std::uint32_t>(pdu::Attribute::kUserId);
  const Trial trials[] = {
      {"ATTR of 12 bytes", RawPdu(type, {})},
      {"ATTR without a value", RawPdu(type, {key})},
      {"ATTR with a value of 5000 bytes", RawPdu(type, {key}, std::string(5000, 'x'))},
      {"ATTR with a value without NUL", RawPdu(type, {key}, "0123")},
  };
  return SilentEach(bench, session, trials);
}

// CKA-154
Verdict AnOddLengthIsNoEnd(Bench& bench, Session& session) {
  const auto metric = ProbeMetric(bench);
  if (!metric) return metric.error();
  const pdu::DescReq request{(*metric)->pmid};
  // In one write: the next PDU begins at an odd offset (PDU-001).
  pdu::Buffer bytes = RawPdu(TypeWord(PduType::kAttr), {99}, std::string_view("ab\0", 3));
  if (!pdu::Encode({.body = request}, &bytes)) return Verdict::Fail("DESC_REQ cannot be encoded");
  const Answer answer = session.Ask(Bytes(bytes));
  const auto* const desc = answer.As<pdu::Desc>();
  if (desc != nullptr && desc->descriptor.pmid == (*metric)->pmid) return Verdict::Pass();
  return Verdict::Fail("after an ATTR of 19 bytes " +
                       Session::Unexpected(request, answer, PduType::kDesc));
}

constexpr Check kChecks[] = {
    {"CKA-130"_clause, UnknownTypesGetNoAnswer},  {"CKA-131"_clause, RepliesAreNoRequests},
    {"CKA-132"_clause, CredsAgainGetNoAnswer},    {"CKA-133"_clause, ErrorsGetNoAnswer},
    {"CKA-134"_clause, EndsOfClientsGetNoAnswer}, {"CKA-150"_clause, BrokenAttributesGetNoAnswer},
    {"CKA-154"_clause, AnOddLengthIsNoEnd},
};

}  // namespace

std::span<const Check> SilenceChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
