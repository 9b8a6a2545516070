// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "validator/collector/checks.h"

// CKC-045..047, 061: what agents learn of the collector's clients.

namespace pmproof::validator::collector {
namespace {

constexpr Pmid kColor = Pmid::Of(kSimpleDomain, 0, 1);
constexpr Indom kColors = Indom::Of(kSimpleDomain, 0);
constexpr Indom kOwnIndom = Indom::Of(kSteady.domain, 0);
constexpr Pmid kOwn = kSteady.Metric(1);

// A client's context, and the instances that its profile names.
struct View {
  Client* client;
  std::int32_t context;
  std::vector<std::int32_t> instances;
};

void ExpectInstances(Trial& trial, const Answer& answer, const View& view, std::string_view about) {
  const auto* const result = trial.ExpectPdu<pdu::Result>(answer, about);
  if (result == nullptr) return;
  const bool equal =
      result->sets.size() == 1 &&
      std::ranges::equal(result->sets[0].values, view.instances, {}, &pdu::InstanceValue::instance);
  std::string words = "the instances of its profile:";
  for (const std::int32_t instance : view.instances) words += " " + std::to_string(instance);
  trial.Expect(equal, about, words, pdu::ToText(*answer.decoded()));
}

// Twice from each view in turn, until there were 100 fetches.
void Alternate(Trial& trial, const std::vector<View>& views, std::string_view who) {
  constexpr std::size_t kFetches = 100;
  for (const View& view : views) {
    view.client->Send(ProfileOf(view.context, kColors, view.instances));
  }
  for (std::size_t i = 0; i < kFetches && !trial.decided(); ++i) {
    const View& view = views[i / 2 % views.size()];
    ExpectInstances(
        trial, view.client->Fetch(FetchOf(view.context, {kColor})).answer, view,
        "fetch " + std::to_string(i + 1) + " of simple.color, by turns of " + std::string(who));
  }
  Stub& agent = trial.Call(kSteady);
  for (const View& view : views) {
    view.client->Send(ProfileOf(view.context, kOwnIndom, view.instances));
  }
  for (std::size_t i = 0; i < kFetches && !trial.decided(); ++i) {
    const View& view = views[i / 2 % views.size()];
    const bool switched = i % 2 == 0;
    const std::string about =
        "fetch " + std::to_string(i + 1) + " of the agent, by turns of " + std::string(who);
    agent.TakeProfiles();
    view.client->Send(FetchOf(view.context, {kOwn}));
    agent.Await(pdu::PduType::kFetch);
    const unsigned profiles = agent.TakeProfiles();
    trial.Expect(profiles == (switched ? 1U : 0U), about,
                 switched ? "a PROFILE before it, for the agent served another one before"
                          : "no PROFILE before it, for the agent has it already",
                 std::to_string(profiles));
    std::vector<std::pair<std::int32_t, std::int32_t>> values;
    for (const std::int32_t instance : {0, 1, 2}) {
      if (agent.profile().Includes(kOwnIndom, instance)) values.emplace_back(instance, 1);
    }
    agent.Send(ResultOf(kOwn, values));
    ExpectInstances(trial, view.client->ReceiveFetched().answer, view, about);
  }
}

void TwoClients(Trial& trial) {  // CKC-045
  trial.Call(kSteady);
  Client& one = trial.Connect();
  Client& two = trial.Connect();
  trial.Need(one, kColor, "simple (253)");
  Alternate(trial, {{&one, 0, {0}}, {&two, 0, {1, 2}}}, "two clients");
}

void ThreeContexts(Trial& trial) {  // CKC-046
  trial.Call(kSteady);
  Client& client = trial.Connect();
  trial.Need(client, kColor, "simple (253)");
  Alternate(trial, {{&client, 0, {0}}, {&client, 1, {1}}, {&client, 2, {0, 2}}}, "three contexts");
}

// Waits until the agent is told that the client of this slot is gone.
void AwaitGone(Trial& trial, Stub& agent, std::int32_t slot) {
  while (!trial.decided()) {
    const Answer answer = agent.Receive();
    const auto* const error = answer.As<pdu::Error>();
    if (error != nullptr && answer.header().from == slot) {
      trial.Expect(error->code == pdu::kErrNotConnected, "a client disconnects",
                   "ERROR -12391 to the agent " + std::string(agent.role().name), answer.ToText());
      return;
    }
    // Of clients that went before.
    if (error != nullptr && error->code == pdu::kErrNotConnected) continue;
    if (answer.As<pdu::Profile>() != nullptr) continue;
    trial.Expect(false, "a client of slot " + std::to_string(slot) + " disconnects",
                 "ERROR -12391 from this slot to the agent " + std::string(agent.role().name),
                 answer.ToText());
    return;
  }
}

void Disconnect(Trial& trial) {  // CKC-047
  Stub& asked = trial.Call(kSteady);
  Stub& idle = trial.Call(kIdle);
  Client& other = trial.Connect();
  idle.Serve(other, kIdle.Metric(1), ResultOf({{kIdle.Metric(1), 1}}));
  Client& client = trial.Connect();
  client.Send(FetchOf(0, {kOwn}));
  const Answer fetch = asked.Await(pdu::PduType::kFetch);
  asked.Send(ResultOf({{kOwn, 1}}));
  trial.ExpectValue(client.ReceiveFetched().answer, kOwn, 1, "FETCH of the agent");
  if (trial.decided()) return;
  const std::int32_t slot = fetch.header().from;
  client.Close();
  AwaitGone(trial, asked, slot);
  AwaitGone(trial, idle, slot);
}

bool IsNumberWithNul(std::string_view value) {
  if (value.size() < 2 || value.back() != '\0') return false;
  return std::ranges::all_of(value.substr(0, value.size() - 1),
                             [](char c) { return c >= '0' && c <= '9'; });
}

void Attributes(Trial& trial) {  // CKC-061
  Stub& agent = trial.Call(kAttributes);
  const Answer creds = agent.Receive();
  const auto* const body = trial.ExpectPdu<pdu::Creds>(creds, "CREDS of an agent");
  if (body == nullptr) return;
  const bool right = body->credentials.size() == 1 &&
                     body->credentials[0].type == pdu::kVersionCredential &&
                     body->credentials[0].version() == pdu::kProtocolVersion &&
                     body->credentials[0].flags() == pdu::kFeatureAuth;
  trial.Expect(right, "CREDS of an agent with flags 0x0044", "CREDS of version 2 with flags 0x0004",
               pdu::ToText(*creds.decoded()));
  if (!trial.subject().by_unix_socket) {
    trial.Note("the ATTR of clients was not looked at: pmproof has no unix socket to connect by");
    return;
  }
  Client& client = trial.Connect();
  trial.ExpectUsable(client, "set-up");
  // What comes first is of clients that were there before: any of them will do.
  const std::set<pdu::Attribute> due = {pdu::Attribute::kProcessId, pdu::Attribute::kGroupId,
                                        pdu::Attribute::kUserId};
  std::map<std::int32_t, std::set<pdu::Attribute>> seen;
  while (!trial.decided()) {
    const Answer answer = agent.Receive();
    if (const auto* const attribute = answer.As<pdu::Attr>()) {
      // Of a client that has named a container (CKC-008).
      if (attribute->attribute == pdu::Attribute::kContainer) continue;
      const std::string shown = pdu::ToText(*answer.decoded());
      trial.Expect(due.contains(attribute->attribute) && IsNumberWithNul(attribute->value),
                   "a client by unix socket connects",
                   "ATTR 14, 12 and 11, each a decimal number and a NUL", shown);
      auto& slot = seen[answer.header().from];
      slot.insert(attribute->attribute);
      // They come in this order, the process first, if the collector can see it.
      if (!slot.contains(pdu::Attribute::kGroupId) || !slot.contains(pdu::Attribute::kUserId)) {
        continue;
      }
      if (!slot.contains(pdu::Attribute::kProcessId)) {
        trial.Note(
            "ATTR 14 did not come: the collector sees no processes of here, or leaves it out");
      }
      return;
    }
    const auto* const error = answer.As<pdu::Error>();
    if (error != nullptr && error->code == pdu::kErrNotConnected) {
      seen.erase(answer.header().from);
      continue;
    }
    trial.Expect(false, "a client by unix socket connects", "ATTR 14, 12 and 11", answer.ToText());
    return;
  }
}

constexpr std::array kChecks = {
    Check{"CKC-045"_clause, TwoClients},
    Check{"CKC-046"_clause, ThreeContexts},
    Check{"CKC-047"_clause, Disconnect},
    Check{"CKC-061"_clause, Attributes},
};

}  // namespace

std::span<const Check> ProfileChecks() { return kChecks; }

}  // namespace pmproof::validator::collector
