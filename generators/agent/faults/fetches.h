// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_AGENT_FAULTS_FETCHES_H_
#define PMPROOF_GENERATORS_AGENT_FAULTS_FETCHES_H_

#include <cstddef>
#include <functional>
#include <vector>

#include "generators/agent/faults/edit_pdu.h"

// Fetches as faults see them, and the shapes that most faults of fetches have: an edit of the value
// sets, or of the bytes, of the answers to some of them.

namespace pmproof::generators {

using Sets = std::vector<EditableSet>;

// How many metrics a fetch asks for; 0: it is another request.
std::size_t Asked(const Request& request);
// The metric asked for by a fetch of one; null: it asks for more, or for one that is not there.
const MetricModel* OnlyMetric(const FaultContext& context, const Request& request);
// A fetch of one whose metric the agent does not have, though it is of its domain.
bool OfUnknownAlone(const FaultContext& context, const Request& request);
bool Fetches(const FaultContext& context, const Request& request, const MetricModel* metric);
bool IsOwn(const FaultContext& context, Pmid pmid);

// A singular metric of that type with a value that stands still.
template <MetricType kType>
bool IsSingular(const MetricModel& metric) {
  return metric.type == kType && !metric.indom && metric.has_value() && !metric.writable &&
         metric.semantics != Semantics::kCounter;
}

// Edits the answers to those fetches.
template <bool (*kWhich)(const FaultContext&, const Request&), void (*kEdit)(Sets&)>
void Spoil(FaultContext& context, const Request& request, pdu::Buffer& reply) {
  if (kWhich(context, request)) EditSets(reply, kEdit);
}

template <bool (*kWhich)(const FaultContext&, const Request&), ErrorCode kCode>
void Refuse(FaultContext& context, const Request& request, pdu::Buffer& reply) {
  if (kWhich(context, request)) reply = ErrorReply(kCode);
}

// Edits the value sets of the first metric of that kind.
template <bool (*kFits)(const MetricModel&), void (*kEdit)(FaultContext&, EditableSet&)>
void Tell(FaultContext& context, const Request& request, pdu::Buffer& reply) {
  const MetricModel* metric = context.Find(kFits);
  if (!Fetches(context, request, metric)) return;
  EditSets(reply, [&](Sets& sets) {
    for (EditableSet& one : sets) {
      if (one.set.pmid == context.PmidOf(*metric)) kEdit(context, one);
    }
  });
}

// Edits a body, which then stays until the reply is encoded.
void Rewrite(FaultContext& context, pdu::InstanceValue& value,
             const std::function<void(pdu::Buffer&)>& edit);
// All of them.
void Rewrite(FaultContext& context, EditableSet& one,
             const std::function<void(pdu::Buffer&)>& edit);

// Where the offset of the block is, in a RESULT with one value.
inline constexpr std::size_t kOnlyOffset = 24 + 8 + 4 + 4;

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_AGENT_FAULTS_FETCHES_H_
