// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/broken_pdus.h"
#include "validator/agent/check.h"

// 16.6, requests of the name space whose counts and lengths do not fit (4.9, 4.10).

namespace pmproof::validator::agent {
namespace {

using pdu::PduType;

// CKA-148
Verdict BrokenListsOfNamesFail(Bench& bench, Session& session) {
  const std::uint32_t type = TypeWord(PduType::kPmnsNames);
  const Trial trials[] = {
      {"PMNS_NAMES with 0 names", RawPdu(type, {0, 0, 0})},
      {"PMNS_NAMES with numnames 1000", RawPdu(type, {5, 0, 1000, 1}, "a~~~")},
      {"PMNS_NAMES with numnames -1", RawPdu(type, {5, 0, ~0U, 1}, "a~~~")},
      {"PMNS_NAMES with nstrbytes 0x7fffffff", RawPdu(type, {0x7fffffff, 0, 1, 1}, "a~~~")},
      {"PMNS_NAMES with namelen 400", RawPdu(type, {5, 0, 1, 400}, "a~~~")},
  };
  Verdict verdict = OneAnswerEach(bench, session, trials, IsFailure, "an ERROR below 0");
  if (!verdict.passed()) return verdict;
  const Trial two[] = {{"PMNS_NAMES with 2 names",
                        RawPdu(type, {4, 0, 2, 1}, std::string_view("a~~~\0\0\0\1b~~~", 12))}};
  const auto accepts = [](const Answer& answer) {
    return IsFailure(answer) || answer.As<pdu::PmnsIds>() != nullptr;
  };
  return OneAnswerEach(bench, session, two, accepts, "PMNS_IDS or an ERROR below 0");
}

// CKA-149
Verdict BrokenNameRequestsGetOneAnswer(Bench& bench, Session& session) {
  const std::uint32_t pmid = Pmid::Of(bench.knowledge().domain, 0, 0).value;
  std::vector<Trial> trials = {
      {"PMNS_IDS with 0 ids", RawPdu(TypeWord(PduType::kPmnsIds), {0, 0})},
      {"PMNS_IDS with 2 ids", RawPdu(TypeWord(PduType::kPmnsIds), {0, 2, pmid, pmid})},
  };
  for (const PduType type : {PduType::kPmnsChild, PduType::kPmnsTraverse}) {
    trials.push_back({ToText(type) + " with namelen -5",
                      RawPdu(TypeWord(type), {0, static_cast<std::uint32_t>(-5)})});
    trials.push_back(
        {ToText(type) + " with namelen 999", RawPdu(TypeWord(type), {0, 999}, "abcd")});
    trials.push_back({ToText(type) + " with namelen 0", RawPdu(TypeWord(type), {0, 0})});
  }
  const auto accepts = [](const Answer& answer) { return answer.is_pdu(); };
  return OneAnswerEach(bench, session, trials, accepts, "exactly one answer");
}

constexpr Check kChecks[] = {
    {"CKA-148"_clause, BrokenListsOfNamesFail},
    {"CKA-149"_clause, BrokenNameRequestsGetOneAnswer},
};

}  // namespace

std::span<const Check> BrokenNameChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
