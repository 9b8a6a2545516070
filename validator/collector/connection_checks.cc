// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <vector>

#include "validator/collector/checks.h"

// CKC-063, 064: who may connect, and how many.

namespace pmproof::validator::collector {
namespace {

constexpr Pmid kNumfetch = Pmid::Of(kSimpleDomain, 0, 0);
constexpr Pmid kOpenDescriptors = Pmid::Of(kPmcdDomain, 0, 17);

void ExpectRefusal(Trial& trial, const Answer& answer, ErrorCode code, std::string_view about) {
  const auto* const error = trial.ExpectPdu<pdu::Error>(answer, about);
  if (error == nullptr) return;
  trial.Expect(
      answer.bytes().size() == 20 && error->datum == 0U && error->code == code, about,
      "ERROR of 20 bytes with datum 0 and code " + agent::CodeText(code) + " in the old numbering",
      pdu::ToText(*answer.decoded()) + " of " + std::to_string(answer.bytes().size()) + " bytes");
}

void Access(Trial& trial) {  // CKC-063
  constexpr int kMost = 64;
  const CollectorUnderTest& subject = trial.subject();
  if (!subject.denied || !subject.limited || !subject.read_only) {
    trial.NotChecked("no collectors with other access rules: see pmproof collector config --help");
    return;
  }
  Client& denied = trial.Knock(subject.denied);
  ExpectRefusal(trial, denied.Receive(), pdu::kErrPermission, "connecting where all is denied");
  trial.ExpectClosed(denied.Receive(), "connecting where all is denied, after the ERROR");
  for (int i = 0; !trial.decided(); ++i) {
    if (i == kMost) {
      trial.Fail("connecting where connections are limited: 64 clients were let in");
      return;
    }
    const Answer answer = trial.Knock(subject.limited).Receive();
    const auto* const error = answer.As<pdu::Error>();
    if (error != nullptr && error->code == ErrorCode::kOk) continue;
    ExpectRefusal(trial, answer, pdu::kErrConnectionLimit,
                  "connecting where connections are limited");
    trial.Note(std::to_string(i) + " clients were let in before the limit");
    break;
  }
  Client& client = trial.Connect(subject.read_only);
  trial.Need(client, kNumfetch, "simple (253)");
  trial.ExpectError(client.Ask(ResultOf({{kNumfetch, 500}})), pdu::kErrPermission,
                    "store where stores are denied");
  const Fetched fetched = client.Fetch(FetchOf(0, {kNumfetch}));
  const auto* const result =
      trial.ExpectPdu<pdu::Result>(fetched.answer, "FETCH where stores are denied");
  if (result == nullptr) return;
  const bool stored = result->sets.size() != 1 || result->sets[0].values.size() != 1 ||
                      result->sets[0].values[0].word > 500;
  trial.Expect(!stored, "FETCH where stores are denied", "a value that was not stored",
               pdu::ToText(*fetched.answer.decoded()));
}

// The collector's own count of its descriptors; nothing if it has no such metric.
std::optional<std::uint32_t> Descriptors(Client& client) {
  const Fetched fetched = client.Fetch(FetchOf(0, {kOpenDescriptors}));
  const auto* const result = fetched.answer.As<pdu::Result>();
  if (result == nullptr || result->sets.size() != 1 || result->sets[0].values.size() != 1) {
    return std::nullopt;
  }
  return result->sets[0].values[0].word;
}

// Clients one after the other, then many at once, all of which are served.
void ComeAndGo(Trial& trial) {
  constexpr int kCycles = 200;
  constexpr int kParallel = 100;
  for (int i = 0; i < kCycles && !trial.decided(); ++i) {
    Client& client = trial.Connect();
    trial.ExpectUsable(client, "client " + std::to_string(i + 1) + " of 200");
    client.Close();
  }
  std::vector<Client*> clients;
  for (int i = 0; i < kParallel && !trial.decided(); ++i) clients.push_back(&trial.Connect());
  for (Client* const client : clients) client->Send(ChildrenOf("", 0));
  for (std::size_t i = 0; i < clients.size(); ++i) {
    trial.ExpectPdu<pdu::PmnsNames>(
        clients[i]->Receive(),
        "PMNS_CHILD of client " + std::to_string(i + 1) + " of 100 at the same time");
  }
  for (Client* const client : clients) client->Close();
}

// Its count once it is `enough` or has stopped falling: it learns of the end of its clients by and
// by.
std::optional<std::uint32_t> SettledDescriptors(Trial& trial, Client& watcher,
                                                std::uint32_t enough) {
  const pmda::Deadline deadline = trial.patience();
  std::optional<std::uint32_t> least = Descriptors(watcher);
  constexpr int kMostAlike = 100;
  for (int alike = 0;
       least && *least > enough && alike < kMostAlike && !trial.decided() && !deadline.passed();) {
    std::this_thread::sleep_for(trial.subject().limits.patience / 1000);
    const std::optional<std::uint32_t> now = Descriptors(watcher);
    if (!now) return now;
    alike = *now < *least ? 0 : alike + 1;
    least = std::min(*least, *now);
  }
  return least;
}

void ManyClients(Trial& trial) {  // CKC-064
  Client& watcher = trial.Connect();
  const std::optional<std::uint32_t> before = Descriptors(watcher);
  ComeAndGo(trial);
  if (!trial.sound()) return;
  if (!before) {
    trial.Note("descriptors were not counted: the collector has no metric pmcd.openfds (2.0.17)");
    return;
  }
  // The metric is the largest number that there ever was: a collector that has not had so many
  // clients yet is allowed to come to it once, and not to pass it when as many come again.
  const auto once = SettledDescriptors(trial, watcher, *before);
  if (!once) return trial.Fail("after 300 clients: no count of open descriptors");
  ComeAndGo(trial);
  if (!trial.sound()) return;
  const auto again = SettledDescriptors(trial, watcher, *once);
  trial.Expect(again && *again <= *once, "after 200 clients and 100 more, for the second time",
               std::to_string(*once) + " open descriptors, as after the first",
               again ? std::to_string(*again) : "no answer");
  trial.Note("descriptors at first, after 300 clients, after 600: " + std::to_string(*before) +
             ", " + std::to_string(*once) + ", " + std::to_string(again.value_or(0)));
}

constexpr std::array kChecks = {
    Check{"CKC-063"_clause, Access},
    Check{"CKC-064"_clause, ManyClients},
};

}  // namespace

std::span<const Check> ConnectionChecks() { return kChecks; }

}  // namespace pmproof::validator::collector
