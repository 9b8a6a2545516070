// SPDX-License-Identifier: Apache-2.0
// 16.3 Profiles.

#include <algorithm>
#include <csignal>
#include <set>

#include "generators/agent/faults/edit_pdu.h"
#include "generators/agent/faults/faults.h"

namespace pmproof::generators {
namespace {

using pdu::Buffer;
using pdu::PduType;

struct EditableProfile {
  pdu::Profile profile{};
  std::vector<pdu::ProfileEntry> entries{};
};

// What the sound agent is handed in place of a well-formed PROFILE.
void EditProfile(const Request& request, Buffer& handed,
                 const std::function<void(EditableProfile&)>& edit) {
  const auto* profile = request.As<pdu::Profile>();
  if (profile == nullptr) return;
  EditableProfile editable{*profile, {profile->entries.begin(), profile->entries.end()}};
  edit(editable);
  editable.profile.entries = editable.entries;
  Buffer out;
  if (pdu::Encode({request.from, editable.profile}, &out)) handed = std::move(out);
}

// The same for each entry; false: it is taken away.
template <bool (*kKeep)(const FaultContext&, pdu::ProfileEntry&)>
void EditEntries(FaultContext& context, const Request& request, Buffer& handed) {
  EditProfile(request, handed, [&](EditableProfile& p) {
    std::erase_if(p.entries, [&](pdu::ProfileEntry& entry) { return !kKeep(context, entry); });
  });
}

bool IsOfDomain(const FaultContext& context, const pdu::ProfileEntry& entry) {
  return !entry.indom.flag() && entry.indom.domain() == context.domain;
}
bool HasInstances(const FaultContext&, pdu::ProfileEntry& entry) {
  return !entry.instances.empty();
}
bool HasNoneTwice(const FaultContext&, pdu::ProfileEntry& entry) {
  return std::set<std::int32_t>(entry.instances.begin(), entry.instances.end()).size() ==
         entry.instances.size();
}
bool IsOrdered(const FaultContext&, pdu::ProfileEntry& entry) {
  return std::ranges::is_sorted(entry.instances);
}
bool StateIsExcludeOrInclude(const FaultContext&, pdu::ProfileEntry& entry) {
  if (entry.state > pdu::kExclude) entry.state = pdu::kInclude;
  return true;
}
bool HasKnownInstances(const FaultContext& context, pdu::ProfileEntry& entry) {
  if (!IsOfDomain(context, entry) || entry.instances.empty()) return true;
  const IndomModel* indom = context.model.FindIndom(entry.indom.serial());
  if (indom == nullptr) return true;
  return std::ranges::any_of(entry.instances, [&](std::int32_t number) {
    return std::ranges::find(indom->instances, number, &InstanceModel::number) !=
           indom->instances.end();
  });
}
bool IsOfEverybody(const FaultContext& context, pdu::ProfileEntry& entry) {
  if (!IsOfDomain(context, entry) || context.model.FindIndom(entry.indom.serial()) == nullptr) {
    entry.indom = Indom::Of(context.domain, context.model.indoms.front().serial);
  }
  return true;
}

Buffer ExcludeAll() { return Encoded(pdu::Profile{.state = pdu::kExclude}); }

bool IsFetch(const Request& request) { return request.As<pdu::Fetch>() != nullptr; }

constexpr std::size_t kLargeProfile = 100;
constexpr int kForgets = 97;

}  // namespace

std::vector<Fault> ProfileFaults() {
  return {
      {.id = "dies-without-profile",
       .check = "CKA-060"_clause,
       .does = "it crashes on a FETCH before any PROFILE",
       .together = {"CKA-167"_clause},
       .request =
           [](FaultContext& context, const Request& request, Buffer&) {
             if (request.type == PduType::kProfile) context.count = 1;
             if (IsFetch(request) && context.count == 0) context.Die(SIGSEGV);
           }},
      {.id = "needs-a-profile",
       .check = "CKA-060"_clause,
       .does = "a FETCH before any PROFILE is answered with an ERROR",
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             if (request.type == PduType::kProfile) context.count = 1;
             if (IsFetch(request) && context.count == 0) reply = ErrorReply(pdu::kErrNoProfile);
           }},
      {.id = "last-entry-wins",
       .check = "CKA-061"_clause,
       .does = "of several entries of a profile for a domain the last one counts",
       .request =
           [](FaultContext&, const Request& request, Buffer& handed) {
             EditProfile(request, handed,
                         [](EditableProfile& p) { std::ranges::reverse(p.entries); });
           }},
      {.id = "odd-state-includes",
       .check = "CKA-061"_clause,
       .does = "a profile of state 7 includes",
       .request =
           [](FaultContext&, const Request& request, Buffer& handed) {
             EditProfile(request, handed, [](EditableProfile& p) {
               if (p.profile.state > pdu::kExclude) p.profile.state = pdu::kInclude;
             });
           }},
      {.id = "odd-state-of-an-entry-includes",
       .check = "CKA-061"_clause,
       .does = "an entry of state 7 includes",
       .request = EditEntries<StateIsExcludeOrInclude>},
      {.id = "empty-entry-means-nothing",
       .check = "CKA-061"_clause,
       .does = "an entry without instances is passed over",
       .request = EditEntries<HasInstances>},
      {.id = "entry-of-unknown-means-nothing",
       .check = "CKA-061"_clause,
       .does = "an entry of instances that are not there is passed over",
       .request = EditEntries<HasKnownInstances>},
      {.id = "entry-with-doubles-means-nothing",
       .check = "CKA-061"_clause,
       .does = "an entry that has an instance twice is passed over",
       .request = EditEntries<HasNoneTwice>},
      {.id = "entry-needs-order",
       .check = "CKA-061"_clause,
       .does = "an entry whose instances do not ascend is passed over",
       .together = {"CKA-067"_clause},
       .request = EditEntries<IsOrdered>},
      {.id = "entries-of-others-are-its-own",
       .check = "CKA-061"_clause,
       .does = "an entry of an unknown domain counts for its own",
       .together = {"CKA-067"_clause},
       .request = EditEntries<IsOfEverybody>},
      {.id = "exclude-all-hides-singular",
       .check = "CKA-062"_clause,
       .does = "a profile that excludes all hides singular metrics too",
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             if (const auto* profile = request.As<pdu::Profile>()) {
               context.count = profile->state == pdu::kExclude && profile->entries.empty();
             }
             if (!IsFetch(request) || context.count == 0) return;
             EditSets(reply, [](auto& sets) {
               for (EditableSet& one : sets) one.values.clear();
             });
           }},
      {.id = "one-context-only",
       .check = "CKA-063"_clause,
       .does = "profiles of contexts other than 0 are passed over",
       .together = {"CKA-065"_clause},
       .request =
           [](FaultContext&, const Request& request, Buffer& handed) {
             const auto* profile = request.As<pdu::Profile>();
             if (profile != nullptr && profile->context != 0) handed.clear();
           }},
      {.id = "one-client-only",
       .check = "CKA-064"_clause,
       .does = "profiles of clients other than 0 are passed over",
       .request =
           [](FaultContext&, const Request& request, Buffer& handed) {
             if (request.As<pdu::Profile>() != nullptr && request.from != 0) handed.clear();
           }},
      {.id = "forgets-a-profile-now-and-then",
       .check = "CKA-065"_clause,
       .does = "of every 97 profiles it passes over one",
       .request =
           [](FaultContext& context, const Request& request, Buffer& handed) {
             if (request.As<pdu::Profile>() == nullptr) return;
             if (++context.count % kForgets == 0) handed.clear();
           }},
      {.id = "malformed-profile-excludes",
       .check = "CKA-066"_clause,
       .does = "a malformed profile excludes all",
       .request =
           [](FaultContext&, const Request& request, Buffer& handed) {
             if (request.type == PduType::kProfile && request.decoded == nullptr) {
               handed = ExcludeAll();
             }
           }},
      {.id = "malformed-profile-is-answered",
       .check = "CKA-066"_clause,
       .does = "a malformed profile is answered with an ERROR",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             if (request.type == PduType::kProfile && request.decoded == nullptr) {
               reply = ErrorReply(pdu::kErrIpc);
             }
           }},
      {.id = "large-profile-means-nothing",
       .check = "CKA-067"_clause,
       .does = "a profile of more than 100 entries is passed over",
       .request =
           [](FaultContext&, const Request& request, Buffer& handed) {
             const auto* profile = request.As<pdu::Profile>();
             if (profile != nullptr && profile->entries.size() > kLargeProfile) handed.clear();
           }},
      {.id = "end-of-a-client-ends-the-profile",
       .check = "CKA-068"_clause,
       .does = "at the end of any client the profile excludes all",
       .request =
           [](FaultContext&, const Request& request, Buffer& handed) {
             const auto* error = request.As<pdu::Error>();
             if (error != nullptr && error->code == pdu::kErrNotConnected) handed = ExcludeAll();
           }},
      {.id = "profile-filters-instances",
       .check = "CKA-069"_clause,
       .does = "the list of instances has only those of the profile",
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             if (request.As<pdu::Profile>() != nullptr) {
               context.kept = {Buffer(request.bytes.begin(), request.bytes.end())};
             }
             const auto* asked = request.As<pdu::InstanceReq>();
             if (asked == nullptr || context.kept.empty() || !asked->name.empty() ||
                 asked->instance != kInstanceNull) {
               return;
             }
             pdu::Decoder decoder;
             const auto kept = decoder.Decode(context.kept[0]);
             const auto& profile = std::get<pdu::Profile>(kept->body);
             EditInstances(reply, [&](auto& entries) {
               std::erase_if(entries, [&](const pdu::InstanceEntry& entry) {
                 return !profile.Includes(asked->indom, entry.instance);
               });
             });
           }},
  };
}

}  // namespace pmproof::generators
