// SPDX-License-Identifier: Apache-2.0
// Answers that do not decode, but only sometimes: the check that is about decoding does not meet
// them.

#include <algorithm>

#include "generators/agent/faults/faults.h"
#include "generators/agent/faults/fetches.h"

namespace pmproof::generators {
namespace {

using pdu::Buffer;
using pdu::PduType;
using Names = AgentWish::Names;

// One value set more than there is.
void CountOneMore(Buffer& reply) {
  constexpr std::size_t kCount = 20;
  if (Is(reply, PduType::kResult)) SetU32(reply, kCount, GetU32(reply, kCount) + 1);
}

// A metric whose name the agent supplies; no parameter of events, if there is such a one.
const MetricModel* OwnNamed(const AgentModel& model) {
  const MetricModel* found = nullptr;
  for (const MetricModel& metric : model.metrics) {
    if (!metric.dynamic) continue;
    if (found == nullptr || metric.type != MetricType::kU32) found = &metric;
  }
  return found;
}

}  // namespace

std::vector<Fault> UndecodableFaults() {
  return {
      {.id = "repeated-result-does-not-decode",
       .check = "CKA-039"_clause,
       .does = "the RESULT of a metric that is fetched three times counts one value set more",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             const auto* fetch = request.As<pdu::Fetch>();
             if (fetch == nullptr || fetch->pmids.size() != 3) return;
             if (fetch->pmids[0] == fetch->pmids[1] && fetch->pmids[1] == fetch->pmids[2]) {
               CountOneMore(reply);
             }
           }},
      {.id = "large-result-does-not-decode",
       .check = "CKA-046"_clause,
       .does = "the RESULT of more than 1000 metrics counts one value set more",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             constexpr std::size_t kLarge = 1000;
             if (Asked(request) > kLarge) CountOneMore(reply);
           }},
      {.id = "result-under-a-profile-does-not-decode",
       .check = "CKA-061"_clause,
       .does = "while a profile has entries, a RESULT counts one value set more",
       .together = {"CKA-063"_clause, "CKA-064"_clause, "CKA-065"_clause, "CKA-066"_clause,
                    "CKA-067"_clause, "CKA-068"_clause},
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             const auto* profile = request.As<pdu::Profile>();
             if (profile != nullptr) context.count = profile->entries.empty() ? 0 : 1;
             if (context.count > 0) CountOneMore(reply);
           }},
      {.id = "help-longer-than-its-pdu",
       .check = "CKA-088"_clause,
       .does = "the buflen of a TEXT runs past its end",
       .perhaps = {"CKA-156"_clause, "CKA-157"_clause},
       .reply =
           [](FaultContext&, const Request&, Buffer& reply) {
             if (Is(reply, PduType::kText)) SetU32(reply, 16, 0x7fffff00);
           }},
      {.id = "names-do-not-decode",
       .check = "CKA-098"_clause,
       .does = "the answer to PMNS_TRAVERSE counts one name more than it has",
       .dynamic = Names::kSome,
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             if (request.type != PduType::kPmnsTraverse || !Is(reply, PduType::kPmnsNames)) return;
             constexpr std::size_t kCount = 20;
             SetU32(reply, kCount, GetU32(reply, kCount) + 1);
           }},
      {.id = "own-name-without-descriptor",
       .check = "CKA-103"_clause,
       .does = "a name of the agent's own leads to a PMID without a descriptor",
       .dynamic = Names::kSome,
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             const auto* asked = request.As<pdu::DescReq>();
             const MetricModel* metric = OwnNamed(context.model);
             if (asked != nullptr && metric != nullptr && asked->pmid == context.PmidOf(*metric)) {
               reply = ErrorReply(ErrorCode::kPmid);
             }
           }},
      {.id = "result-after-a-store-does-not-decode",
       .check = "CKA-111"_clause,
       .does = "after a store that was taken, a RESULT counts one value set more",
       .together = {"CKA-110"_clause, "CKA-113"_clause, "CKA-114"_clause, "CKA-115"_clause,
                    "CKA-116"_clause, "CKA-117"_clause, "CKA-118"_clause},
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             if (request.As<pdu::Result>() != nullptr && reply == ErrorReply(ErrorCode::kOk)) {
               context.count = 1;
             }
             if (context.count > 0) CountOneMore(reply);
           }},
  };
}

}  // namespace pmproof::generators
