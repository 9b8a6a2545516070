// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/bench.h"

namespace pmproof::validator::agent {

Verdict Bench::Probe(Session& session) const {
  const KnownMetric* metric = knowledge_.metrics.empty() ? nullptr : &knowledge_.metrics.front();
  if (const auto singular = knowledge_.Singular()) metric = *singular;
  const Pmid pmid = metric != nullptr ? metric->pmid : Pmid::Of(knowledge_.domain, 0, 0);
  const pdu::DescReq request{pmid};
  const Answer answer = session.Ask(request);
  if (metric == nullptr && answer.is_pdu()) return Verdict::Pass();
  const auto* const desc = answer.As<pdu::Desc>();
  if (desc == nullptr) {
    return Verdict::Fail("the probe " + Session::Unexpected(request, answer, pdu::PduType::kDesc));
  }
  if (desc->descriptor == metric->descriptor) return Verdict::Pass();
  return Verdict::Fail("the probe's answer " + Brief(*desc) + " is not the descriptor of " +
                       metric->ToText() + " that it was before");
}

Verdict Bench::Silent(Session& session, const pdu::Body& body, std::int32_t from) const {
  session.Send(body, from);
  return Probe(session);
}

Verdict Bench::Silent(Session& session, Bytes bytes) const {
  session.Send(bytes);
  return Probe(session);
}

}  // namespace pmproof::validator::agent
