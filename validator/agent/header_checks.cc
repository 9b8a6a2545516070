// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "validator/agent/asking.h"
#include "validator/agent/check.h"
#include "validator/agent/good_requests.h"
#include "validator/protocol_check/offences.h"

// 16.6, what stands in the header of answers.

namespace pmproof::validator::agent {
namespace {

// Good requests that are answered, and one whose answer is an ERROR.
std::vector<pdu::Buffer> Requests(const Knowledge& knowledge) {
  std::vector<pdu::Buffer> requests;
  for (GoodRequest& good : GoodRequests(knowledge)) {
    if (good.answered) requests.push_back(std::move(good.bytes));
  }
  pdu::Buffer unknown;
  const auto pmid = knowledge.UnusedPmid();
  if (pmid && pdu::Encode({.body = pdu::DescReq{*pmid}}, &unknown)) requests.push_back(unknown);
  return requests;
}

// CKA-169
Verdict AnswersComeFromNobody(Bench& bench) {
  constexpr std::size_t kFrom = 8;  // its offset in a header
  if (const auto any = bench.knowledge().AnyMetric(); !any) return any.error();
  auto session = bench.Open();
  if (!session) {
    return LeftTo({"CKA-001"_clause, "CKA-005"_clause, "CKA-160"_clause}, session.error()).value();
  }
  Offences offences;
  for (const std::int32_t client : {0, 7}) {
    if (client != 0) session->Introduce(client);
    for (pdu::Buffer& request : Requests(bench.knowledge())) {
      StoreU32(request.data() + kFrom, static_cast<std::uint32_t>(client));
      const Answer answer = session->Ask(Bytes(request));
      const std::string what = "for client " + std::to_string(client);
      if (!answer.is_pdu()) {
        return offences.Or(LeftTo({"CKA-048"_clause, "CKA-156"_clause, "CKA-157"_clause},
                                  what + " there is " + answer.ToText() + ", where a PDU is due")
                               .value());
      }
      const std::int32_t from = answer.header().from;
      if (from == 0) continue;
      const bool added = offences.Add("the " + ToText(answer.header().type) + " " + what +
                                      " is from " + std::to_string(from) + ", where 0 is due");
      if (added) bench.log().Offence(session->number());
    }
  }
  return offences.Or(Verdict::Pass());
}

constexpr Check kChecks[] = {{"CKA-169"_clause, AnswersComeFromNobody}};

}  // namespace

std::span<const Check> HeaderChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
