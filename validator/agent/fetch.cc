// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/fetch.h"

#include <algorithm>
#include <utility>

#include "validator/agent/asking.h"

namespace pmproof::validator::agent {

std::string FetchText(const std::vector<Pmid>& pmids) {
  constexpr std::size_t kShown = 4;
  std::string text = "FETCH of ";
  for (std::size_t i = 0; i < std::min(kShown, pmids.size()); ++i) {
    text += (i > 0 ? ", " : "") + ToText(pmids[i]) + (pmids[i].flag() ? " with the flag bit" : "");
  }
  return pmids.size() > kShown ? text + " and " + std::to_string(pmids.size() - kShown) + " more"
                               : text;
}

VerdictOr<Fetched> Fetch(Session& session, const std::vector<Pmid>& pmids, std::int32_t from,
                         std::int32_t context) {
  Answer answer = session.Ask(pdu::Fetch{.context = context, .pmids = pmids}, from);
  if (answer.As<pdu::Result>() != nullptr) return Fetched{std::move(answer)};
  std::string because = FetchText(pmids) + ": " + answer.ToText() + ", where RESULT is due";
  if (answer.is_pdu() && answer.header().type == pdu::PduType::kResult) {
    return LeftTo({"CKA-037"_clause}, std::move(because));
  }
  return Failed(std::move(because));
}

VerdictOr<Fetched> FetchForValues(Session& session, const std::vector<Pmid>& pmids) {
  auto fetched = Fetch(session, pmids);
  const std::vector<Clause> about = {"CKA-034"_clause, "CKA-035"_clause};
  if (!fetched) return LeftTo(about, fetched.error());
  std::string wrong = WrongSets(pmids, fetched->result());
  if (!wrong.empty()) return LeftTo(about, std::move(wrong));
  return fetched;
}

std::string WrongSets(const std::vector<Pmid>& pmids, const pdu::Result& result) {
  if (result.sets.size() != pmids.size()) {
    return FetchText(pmids) + ": " + std::to_string(result.sets.size()) + " value sets, where " +
           std::to_string(pmids.size()) + (pmids.size() == 1 ? " is due" : " are due");
  }
  for (std::size_t i = 0; i < pmids.size(); ++i) {
    if (result.sets[i].pmid == pmids[i]) continue;
    return FetchText(pmids) + ": value set " + std::to_string(i + 1) + " is of " +
           ToText(result.sets[i].pmid) + ", where " + ToText(pmids[i]) + " was asked for";
  }
  return "";
}

std::vector<Pmid> AllPmids(const Bench& bench) {
  std::vector<Pmid> pmids;
  for (const KnownMetric& metric : bench.knowledge().metrics) pmids.push_back(metric.pmid);
  pmids.resize(std::min(pmids.size(), bench.limits().pmids));
  return pmids;
}

}  // namespace pmproof::validator::agent
