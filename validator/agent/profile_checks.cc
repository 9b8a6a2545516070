// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

#include "validator/agent/asking.h"
#include "validator/agent/check.h"
#include "validator/agent/fetch.h"
#include "validator/agent/offence_walk.h"
#include "validator/agent/profile_trial.h"

// 16.3 Profiles.

namespace pmproof::validator::agent {
namespace {

// V with as many instances as there are, up to three.
VerdictOr<const KnownMetric*> Varied(const Knowledge& knowledge, std::size_t least) {
  for (std::size_t count = 3; count > least; --count) {
    if (const auto metric = knowledge.Instanced(count)) return metric;
  }
  return knowledge.Instanced(least);
}

// CKA-060
Verdict FetchWithoutProfile(Bench& bench) {
  auto metric = bench.knowledge().Singular();
  if (!metric) metric = bench.knowledge().Instanced();
  if (!metric) return metric.error();
  auto session = bench.Start();
  if (!session) return session.error();
  if (const auto creds = session->ReceiveCreds(); !creds) return creds.error();
  session->SendCreds();
  if (const auto ready = session->BecomeReady(); !ready) {
    return LeftTo({"CKA-160"_clause}, ready.error()).value();
  }
  session->Introduce(0);
  const std::vector<Pmid> pmids{(*metric)->pmid};
  const auto fetched = Fetch(*session, pmids);
  if (!fetched) return fetched.error();
  if (const auto wrong = WrongSets(pmids, fetched->result()); !wrong.empty()) {
    return Verdict::Fail(wrong);
  }
  return bench.Probe(*session);
}

// The cases of section 18.6 for the instances 0, 1, 2 of `indom`: here a, b, c.
std::vector<Step> CasesOfProfiles(Indom indom, Indom other, Indom foreign, std::int32_t a,
                                  std::int32_t b, std::int32_t c, std::int32_t unknown) {
  using Entries = std::vector<Wanted::Entry>;
  const std::vector<std::pair<std::int32_t, Entries>> cases = {
      {0, {}},
      {0, {{indom, 0, {b}}}},
      {0, {{indom, 1, {b}}}},
      {1, {}},
      {1, {{indom, 0, {b}}}},
      {1, {{indom, 1, {b}}}},
      {0, {{indom, 1, {}}}},
      {1, {{indom, 0, {}}}},
      {0, {{other, 1, {}}}},
      {0, {{indom, 1, {a}}, {indom, 1, {c}}}},
      {0, {{indom, 1, {unknown}}}},
      {0, {{indom, 1, {b, b}}}},
      {7, {}},
      {0, {{indom, 7, {b}}}},
      {0, {{indom, 1, {c, a}}}},
      {1, {{foreign, 0, {}}}},
      {1, {{Indom::Null(), 0, {}}}},
  };
  std::vector<Step> steps;
  for (const auto& [state, entries] : cases) {
    steps.push_back({.name = "case " + std::to_string(steps.size() + 1) + " of 18.6",
                     .wanted = {state, entries}});
  }
  return steps;
}

// CKA-061
Verdict ProfilesSelectInstances(Bench& bench, Session& session) {
  const auto metric = Varied(bench.knowledge(), 2);
  if (!metric) return metric.error();
  const auto other = bench.knowledge().UnusedIndom();
  if (!other) return other.error();
  const Indom indom = (*metric)->descriptor.indom;
  const Indom foreign = Indom::Of(indom.domain() == 99 ? 98 : 99, 0);
  return UnlessWrongTwice([&]() -> VerdictOr<Offences> {
    const auto all = FetchAtLeast(session, **metric, 2);
    if (!all) return tl::make_unexpected(all.error());
    std::vector<KnownInstance> used;
    for (const std::int32_t instance : *all) used.push_back({.number = instance});
    return WrongSteps(session, **metric,
                      CasesOfProfiles(indom, *other, foreign, (*all)[0], (*all)[1],
                                      (*all)[all->size() > 2 ? 2 : 1], UnusedInstance(used)));
  });
}

// CKA-062
Verdict ExcludingAllLeavesSingularMetrics(Bench& bench, Session& session) {
  const auto singular = bench.knowledge().Singular();
  const auto varied = bench.knowledge().Instanced();
  if (!singular && !varied) return varied.error();
  std::vector<Pmid> pmids;
  if (singular) pmids.push_back((*singular)->pmid);
  if (varied) pmids.push_back((*varied)->pmid);
  const Verdict verdict = UnlessWrongTwice([&]() -> VerdictOr<std::string> {
    Wanted::All().Send(session);
    const auto with = FetchForValues(session, pmids);
    if (!with) return tl::make_unexpected(with.error());
    Wanted::None().Send(session);
    const auto without = Fetch(session, pmids);
    if (!without) return tl::make_unexpected(without.error());
    if (auto wrong = WrongSets(pmids, without->result()); !wrong.empty()) return wrong;
    for (std::size_t i = 0; i < pmids.size(); ++i) {
      const bool with_instances = !singular || i > 0;
      const std::int32_t due = with_instances ? 0 : with->result().sets[i].numval();
      const std::int32_t numval = without->result().sets[i].numval();
      if (numval == due) continue;
      return "with all instances excluded, " + bench.knowledge().Find(pmids[i])->ToText() +
             " has numval " + std::to_string(numval) + ", where " + std::to_string(due) + " is due";
    }
    return "";
  });
  if (!verdict.passed()) return verdict;
  if (!singular)
    return Verdict::Pass("only of metrics with instances: " + singular.error().because);
  if (!varied) return Verdict::Pass("only of singular metrics: " + varied.error().because);
  return verdict;
}

// Two clients, or two contexts, one after the other, `times` times.
Verdict ProfilesTakeTurns(Bench& bench, Session& session, Client first, Client second,
                          std::size_t times, bool others) {
  const auto metric = bench.knowledge().Instanced(2);
  if (!metric) return metric.error();
  if (second.from != first.from) session.Introduce(second.from);
  const auto text = [](Client client) {
    return "client " + std::to_string(client.from) + " context " + std::to_string(client.context);
  };
  return UnlessWrongTwice([&]() -> VerdictOr<Offences> {
    const auto all = FetchAtLeast(session, **metric, 2);
    if (!all) return tl::make_unexpected(all.error());
    const Indom indom = (*metric)->descriptor.indom;
    std::vector<Step> steps;
    for (std::size_t i = 0; i < times; ++i) {
      const bool even = i % 2 == 0;
      const Client client = even ? first : second;
      steps.push_back({.name = "turn " + std::to_string(i + 1) + ", " + text(client),
                       .client = client,
                       .wanted = Wanted::Only(indom, (*all)[even ? 0 : 1])});
    }
    return WrongSteps(session, **metric, std::move(steps), others);
  });
}

// CKA-063
Verdict ContextsHaveTheirProfiles(Bench& bench, Session& session) {
  return ProfilesTakeTurns(bench, session, {.from = 0, .context = 0}, {.from = 0, .context = 5}, 3,
                           /*others=*/false);
}

// CKA-064
Verdict ClientsHaveTheirProfiles(Bench& bench, Session& session) {
  return ProfilesTakeTurns(bench, session, {.from = 0, .context = 0}, {.from = 1, .context = 0}, 3,
                           /*others=*/false);
}

// CKA-065
Verdict ProfilesAlternate(Bench& bench, Session& session) {
  return ProfilesTakeTurns(bench, session, {.from = 0, .context = 0}, {.from = 0, .context = 5},
                           bench.limits().alternations, /*others=*/true);
}

// A PROFILE of these words after the header.
pdu::Buffer RawProfile(std::initializer_list<std::uint32_t> words) {
  pdu::Buffer bytes(pdu::kHeaderSize + 4 * words.size());
  StoreU32(bytes.data(), static_cast<std::uint32_t>(bytes.size()));
  StoreU32(bytes.data() + 4, static_cast<std::uint32_t>(pdu::PduType::kProfile));
  std::uint8_t* at = bytes.data() + pdu::kHeaderSize;
  for (const std::uint32_t word : words) {
    StoreU32(at, word);
    at += 4;
  }
  return bytes;
}

// CKA-066
Verdict MalformedProfilesChangeNothing(Bench& bench, Session& session) {
  // Each would include all instances, were it taken.
  const auto metric = bench.knowledge().Instanced(2);
  const std::uint32_t indom = metric ? (*metric)->descriptor.indom.value : 0;
  const std::pair<const char*, pdu::Buffer> malformed[] = {
      {"PROFILE with nprof 5 and no entry", RawProfile({0, 0, 5, 0})},
      {"PROFILE with nprof -1", RawProfile({0, 0, 0xffffffff, 0})},
      {"PROFILE with ninst 1000 and no instance", RawProfile({0, 0, 1, 0, indom, 0, 1000, 0})},
      {"PROFILE of context -1", RawProfile({0xffffffff, 0, 0, 0})},
  };
  std::optional<Wanted> in_force;
  std::int32_t only = 0;
  if (metric) {
    const auto all = FetchAtLeast(session, **metric, 2);
    if (!all) return all.error();
    only = (*all)[0];
    in_force = Wanted::Only((*metric)->descriptor.indom, only);
    in_force->Send(session);
  }
  OffenceWalk offences(bench, session);
  for (const auto& [name, bytes] : malformed) {
    const Verdict silent = bench.Silent(session, Bytes(bytes));
    if (!silent.passed() && !offences.GoOn(std::string(name) + ": " + silent.because)) break;
    if (!in_force) continue;
    const auto fetched = FetchInstances(session, **metric);
    if (!fetched) return offences.Or(fetched.error());
    const std::string after = "after a " + std::string(name) + " " + (*metric)->ToText();
    if (in_force->Of((*metric)->descriptor.indom, fetched->instances) != fetched->instances) {
      offences.Note(after + " has values of instances " + Listed(fetched->instances) +
                    ", where the profile before it includes only " + std::to_string(only));
    } else if (fetched->instances.empty()) {
      // Either all are excluded now, or that instance has gone.
      const auto all = FetchAll(session, **metric);
      if (!all) return offences.Or(all.error());
      if (std::ranges::binary_search(*all, only)) {
        offences.Note(after + " has no value of instance " + std::to_string(only) +
                      ", which the profile before it includes");
      }
    }
    in_force->Send(session);
  }
  if (offences.any() || in_force) return offences.Or(Verdict::Pass());
  return Verdict::Pass("seen is only that the agent is silent: " + metric.error().because);
}

// A profile of 1000 domains with 16 instances each, of which `entry` is one.
Wanted Large(const Wanted::Entry& entry, std::int32_t state, std::int32_t unused) {
  constexpr std::uint32_t kEntries = 1000;
  constexpr std::size_t kInstances = 16;
  Wanted wanted{.state = state};
  for (std::uint32_t i = 0; wanted.entries.size() < kEntries - 1; ++i) {
    const Indom indom = Indom::Of(entry.indom.domain(), 0x3ff000 - i);
    if (indom == entry.indom) continue;
    Wanted::Entry& one = wanted.entries.emplace_back();
    one.indom = indom;
    one.state = pdu::kExclude;
    for (std::size_t k = 0; k < kInstances; ++k) {
      one.instances.push_back(static_cast<std::int32_t>(k));
    }
  }
  Wanted::Entry ours = entry;
  while (ours.instances.size() < kInstances) ours.instances.push_back(unused--);
  wanted.entries.insert(wanted.entries.begin() + kEntries / 2, std::move(ours));
  return wanted;
}

// CKA-067
Verdict LargeProfilesAreTaken(Bench& bench, Session& session) {
  const auto metric = Varied(bench.knowledge(), 1);
  if (!metric) return metric.error();
  const Indom indom = (*metric)->descriptor.indom;
  return UnlessWrongTwice([&]() -> VerdictOr<Offences> {
    const auto all = FetchAtLeast(session, **metric, 1);
    if (!all) return tl::make_unexpected(all.error());
    const std::int32_t one = all->front();
    // Numbers from here down are after those in use, unless there are very large ones.
    const std::int32_t unused = all->back() < 0x7fffff00 ? 0x7ffffff0 : all->back();
    return WrongSteps(
        session, **metric,
        {{.name = "1000 entries, one that includes only instance " + std::to_string(one),
          .wanted = Large({indom, pdu::kExclude, {one}}, pdu::kInclude, unused)},
         {.name = "1000 entries, one that excludes only instance " + std::to_string(one),
          .wanted = Large({indom, pdu::kInclude, {one}}, pdu::kExclude, unused)}});
  });
}

// CKA-068
Verdict EndOfOneClientLeavesOthers(Bench& bench, Session& session) {
  constexpr std::int32_t kOther = 1;
  auto metric = bench.knowledge().Instanced(2);
  const std::string without = metric ? "" : metric.error().because;
  if (!metric) metric = bench.knowledge().Singular();
  if (!metric) return metric.error();
  const Verdict verdict = UnlessWrongTwice([&]() -> VerdictOr<std::string> {
    Wanted wanted;
    if (without.empty()) {
      const auto all = FetchAtLeast(session, **metric, 2);
      if (!all) return tl::make_unexpected(all.error());
      wanted = Wanted::Only((*metric)->descriptor.indom, all->front());
    }
    const auto heard = session.Expect<pdu::Desc>(pdu::DescReq{(*metric)->pmid}, kOther);
    if (!heard) return tl::make_unexpected(heard.error());
    wanted.Send(session);
    const auto before = FetchInstances(session, **metric);
    if (!before) return tl::make_unexpected(before.error());
    session.Send(pdu::Error{.code = pdu::kErrNotConnected}, kOther);
    const auto behind = FetchInstances(session, **metric);
    if (!behind) return tl::make_unexpected(behind.error());
    if (before->instances == behind->instances && before->status == behind->status) return "";
    return (*metric)->ToText() + " has values of instances " + Listed(before->instances) +
           ", and of " + Listed(behind->instances) + " once another client has gone";
  });
  if (!verdict.passed() || without.empty()) return verdict;
  return Verdict::Pass("of a singular metric: " + without);
}

// CKA-069
Verdict ProfilesDoNotFilterInstances(Bench& bench, Session& session) {
  if (const auto any = bench.knowledge().AnyMetric(); !any) return any.error();
  if (const auto filled = FillInstanceDomains(bench, session); !filled) return filled.error();
  bool looked = false;
  OffenceWalk offences(bench, session);
  for (const auto& [indom, known] : bench.knowledge().instances) {
    if (known.empty()) continue;
    const Verdict verdict = UnlessWrongTwice([&, indom = indom]() -> VerdictOr<std::string> {
      const auto numbers = [&](const Wanted& wanted) -> VerdictOr<std::vector<std::int32_t>> {
        wanted.Send(session);
        const auto instances = InstancesAtAll(session, indom);
        if (!instances) return tl::make_unexpected(instances.error());
        std::vector<std::int32_t> all;
        for (const KnownInstance& instance : *instances) all.push_back(instance.number);
        std::ranges::sort(all);
        return all;
      };
      const auto before = numbers(Wanted::All());
      if (!before) return tl::make_unexpected(before.error());
      if (before->empty()) return "";
      looked = true;
      const auto none = numbers(Wanted::None());
      if (!none) return tl::make_unexpected(none.error());
      const auto one = numbers(Wanted::Only(indom, before->front()));
      if (!one) return tl::make_unexpected(one.error());
      const auto behind = numbers(Wanted::All());
      if (!behind) return tl::make_unexpected(behind.error());
      const auto due = Both(*before, *behind);
      for (const auto* const seen : {&*none, &*one}) {
        if (Both(due, *seen) == due) continue;
        return "INSTANCE_REQ of all of " + ToText(indom) + " gives " + Listed(*seen) +
               (seen == &*none
                    ? " while a profile excludes all"
                    : " while a profile includes only " + std::to_string(before->front())) +
               ", and " + Listed(due) + " while it excludes none";
      }
      return "";
    });
    if (!verdict.passed() && !offences.GoOn(verdict)) return offences.Or(verdict);
  }
  return offences.Or(looked ? Verdict::Pass()
                            : Verdict::NotChecked("no instance domain of the agent has instances"));
}

constexpr Check kChecks[] = {
    {"CKA-060"_clause, FetchWithoutProfile},
    {"CKA-061"_clause, ProfilesSelectInstances},
    {"CKA-062"_clause, ExcludingAllLeavesSingularMetrics},
    {"CKA-063"_clause, ContextsHaveTheirProfiles},
    {"CKA-064"_clause, ClientsHaveTheirProfiles},
    {"CKA-065"_clause, ProfilesAlternate},
    {"CKA-066"_clause, MalformedProfilesChangeNothing},
    {"CKA-067"_clause, LargeProfilesAreTaken},
    {"CKA-068"_clause, EndOfOneClientLeavesOthers},
    {"CKA-069"_clause, ProfilesDoNotFilterInstances},
};

}  // namespace

std::span<const Check> ProfileChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
