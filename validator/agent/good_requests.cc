// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/good_requests.h"

#include <algorithm>

#include "reference/pmda/pdu/error_codes.h"

namespace pmproof::validator::agent {
namespace {

constexpr std::size_t kMostMetrics = 8;  // asked for, of agents that have thousands

}  // namespace

std::vector<GoodRequest> GoodRequests(const Knowledge& knowledge) {
  std::vector<GoodRequest> requests;
  const auto add = [&](const pdu::Body& body, bool answered = true, std::int32_t from = 0) {
    pdu::Buffer bytes;
    if (pdu::Encode({.from = from, .body = body}, &bytes))
      requests.push_back({std::move(bytes), answered});
  };
  std::vector<Pmid> pmids;
  for (const KnownMetric& metric : knowledge.metrics) {
    if (pmids.size() == kMostMetrics) break;
    pmids.push_back(metric.pmid);
  }
  for (const Pmid pmid : pmids) {
    add(pdu::DescReq{pmid});
    add(pdu::Fetch{.pmids = std::span(&pmid, 1)});
    add(pdu::TextReq{pmid.value, pdu::kTextPmid | pdu::kTextOneLine});
    add(pdu::LabelReq{pmid.value, static_cast<std::uint32_t>(LabelClass::kItem)});
    add(pdu::PmnsIds{.pmids = std::span(&pmid, 1)});
  }
  if (pmids.size() > 1) add(pdu::Fetch{.pmids = pmids});
  for (const auto& [indom, instances] : knowledge.instances) {
    add(pdu::InstanceReq{.indom = indom});
    if (instances.empty()) continue;
    add(pdu::InstanceReq{.indom = indom, .instance = instances.front().number});
    add(pdu::InstanceReq{.indom = indom, .name = instances.front().name});
  }
  if (!knowledge.names.empty()) {
    const pdu::PmnsName name{.name = knowledge.names.front()};
    add(pdu::PmnsNames{.names = std::span(&name, 1)});
    add(pdu::PmnsChild{.subtype = 1, .name = knowledge.root});
    add(pdu::PmnsTraverse{.name = knowledge.root});
  }
  add(pdu::Profile{}, /*answered=*/false);
  // A client comes and goes. It is not the one that asks: of that one the agent would forget what
  // it was told of its user.
  constexpr std::int32_t kGuest = 1;
  add(pdu::Profile{}, /*answered=*/false, kGuest);
  add(pdu::Error{.code = pdu::kErrNotConnected}, /*answered=*/false, kGuest);
  return requests;
}

}  // namespace pmproof::validator::agent
