// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/offence_walk.h"

#include <utility>

namespace pmproof::validator::agent {

bool OffenceWalk::GoOn(std::string because) {
  Note(std::move(because));
  return InStep();
}

bool OffenceWalk::GoOn(const Verdict& verdict) {
  if (verdict.outcome == Outcome::kFail) {
    if (offences_.Add(verdict)) session_.log().Offence(session_.number());
    return InStep();
  }
  ended_ = verdict;
  return false;
}

Verdict OffenceWalk::Or(Verdict otherwise) const {
  return offences_.Or(ended_ ? *ended_ : std::move(otherwise));
}

void OffenceWalk::Note(std::string because) {
  if (offences_.Add(std::move(because))) session_.log().Offence(session_.number());
}

bool OffenceWalk::InStep() {
  if (session_.lost() || !bench_.Probe(session_).passed()) return false;
  // A surplus answer may have been that of a probe: this one is of another type.
  const Knowledge& knowledge = bench_.knowledge();
  const Pmid pmid =
      knowledge.metrics.empty() ? Pmid::Of(knowledge.domain, 0, 0) : knowledge.metrics.front().pmid;
  const Answer answer = session_.Ask(pdu::Fetch{.pmids = std::span(&pmid, 1)});
  return answer.is_pdu() && answer.header().type != pdu::PduType::kDesc;
}

}  // namespace pmproof::validator::agent
