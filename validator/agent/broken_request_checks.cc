// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/error_codes.h"
#include "validator/agent/broken_pdus.h"
#include "validator/agent/check.h"

// 16.6, requests whose counts and lengths do not fit: FETCH, DESC_REQ, TEXT_REQ, LABEL_REQ,
// INSTANCE_REQ (10.3).

namespace pmproof::validator::agent {
namespace {

using pdu::PduType;

constexpr std::string_view kIpcDue = "ERROR -12366 (PM_ERR_IPC)";
constexpr std::string_view kFailureDue = "an ERROR below 0";

bool IsIpc(const Answer& answer) { return IsError(answer, pdu::kErrIpc); }

// Some PMID that the agent knows, or may know.
std::uint32_t SomePmid(const Bench& bench) {
  const auto metric = ProbeMetric(bench);
  return metric ? (*metric)->pmid.value : Pmid::Of(bench.knowledge().domain, 0, 0).value;
}

// Some instance domain of the agent, in use if there is one.
std::uint32_t SomeIndom(const Bench& bench) {
  for (const auto& [indom, instances] : bench.knowledge().instances) {
    if (indom.domain() == bench.knowledge().domain) return indom.value;
  }
  return Indom::Of(bench.knowledge().domain, 0).value;
}

// CKA-137
Verdict CountsOfFetchesAreNotBelieved(Bench& bench, Session& session) {
  const std::uint32_t type = TypeWord(PduType::kFetch);
  const std::uint32_t pmid = SomePmid(bench);
  const Trial trials[] = {
      {"FETCH with count 0", RawPdu(type, {0, 0, 0, 0, pmid})},
      {"FETCH with count -1", RawPdu(type, {0, 0, 0, 0xffffffff, pmid})},
      {"FETCH with count 0x7fffffff", RawPdu(type, {0, 0, 0, 0x7fffffff, pmid})},
      {"FETCH with count 0x40000001", RawPdu(type, {0, 0, 0, 0x40000001, pmid})},
      {"FETCH with count 2 and one PMID", RawPdu(type, {0, 0, 0, 2, pmid})},
      {"FETCH with count 1 and two PMIDs", RawPdu(type, {0, 0, 0, 1, pmid, pmid})},
  };
  return OneAnswerEach(bench, session, trials, IsIpc, kIpcDue);
}

// CKA-138
Verdict ShortFetchesFail(Bench& bench, Session& session) {
  const std::uint32_t type = TypeWord(PduType::kFetch);
  const Trial trials[] = {
      {"FETCH of 28 bytes", RawPdu(type, {0, 0, 0, 0})},
      {"FETCH of 12 bytes", RawPdu(type, {})},
  };
  return OneAnswerEach(bench, session, trials, IsFailure, kFailureDue);
}

// CKA-139
Verdict DescriptorRequestsHaveOneLength(Bench& bench, Session& session) {
  const std::uint32_t type = TypeWord(PduType::kDescReq);
  const Trial trials[] = {
      {"DESC_REQ of 12 bytes", RawPdu(type, {})},
      {"DESC_REQ of 20 bytes", RawPdu(type, {SomePmid(bench), 0})},
  };
  return OneAnswerEach(bench, session, trials, IsIpc, kIpcDue);
}

// Short requests fail; of long ones versions of PCP disagree (PMD-090, PMD-091).
template <typename Reply>
Verdict ShortFailsLongMay(const Bench& bench, Session& session, PduType request,
                          std::string_view due) {
  const std::uint32_t type = TypeWord(request);
  const std::uint32_t pmid = SomePmid(bench);
  // Of a help text and of the labels of a metric.
  const std::uint32_t kind = request == PduType::kTextReq ? 5 : 16;
  const std::string name = ToText(request);
  const Trial shorts[] = {
      {name + " of 12 bytes", RawPdu(type, {})},
      {name + " of 16 bytes", RawPdu(type, {pmid})},
  };
  Verdict verdict = OneAnswerEach(bench, session, shorts, IsFailure, kFailureDue);
  if (!verdict.passed()) return verdict;
  const Trial longer[] = {{name + " of 24 bytes", RawPdu(type, {pmid, kind, 0})}};
  const auto accepts = [](const Answer& answer) {
    return IsFailure(answer) || answer.As<Reply>() != nullptr;
  };
  return OneAnswerEach(bench, session, longer, accepts, due);
}

// CKA-140
Verdict ShortTextRequestsFail(Bench& bench, Session& session) {
  return ShortFailsLongMay<pdu::Text>(bench, session, PduType::kTextReq,
                                      "TEXT or an ERROR below 0");
}

// CKA-141
Verdict ShortLabelRequestsFail(Bench& bench, Session& session) {
  return ShortFailsLongMay<pdu::Label>(bench, session, PduType::kLabelReq,
                                       "LABEL or an ERROR below 0");
}

// CKA-142
Verdict ShortInstanceRequestsFail(Bench& bench) {
  const Trial trials[] = {{"INSTANCE_REQ of 28 bytes",
                           RawPdu(TypeWord(PduType::kInstanceReq), {SomeIndom(bench), 0, 0, ~0U})}};
  return OneAnswerEachAlone(bench, trials, IsIpc, kIpcDue);
}

// CKA-143
Verdict LengthsOfInstanceNamesAreNotBelieved(Bench& bench) {
  const std::uint32_t type = TypeWord(PduType::kInstanceReq);
  const std::uint32_t indom = SomeIndom(bench);
  const Trial trials[] = {
      {"INSTANCE_REQ with namelen 100 and no name", RawPdu(type, {indom, 0, 0, ~0U, 100})},
      {"INSTANCE_REQ with namelen -1", RawPdu(type, {indom, 0, 0, ~0U, ~0U})},
      {"INSTANCE_REQ with namelen 0x7fffffff", RawPdu(type, {indom, 0, 0, ~0U, 0x7fffffff})},
  };
  return OneAnswerEachAlone(bench, trials, IsIpc, kIpcDue);
}

// CKA-144
Verdict LooseInstanceNamesAreSurvived(Bench& bench) {
  const std::uint32_t type = TypeWord(PduType::kInstanceReq);
  const std::uint32_t indom = SomeIndom(bench);
  const Trial trials[] = {
      {"INSTANCE_REQ with a name without padding", RawPdu(type, {indom, 0, 0, ~0U, 3}, "red")},
      {"INSTANCE_REQ with 4 bytes after the name", RawPdu(type, {indom, 0, 0, ~0U, 3}, "red~~~~~")},
  };
  const auto accepts = [](const Answer& answer) {
    return IsFailure(answer) || answer.As<pdu::Instance>() != nullptr;
  };
  return OneAnswerEachAlone(bench, trials, accepts, "INSTANCE or an ERROR below 0");
}

// CKA-145
Verdict NulInAnInstanceNameIsNoEnd(Bench& bench, Session& session) {
  if (!bench.knowledge().instances.contains(Indom{SomeIndom(bench)})) {
    return Verdict::NotChecked("no instance domain is known");
  }
  const Trial trials[] = {{"INSTANCE_REQ with a NUL inside the name",
                           RawPdu(TypeWord(PduType::kInstanceReq), {SomeIndom(bench), 0, 0, ~0U, 4},
                                  std::string_view("re\0d", 4))}};
  const auto accepts = [](const Answer& answer) { return IsError(answer, ErrorCode::kInstance); };
  return OneAnswerEach(bench, session, trials, accepts, "ERROR -12360 (PM_ERR_INST)");
}

// CKA-146
Verdict TheNullDomainHasNoInstances(Bench& bench) {
  const Trial trials[] = {
      {"INSTANCE_REQ of PM_INDOM_NULL",
       RawPdu(TypeWord(PduType::kInstanceReq), {Indom::Null().value, 0, 0, ~0U, 0})}};
  const auto accepts = [](const Answer& answer) { return IsError(answer, ErrorCode::kIndom); };
  return OneAnswerEachAlone(bench, trials, accepts, "ERROR -12359 (PM_ERR_INDOM)");
}

constexpr Check kChecks[] = {
    {"CKA-137"_clause, CountsOfFetchesAreNotBelieved},
    {"CKA-138"_clause, ShortFetchesFail},
    {"CKA-139"_clause, DescriptorRequestsHaveOneLength},
    {"CKA-140"_clause, ShortTextRequestsFail},
    {"CKA-141"_clause, ShortLabelRequestsFail},
    {"CKA-142"_clause, ShortInstanceRequestsFail},
    {"CKA-143"_clause, LengthsOfInstanceNamesAreNotBelieved},
    {"CKA-144"_clause, LooseInstanceNamesAreSurvived},
    {"CKA-145"_clause, NulInAnInstanceNameIsNoEnd},
    {"CKA-146"_clause, TheNullDomainHasNoInstances},
};

}  // namespace

std::span<const Check> BrokenRequestChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
