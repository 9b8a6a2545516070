// SPDX-License-Identifier: Apache-2.0
// 16.2, values: what is in a value set, and how a RESULT holds it.

#include "generators/agent/faults/faults.h"
#include "generators/agent/faults/fetches.h"

namespace pmproof::generators {
namespace {

using pdu::Buffer;
using pdu::PduType;

bool IsCounter(const MetricModel& metric) {
  return metric.type == MetricType::kU32 && !metric.indom && metric.has_value() &&
         metric.semantics == Semantics::kCounter;
}
bool IsUnsupported(const MetricModel& metric) { return metric.type == MetricType::kNoSupport; }

void InSitu(FaultContext&, EditableSet& one) {
  for (pdu::InstanceValue& value : one.values) value.word = LoadU32(value.body.data());
  one.set.format = pdu::ValueFormat::kInsitu;
}
void OtherBlockType(FaultContext&, EditableSet& one) {
  for (pdu::InstanceValue& value : one.values) value.type = MetricType::kU64;
}
void ShortNumber(FaultContext& context, EditableSet& one) {
  Rewrite(context, one, [](Buffer& body) { body.resize(4); });
}
void WithoutNul(FaultContext& context, EditableSet& one) {
  Rewrite(context, one, [](Buffer& body) { body.pop_back(); });
}
void NulInside(FaultContext& context, EditableSet& one) {
  Rewrite(context, one, [](Buffer& body) { body.front() = 0; });
}
void GoesBack(FaultContext& context, EditableSet& one) {
  for (pdu::InstanceValue& value : one.values) {
    value.word = 2'000'000'000U - static_cast<std::uint32_t>(++context.count);
  }
}
void HasValue(FaultContext&, EditableSet& one) {
  one.values = {{.instance = kInstanceNull, .word = 1}};
  one.set.status = ErrorCode::kOk;
}

// In a fetch of nothing but a metric with instances, which has values.
template <void (*kEdit)(EditableSet&)>
void TellInstanced(FaultContext& context, const Request& request, Buffer& reply) {
  const MetricModel* metric = OnlyMetric(context, request);
  if (metric == nullptr || !metric->indom) return;
  EditSets(reply, [](Sets& sets) {
    if (!sets[0].values.empty()) kEdit(sets[0]);
  });
}
void FirstTwice(EditableSet& one) { one.values.push_back(one.values[0]); }
void OneMore(EditableSet& one) {
  one.values.push_back(one.values[0]);
  one.values.back().instance = 1'999'999'999;
}

// The layout of a RESULT with one block.
template <void (*kEdit)(Buffer&)>
void LayOut(FaultContext& context, const Request& request, Buffer& reply) {
  const MetricModel* metric = context.Find(IsSingular<MetricType::kFloat>);
  if (!Fetches(context, request, metric) || Asked(request) != 1) return;
  kEdit(reply);
  FixLength(reply);
}
void WordBehind(Buffer& reply) { reply.resize(reply.size() + 4); }
void WordBefore(Buffer& reply) {
  reply.insert(reply.begin() + kOnlyOffset + 4, 4, 0);
  SetU32(reply, kOnlyOffset, GetU32(reply, kOnlyOffset) + 1);
}
void Outside(Buffer& reply) { SetU32(reply, kOnlyOffset, 4000); }

// A word of every RESULT.
template <std::size_t kOffset, std::uint32_t kWord>
void Stamp(FaultContext&, const Request&, Buffer& reply) {
  if (Is(reply, PduType::kResult)) SetU32(reply, kOffset, kWord);
}

}  // namespace

std::vector<Fault> ValueFaults() {
  return {
      {.id = "float-in-situ",
       .check = "CKA-036"_clause,
       .does = "a FLOAT is in situ",
       .reply = Tell<IsSingular<MetricType::kFloat>, InSitu>},
      {.id = "block-of-another-type",
       .check = "CKA-036"_clause,
       .does = "a value of type 64 is in a block of type U64",
       .reply = Tell<IsSingular<MetricType::k64>, OtherBlockType>},
      {.id = "number-cut-short",
       .check = "CKA-036"_clause,
       .does = "a DOUBLE has 4 bytes",
       .reply = Tell<IsSingular<MetricType::kDouble>, ShortNumber>},
      {.id = "text-without-nul",
       .check = "CKA-036"_clause,
       .does = "a STRING does not end with NUL",
       .reply = Tell<IsSingular<MetricType::kString>, WithoutNul>},
      {.id = "text-with-nul-inside",
       .check = "CKA-036"_clause,
       .does = "a STRING has a NUL inside",
       .reply = Tell<IsSingular<MetricType::kString>, NulInside>},
      {.id = "word-after-the-blocks",
       .check = "CKA-037"_clause,
       .does = "a word follows the last value block",
       .perhaps = {"CKA-156"_clause, "CKA-157"_clause},
       .reply = LayOut<WordBehind>},
      {.id = "gap-before-the-blocks",
       .check = "CKA-037"_clause,
       .does = "a word is between the value sets and the first block",
       .perhaps = {"CKA-156"_clause, "CKA-157"_clause},
       .reply = LayOut<WordBefore>},
      {.id = "block-outside",
       .check = "CKA-037"_clause,
       .does = "the offset of a block is after the end of the PDU",
       .perhaps = {"CKA-156"_clause, "CKA-157"_clause},
       .reply = LayOut<Outside>},
      {.id = "time-in-the-result",
       .check = "CKA-038"_clause,
       .does = "a RESULT carries a time",
       .reply = Stamp<12, 1'600'000'000>},
      {.id = "microseconds-in-the-result",
       .check = "CKA-038"_clause,
       .does = "the word of microseconds of a RESULT is not 0",
       .reply = Stamp<16, 5>},
      {.id = "unsupported-has-a-value",
       .check = "CKA-042"_clause,
       .does = "a metric of type NOSUPPORT has a value",
       .reply = Tell<IsUnsupported, HasValue>},
      {.id = "instance-twice",
       .check = "CKA-043"_clause,
       .does = "a value set has an instance twice",
       .together = {"CKA-061"_clause, "CKA-063"_clause, "CKA-064"_clause, "CKA-065"_clause,
                    "CKA-067"_clause},
       .reply = TellInstanced<FirstTwice>},
      {.id = "instance-nobody-knows",
       .check = "CKA-043"_clause,
       .does = "a value set has an instance that its domain does not have",
       .together = {"CKA-061"_clause, "CKA-063"_clause, "CKA-064"_clause, "CKA-065"_clause,
                    "CKA-066"_clause, "CKA-067"_clause},
       .reply = TellInstanced<OneMore>},
      {.id = "name-differs-by-number",
       .check = "CKA-044"_clause,
       .does = "an instance asked for by number has another name than in the list",
       .together = {"CKA-081"_clause},
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             const auto* asked = request.As<pdu::InstanceReq>();
             if (asked == nullptr || asked->instance == kInstanceNull) return;
             EditInstances(reply, [](auto& entries) { entries[0].name = "another"; });
           }},
      {.id = "counter-goes-back",
       .check = "CKA-045"_clause,
       .does = "a counter decreases",
       .reply = Tell<IsCounter, GoesBack>},
  };
}

}  // namespace pmproof::generators
