// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "validator/collector/checks.h"
#include "validator/collector/malformed.h"

// CKC-037..039: stores.

namespace pmproof::validator::collector {
namespace {

constexpr Pmid kNumfetch = Pmid::Of(kSimpleDomain, 0, 0);
constexpr Pmid kTimeUser = Pmid::Of(kSimpleDomain, 1, 2);
constexpr Pmid kTrivialTime = Pmid::Of(kTrivialDomain, 0, 0);
constexpr Pmid kNobodys = Pmid::Of(kNoDomain, 0, 0);

void Stores(Trial& trial) {  // CKC-037
  Client& client = trial.Connect();
  trial.Need(client, kNumfetch, "simple (253)");
  trial.Need(client, kTrivialTime, "trivial (250)");
  trial.ExpectError(client.Ask(ResultOf({{kNumfetch, 500}})), ErrorCode::kOk,
                    "store of 500 into simple.numfetch");
  trial.ExpectValue(client.Fetch(FetchOf(0, {kNumfetch})).answer, kNumfetch, 501,
                    "FETCH of simple.numfetch after a store of 500");
  trial.ExpectError(client.Ask(ResultOf({{kNumfetch, -3}})), pdu::kErrBadStore,
                    "store of -3 into simple.numfetch");
  // A DOUBLE with the value 1.0 (PMD-237).
  const Octets user = Words({0x38, 0x7001, 0, 0, 0, 1, kTimeUser.value, 1, 1, 0xffffffff, 0xb,
                             0x0500000c, 0x3ff00000, 0});
  trial.ExpectError(client.Ask(user), pdu::kErrPermission, "store into simple.time.user");
  trial.ExpectError(client.Ask(ResultOf({{kNobodys, 1}})), pdu::kErrNoAgent, "store into 99.0.0");
  trial.ExpectError(client.Ask(ResultOf({{kTrivialTime, 1}})), pdu::kErrPermission,
                    "store into trivial.time");
}

void EmptyStores(Trial& trial) {  // CKC-038
  Client& client = trial.Connect();
  trial.Need(client, kNumfetch, "simple (253)");
  trial.ExpectError(client.Ask(Words({0x18, 0x7001, 0, 0, 0, 0})), ErrorCode::kOk,
                    "RESULT with npmid 0");
  trial.ExpectError(client.Ask(Words({0x20, 0x7001, 0, 0, 0, 1, kNumfetch.value, 0})),
                    ErrorCode::kOk, "RESULT with numval 0");
}

void BadStores(Trial& trial) {  // CKC-039
  Client& client = trial.Connect();
  for (const Malformed& store : MalformedStores()) {
    trial.ExpectError(client.Ask(store.bytes), pdu::kErrIpc, store.what);
    trial.ExpectUsable(client, store.what);
  }
}

constexpr std::array kChecks = {
    Check{"CKC-037"_clause, Stores},
    Check{"CKC-038"_clause, EmptyStores},
    Check{"CKC-039"_clause, BadStores},
};

}  // namespace

std::span<const Check> StoreChecks() { return kChecks; }

}  // namespace pmproof::validator::collector
