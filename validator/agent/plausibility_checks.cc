// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reference/core/extract_value.h"
#include "validator/agent/asking.h"
#include "validator/agent/check.h"
#include "validator/agent/fetch.h"
#include "validator/agent/offence_walk.h"

// 16.2, values that decode, and that no agent means.

namespace pmproof::validator::agent {
namespace {

bool Everyday(double number) { return std::abs(number) > 1e-30 && std::abs(number) < 1e30; }

// Whether its two words look as if each were in the place of the other: no quantity is so small or
// so large, and the other way round it is an everyday number.
bool HasSwappedWords(Bytes body) {
  constexpr double kSmallest = 1e-100;
  constexpr double kLargest = 1e100;
  if (body.size() != 8) return false;
  const std::uint64_t bits = LoadU64(body.data());
  const double number = std::abs(std::bit_cast<double>(bits));
  if (number == 0 || std::isnan(number) || (number > kSmallest && number < kLargest)) return false;
  return Everyday(std::bit_cast<double>(std::rotl(bits, 32)));
}

// CKA-053
Verdict DoublesAreInTheirOrder(Bench& bench, Session& session) {
  std::vector<Pmid> pmids;
  for (const KnownMetric& metric : bench.knowledge().metrics) {
    if (metric.descriptor.type == MetricType::kDouble && pmids.size() < bench.limits().pmids) {
      pmids.push_back(metric.pmid);
    }
  }
  if (pmids.empty()) return Verdict::NotChecked("no metric of the agent is of type DOUBLE");
  const auto fetched = FetchForValues(session, pmids);
  if (!fetched) return fetched.error();
  std::size_t looked = 0;
  OffenceWalk offences(bench, session);
  for (const pdu::ValueSet& set : fetched->result().sets) {
    for (const pdu::InstanceValue& value : set.values) {
      if (value.type != MetricType::kDouble) continue;  // CKA-036
      ++looked;
      if (!HasSwappedWords(value.body)) continue;
      const std::uint64_t bits = LoadU64(value.body.data());
      char text[96];
      std::snprintf(text, sizeof text, "%g; with its two words exchanged it is %g",
                    std::bit_cast<double>(bits), std::bit_cast<double>(std::rotl(bits, 32)));
      offences.Note("a value of " + bench.knowledge().Find(set.pmid)->ToText() + " is " + text);
    }
  }
  return offences.Or(looked > 0 ? Verdict::Pass()
                                : Verdict::NotChecked("no metric of type DOUBLE has a value"));
}

// The values of one fetch by metric and instance, as they came.
using Values = std::map<std::pair<Pmid, std::int32_t>, std::vector<std::uint8_t>>;

VerdictOr<Values> FetchValues(Session& session, const std::vector<Pmid>& pmids) {
  const auto fetched = FetchForValues(session, pmids);
  if (!fetched) return tl::make_unexpected(fetched.error());
  Values values;
  for (const pdu::ValueSet& set : fetched->result().sets) {
    for (const pdu::InstanceValue& value : set.values) {
      std::vector<std::uint8_t> bytes(value.body.begin(), value.body.end());
      if (set.format == pdu::ValueFormat::kInsitu) {
        bytes.resize(4);
        StoreU32(bytes.data(), value.word);
      }
      values.emplace(std::pair(set.pmid, value.instance), std::move(bytes));
    }
  }
  return values;
}

// CKA-055
Verdict DiscreteValuesStay(Bench& bench, Session& session) {
  constexpr int kFetches = 5;
  std::vector<Pmid> pmids;
  for (const KnownMetric& metric : bench.knowledge().metrics) {
    if (metric.descriptor.semantics == Semantics::kDiscrete && !IsEvent(metric.descriptor.type) &&
        pmids.size() < bench.limits().pmids) {
      pmids.push_back(metric.pmid);
    }
  }
  if (pmids.empty()) return Verdict::NotChecked("no metric of the agent is discrete");
  const auto first = FetchValues(session, pmids);
  if (!first) return first.error();
  Values before = *first;
  // Of which no two fetches one after the other gave the same.
  std::map<std::pair<Pmid, std::int32_t>, int> changes;
  for (int i = 1; i < kFetches; ++i) {
    const Answer surplus = session.Next(bench.limits().counter);
    if (surplus.kind() != Answer::Kind::kNothing) {
      return LeftTo({"CKA-158"_clause}, "between two fetches the agent gives " + surplus.ToText())
          .value();
    }
    auto now = FetchValues(session, pmids);
    if (!now) return now.error();
    for (const auto& [key, bytes] : *now) {
      const auto known = before.find(key);
      if (known != before.end() && known->second != bytes) ++changes[key];
    }
    before = *std::move(now);
  }
  OffenceWalk offences(bench, session);
  for (const auto& [key, times] : changes) {
    if (times < kFetches - 1) continue;
    offences.Note(
        "the value of " +
        (key.second == kInstanceNull ? "" : "instance " + std::to_string(key.second) + " of ") +
        bench.knowledge().Find(key.first)->ToText() + ", which is discrete, changed with each of " +
        std::to_string(kFetches) + " fetches");
  }
  return offences.Or(before.empty()
                         ? Verdict::NotChecked("no discrete metric of the agent has a value")
                         : Verdict::Pass());
}

// CKA-054
Verdict AnyNumberOfAClientIsServed(Bench& bench, Session& session) {
  const auto metric = bench.knowledge().AnyMetric();
  if (!metric) return metric.error();
  const Pmid pmid = bench.knowledge().metrics.front().pmid;
  std::vector<pdu::Body> requests = {pdu::DescReq{pmid}, pdu::Fetch{.pmids = std::span(&pmid, 1)},
                                     pdu::TextReq{pmid.value, pdu::kTextPmid | pdu::kTextOneLine}};
  if (!bench.knowledge().instances.empty()) {
    requests.emplace_back(pdu::InstanceReq{.indom = bench.knowledge().instances.begin()->first});
  }
  OffenceWalk offences(bench, session);
  for (const pdu::Body& request : requests) {
    const Answer usual = session.Ask(request);
    if (!usual.is_pdu()) {
      return offences.Or(
          LeftTo({"CKA-030"_clause, "CKA-034"_clause, "CKA-080"_clause, "CKA-087"_clause},
                 Brief(request) + ": " + usual.ToText())
              .value());
    }
    for (const std::int32_t from : {1001, 4999}) {
      session.Introduce(from);
      const Answer answer = session.Ask(request, from);
      if (answer.is_pdu() && answer.header().type == usual.header().type) continue;
      if (!offences.GoOn(Brief(request) + " from client " + std::to_string(from) + ": " +
                         answer.ToText() + ", where from client 0 it is " + usual.ToText())) {
        return offences.Or(Verdict::Pass());
      }
    }
  }
  return offences.Or(Verdict::Pass());
}

constexpr Check kChecks[] = {
    {"CKA-053"_clause, DoublesAreInTheirOrder},
    {"CKA-054"_clause, AnyNumberOfAClientIsServed},
    {"CKA-055"_clause, DiscreteValuesStay},
};

}  // namespace

std::span<const Check> PlausibilityChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
