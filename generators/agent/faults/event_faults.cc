// SPDX-License-Identifier: Apache-2.0
// 16.2, events.

#include "generators/agent/faults/faults.h"
#include "generators/agent/faults/fetches.h"

namespace pmproof::generators {
namespace {

using pdu::Buffer;
using pdu::PduType;

// One record: nrecords @0, time @4, flags @12, nparams @16, parameters @20.
Buffer OneEvent(std::uint32_t flags, std::uint32_t pmid) {
  Buffer body(32);
  SetU32(body, 0, 1);
  SetU32(body, 4, 1'500'000'000);
  SetU32(body, 12, flags);
  SetU32(body, 16, 1);
  SetU32(body, 20, pmid);
  SetU32(body, 24, 0x01000008);
  SetU32(body, 28, 42);
  return body;
}

void UnknownParameter(FaultContext& context, EditableSet& one) {
  const Pmid unknown = Pmid::Of(context.domain, 4095, 1023);
  Rewrite(context, one, [&](Buffer& body) { body = OneEvent(1, unknown.value); });
}
void UnknownFlag(FaultContext& context, EditableSet& one) {
  const Pmid known = context.PmidOf(context.model.metrics.front());
  Rewrite(context, one, [&](Buffer& body) { body = OneEvent(0x40, known.value); });
}
void TypeOfNothing(FaultContext& context, EditableSet& one) {
  const Pmid known = context.PmidOf(context.model.metrics.front());
  Rewrite(context, one, [&](Buffer& body) {
    body = OneEvent(1, known.value);
    SetU32(body, 24, 0x16000008);
  });
}

}  // namespace

std::vector<Fault> EventFaults() {
  return {
      {.id = "event-parameter-of-no-type",
       .check = "CKA-049"_clause,
       .does = "a parameter of an event has the type 22",
       .reply = Tell<IsSingular<MetricType::kEvent>, TypeOfNothing>},
      {.id = "event-parameter-nobody-knows",
       .check = "CKA-049"_clause,
       .does = "an event has a parameter without a descriptor",
       .reply = Tell<IsSingular<MetricType::kEvent>, UnknownParameter>},
      {.id = "event-with-an-unknown-flag",
       .check = "CKA-049"_clause,
       .does = "an event has the flag 0x40",
       .reply = Tell<IsSingular<MetricType::kEvent>, UnknownFlag>},
      {.id = "fewer-events-than-it-says",
       .check = "CKA-049"_clause,
       .does = "an event array ends before its last record",
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             const auto* fetch = request.As<pdu::Fetch>();
             if (fetch == nullptr) return;
             const MetricModel* metric = context.model.FindMetric(fetch->pmids[0]);
             if (metric == nullptr || !IsEvent(metric->type) || metric->indom) return;
             // The first value has the first block: nrecords stands after its header.
             const std::size_t block = std::size_t{4} * GetU32(reply, kOnlyOffset);
             if (Is(reply, PduType::kResult) && block + 8 <= reply.size())
               SetU32(reply, block + 4, 999);
           }},
  };
}

}  // namespace pmproof::generators
