// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>

#include "validator/collector/checks.h"
#include "validator/collector/malformed.h"

// CKC-010..021: profiles and fetches of one client.

namespace pmproof::validator::collector {
namespace {

constexpr Pmid kNumfetch = Pmid::Of(kSimpleDomain, 0, 0);
constexpr Pmid kColor = Pmid::Of(kSimpleDomain, 0, 1);
constexpr Pmid kLongTen = Pmid::Of(kSampleDomain, 0, 10);
constexpr Pmid kLongLongTen = Pmid::Of(kSampleDomain, 0, 21);
constexpr Pmid kNobodys = Pmid::Of(kNoDomain, 0, 0);

std::int64_t Nanoseconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

void NoProfile(Trial& trial) {  // CKC-010
  Client& client = trial.Greet();
  client.Send(CredsOf(pdu::kProtocolVersion, 0));
  trial.ExpectError(client.Fetch(FetchOf(0, {kNumfetch})).answer, pdu::kErrNoProfile,
                    "FETCH before any PROFILE");
  client.Send(ProfileOfAll(0));
  trial.ExpectError(client.Fetch(FetchOf(5, {kNumfetch})).answer, pdu::kErrNoProfile,
                    "FETCH of context 5, which had no PROFILE");
  trial.ExpectError(client.Fetch(FetchOf(-1, {kNumfetch})).answer, pdu::kErrNoProfile,
                    "FETCH of context -1");
}

void ProfileIsSilent(Trial& trial) {  // CKC-011
  Client& client = trial.Connect();
  client.Send(ProfileOf(3, Indom::Of(kSimpleDomain, 0), {0, 2}));
  trial.ExpectUsable(client, "PROFILE");
}

void BadProfiles(Trial& trial) {  // CKC-012
  Client& client = trial.Connect();
  for (const Malformed& profile : MalformedProfiles()) {
    trial.ExpectError(client.Ask(profile.bytes), pdu::kErrIpc, profile.what);
    trial.ExpectUsable(client, profile.what);
  }
}

void Context63(Trial& trial) {  // CKC-013
  Client& client = trial.Connect();
  client.Send(ProfileOfAll(63));
  trial.ExpectPdu<pdu::Result>(client.Fetch(FetchOf(63, {kNobodys})).answer,
                               "FETCH of context 63 after its PROFILE");
}

void LargeContexts(Trial& trial) {  // CKC-014
  constexpr ErrorCode kTryAgain{-11};
  const Due due = DueFrom(trial.subject().version, {{6, 0, 99}}, {{6, 3, 1}});
  for (const std::int32_t context : {64, 1000000}) {
    Client& client = trial.Connect();
    const std::string about = "PROFILE of context " + std::to_string(context);
    client.Send(ProfileOfAll(context));
    const Answer answer = client.Ask(ChildrenOf("", 0));
    const bool silent = answer.As<pdu::PmnsNames>() != nullptr;
    if (due == Due::kOld || (due == Due::kEither && silent)) {
      trial.ExpectPdu<pdu::PmnsNames>(answer, about + ", which is silent, then PMNS_CHILD");
      if (due == Due::kEither) trial.Note(about + ": as 6.0.3, silent");
      continue;
    }
    trial.ExpectError(answer, kTryAgain, about);
    if (due == Due::kEither) trial.Note(about + ": as 6.3.1 and later, refused");
    trial.ExpectPdu<pdu::PmnsNames>(client.Receive(), "PMNS_CHILD after " + about);
  }
}

void OddProfiles(Trial& trial) {  // CKC-015
  Client& client = trial.Connect();
  client.Send(Words({0x1c, 0x7002, 0, 0, 7, 0, 0}));
  trial.ExpectUsable(client, "PROFILE with state 7");
  client.Send(Words({0x20, 0x7002, 0, 0, 0, 0, 0, 1}));
  trial.ExpectUsable(client, "PROFILE without entries and 4 bytes more");
}

void FetchOne(Trial& trial) {  // CKC-016
  Client& client = trial.Connect();
  trial.Need(client, kNumfetch, "simple (253)");
  const std::int64_t before = Nanoseconds() / 1'000'000'000;
  const Answer answer = client.Fetch(FetchOf(0, {kNumfetch})).answer;
  const std::int64_t after = Nanoseconds() / 1'000'000'000;
  const auto* const result = trial.ExpectPdu<pdu::Result>(answer, "FETCH of simple.numfetch");
  if (result == nullptr) return;
  const std::string shown = pdu::ToText(*answer.decoded());
  trial.Expect(result->sets.size() == 1 && result->sets[0].pmid == kNumfetch &&
                   result->sets[0].values.size() == 1 &&
                   result->sets[0].values[0].instance == kInstanceNull,
               "FETCH of simple.numfetch", "its value", shown);
  trial.Expect(result->seconds >= before - 1 && result->seconds <= after + 1,
               "FETCH of simple.numfetch",
               "the current time, " + std::to_string(after) + " seconds", shown);
  trial.Expect(result->microseconds >= 0 && result->microseconds < 1'000'000,
               "FETCH of simple.numfetch", "microseconds below 1000000", shown);
}

void FetchHighres(Trial& trial) {  // CKC-017
  Client& client = trial.Connect();
  const std::int64_t before = Nanoseconds();
  const Answer answer = client.Fetch(HighresFetchOf(0, {kNobodys})).answer;
  const std::int64_t after = Nanoseconds();
  const auto* const result = trial.ExpectPdu<pdu::HighresResult>(answer, "HIGHRES_FETCH");
  if (result == nullptr) return;
  const std::string shown = pdu::ToText(*answer.decoded());
  trial.Expect(result->nanoseconds >= 0 && result->nanoseconds < 1'000'000'000, "HIGHRES_FETCH",
               "nanoseconds below 10^9", shown);
  // Whole seconds are compared: what a collector may claim does not fit into nanoseconds.
  trial.Expect(
      result->seconds >= before / 1'000'000'000 - 1 && result->seconds <= after / 1'000'000'000 + 1,
      "HIGHRES_FETCH", "a time within 1 s of the clock", shown);
}

void Order(Trial& trial) {  // CKC-018
  Client& client = trial.Connect();
  trial.Need(client, kNumfetch, "simple (253)");
  trial.Need(client, kLongTen, "sample (29)");
  const std::array asked = {kLongTen, kColor, kNobodys, kLongLongTen};
  const std::string about = "FETCH of 29.0.10, 253.0.1, 99.0.0 and 29.0.21";
  const Answer answer =
      client.Fetch(FetchOf(0, std::vector<Pmid>(asked.begin(), asked.end()))).answer;
  const auto* const result = trial.ExpectPdu<pdu::Result>(answer, about);
  if (result == nullptr) return;
  const std::string shown = pdu::ToText(*answer.decoded());
  const bool ordered = std::ranges::equal(result->sets, asked, {},
                                          [](const pdu::ValueSet& set) { return set.pmid; });
  if (!trial.Expect(ordered, about, "their value sets in this order", shown)) return;
  trial.Expect(result->sets[2].numval() == static_cast<std::int32_t>(pdu::kErrNoAgent), about,
               "numval -12386 of 99.0.0", shown);
  for (const std::size_t good : {0, 1, 3}) {
    trial.Expect(result->sets[good].numval() > 0, about, "values of " + ToText(asked[good]), shown);
  }
}

void UnknownItem(Trial& trial) {  // CKC-019
  Client& client = trial.Connect();
  trial.Need(client, kNumfetch, "simple (253)");
  const Pmid unknown = Pmid::Of(kSimpleDomain, 0, 99);
  trial.ExpectNumval(client.Fetch(FetchOf(0, {unknown})).answer, unknown, -12358,
                     "FETCH of the unknown 253.0.99");
}

void BadFetches(Trial& trial) {  // CKC-020
  Client& client = trial.Connect();
  for (const Malformed& fetch : MalformedFetches()) {
    trial.ExpectError(client.Fetch(fetch.bytes).answer, pdu::kErrIpc, fetch.what);
    trial.ExpectUsable(client, fetch.what);
  }
}

void LargestFetch(Trial& trial) {  // CKC-021
  constexpr std::size_t kMost = 16377;
  constexpr std::size_t kAnswer = 327564;
  Client& client = trial.Connect();
  trial.Need(client, kNumfetch, "simple (253)");
  const std::string about = "FETCH of 16377 times 253.0.0";
  const Answer answer = client.Fetch(FetchOf(0, std::vector<Pmid>(kMost, kNumfetch))).answer;
  const auto* const result = trial.ExpectPdu<pdu::Result>(answer, about);
  if (result == nullptr) return;
  trial.Expect(answer.bytes().size() == kAnswer, about, "RESULT of 327564 bytes",
               std::to_string(answer.bytes().size()) + " bytes");
  trial.Expect(std::ranges::all_of(result->sets,
                                   [](const pdu::ValueSet& set) { return set.pmid == kNumfetch; }),
               about, "value sets of 253.0.0 only", "others");
}

constexpr std::array kChecks = {
    Check{"CKC-010"_clause, NoProfile},     Check{"CKC-011"_clause, ProfileIsSilent},
    Check{"CKC-012"_clause, BadProfiles},   Check{"CKC-013"_clause, Context63},
    Check{"CKC-014"_clause, LargeContexts}, Check{"CKC-015"_clause, OddProfiles},
    Check{"CKC-016"_clause, FetchOne},      Check{"CKC-017"_clause, FetchHighres},
    Check{"CKC-018"_clause, Order},         Check{"CKC-019"_clause, UnknownItem},
    Check{"CKC-020"_clause, BadFetches},    Check{"CKC-021"_clause, LargestFetch},
};

}  // namespace

std::span<const Check> FetchChecks() { return kChecks; }

}  // namespace pmproof::validator::collector
