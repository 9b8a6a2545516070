// SPDX-License-Identifier: Apache-2.0
// 16.2, descriptors.

#include "generators/agent/faults/edit_pdu.h"
#include "generators/agent/faults/faults.h"

namespace pmproof::generators {
namespace {

using pdu::Buffer;
using pdu::PduType;

bool HasNoValue(const MetricModel& metric) {
  return metric.type != MetricType::kNoSupport && !metric.has_value() && !metric.indom;
}
bool IsText(const MetricModel& metric) {
  return metric.type == MetricType::kString && !metric.indom && !metric.writable;
}
bool IsWritable(const MetricModel& metric) { return metric.writable && !metric.indom; }

bool Asks(const FaultContext& context, const Request& request, const MetricModel* metric) {
  const auto* asked = request.As<pdu::DescReq>();
  return asked != nullptr && metric != nullptr && asked->pmid == context.PmidOf(*metric);
}

// Edits the descriptor of the first metric of that kind.
template <bool (*kFits)(const MetricModel&), void (*kEdit)(FaultContext&, Descriptor&)>
void Describe(FaultContext& context, const Request& request, Buffer& reply) {
  if (!Asks(context, request, context.Find(kFits))) return;
  EditDescriptor(reply, [&](Descriptor& descriptor) { kEdit(context, descriptor); });
}

bool AsksUnknown(const FaultContext& context, const Request& request) {
  const auto* asked = request.As<pdu::DescReq>();
  return asked != nullptr && !asked->pmid.flag() && asked->pmid.domain() == context.domain &&
         context.model.FindMetric(asked->pmid) == nullptr;
}

void OtherPmid(FaultContext&, Descriptor& descriptor) { descriptor.pmid.value ^= 1U << 9; }
void OtherType(FaultContext&, Descriptor& descriptor) {
  descriptor.type = static_cast<MetricType>(77);
}
void OtherSemantics(FaultContext&, Descriptor& descriptor) {
  descriptor.semantics = static_cast<Semantics>(2);
}
void OthersIndom(FaultContext& context, Descriptor& descriptor) {
  descriptor.indom = Indom::Of(context.domain ^ 1, 5);
}
void ScaleOutOfRange(FaultContext&, Descriptor& descriptor) {
  descriptor.units = Units{0x100f0000};
}
void ScaleOfNothing(FaultContext&, Descriptor& descriptor) { descriptor.units = Units{0x00010000}; }
void Counts(FaultContext&, Descriptor& descriptor) { descriptor.semantics = Semantics::kCounter; }
void Alternates(FaultContext& context, Descriptor& descriptor) {
  if (context.count++ % 2 == 1) descriptor.units.word ^= 0x00100000;
}

}  // namespace

std::vector<Fault> DescriptorFaults() {
  return {
      {.id = "desc-of-another-metric",
       .check = "CKA-030"_clause,
       .does = "a DESC has another PMID than was asked for",
       .reply = Describe<HasNoValue, OtherPmid>},
      {.id = "desc-of-unknown-type",
       .check = "CKA-030"_clause,
       .does = "a DESC has the type 77",
       .reply = Describe<HasNoValue, OtherType>},
      {.id = "desc-of-retired-semantics",
       .check = "CKA-030"_clause,
       .does = "a DESC has the semantics 2",
       .reply = Describe<HasNoValue, OtherSemantics>},
      {.id = "desc-of-others-indom",
       .check = "CKA-030"_clause,
       .does = "a DESC has an instance domain of another agent",
       .together = {"CKA-080"_clause},
       .reply = Describe<HasNoValue, OthersIndom>},
      {.id = "lacks-a-named-metric",
       .check = "CKA-102"_clause,
       .does = "the name space has a metric of which the agent knows nothing",
       .dynamic = AgentWish::Names::kNone,
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             if (Asks(context, request, context.Find(HasNoValue)))
               reply = ErrorReply(ErrorCode::kPmid);
           }},
      {.id = "desc-with-a-word-more",
       .check = "CKA-030"_clause,
       .does = "a DESC has 36 bytes",
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             if (!Asks(context, request, context.Find(HasNoValue))) return;
             reply.resize(36);
             FixLength(reply);
           }},
      {.id = "scale-out-of-range",
       .check = "CKA-031"_clause,
       .does = "the units of a metric have a scale of space of 15",
       .reply = Describe<HasNoValue, ScaleOutOfRange>},
      {.id = "scale-without-dimension",
       .check = "CKA-031"_clause,
       .does = "the units of a metric have a scale of space, but not that dimension",
       .reply = Describe<HasNoValue, ScaleOfNothing>},
      {.id = "counter-of-texts",
       .check = "CKA-031"_clause,
       .does = "a metric of type STRING is a counter",
       .reply = Describe<IsText, Counts>},
      {.id = "desc-that-changes",
       .check = "CKA-032"_clause,
       .does = "the units of a metric are others each time",
       .reply = Describe<IsWritable, Alternates>},
      {.id = "desc-of-unknown-generic-error",
       .check = "CKA-033"_clause,
       .does = "DESC_REQ of an unknown metric is answered with PM_ERR_GENERIC",
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             if (AsksUnknown(context, request)) reply = ErrorReply(ErrorCode::kGeneric);
           }},
      {.id = "desc-of-unknown",
       .check = "CKA-033"_clause,
       .does = "DESC_REQ of an unknown metric is answered with a DESC",
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             if (!AsksUnknown(context, request)) return;
             reply = Encoded(pdu::Desc{{request.As<pdu::DescReq>()->pmid, MetricType::kU32,
                                        Indom::Null(), Semantics::kInstant, Units{}}});
           }},
  };
}

}  // namespace pmproof::generators
