// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_COLLECTOR_STUB_ROLES_H_
#define PMPROOF_VALIDATOR_COLLECTOR_STUB_ROLES_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "reference/core/identifiers.h"

// The agents that a collector has while it is checked.

namespace pmproof::validator::collector {

inline constexpr std::uint32_t kPmcdDomain = 2;
inline constexpr std::uint32_t kSampleDomain = 29;
inline constexpr std::uint32_t kTrivialDomain = 250;
inline constexpr std::uint32_t kSimpleDomain = 253;
inline constexpr std::uint32_t kNoDomain = 99;  // of no agent

// How a stub agent begins when the collector starts it: before anybody can tell it what to do.
enum class Opening : std::uint8_t {
  kCreds,           // as an agent has to
  kCredsWithFlags,  // flags 0x0044: wants user attributes and container names (PDU-130)
  kOtherPdu,        // DESC_REQ in place of CREDS
  kBadCreds,        // CREDS of 0 credentials, with a length that says 1
  kSilence,
};

// An agent that does what a check tells it (stub_agent_process.h). The collector drops most of them
// in the course of the checks and starts none again for a minute (PMD-044): each fault has its own.
struct Role {
  std::string_view name;
  std::uint32_t domain;
  Opening opening = Opening::kCreds;
  bool not_ready = false;  // `notready` in pmcd.conf (PMD-049)

  constexpr Pmid Metric(std::uint32_t item) const { return Pmid::Of(domain, 0, item); }
};

// No check has these dropped.
inline constexpr Role kSteady{"steady", 400};
inline constexpr Role kIdle{"idle", 418};
inline constexpr Role kAttributes{"attributes", 401, Opening::kCredsWithFlags};
inline constexpr Role kNotReady{"not_ready", 402, Opening::kCreds, true};
// CKC-062: the first that is dropped.
inline constexpr Role kRestarted{"restarted", 403};
inline constexpr Role kFetchIpc{"fetch_ipc", 404};          // CKC-049
inline constexpr Role kFetchTimeout{"fetch_timeout", 405};  // CKC-049
inline constexpr Role kTextIpc{"text_ipc", 406};            // CKC-050
inline constexpr Role kStoreIpc{"store_ipc", 407};          // CKC-050
inline constexpr Role kSilent{"silent", 408};               // CKC-051
inline constexpr Role kHalf{"half", 409};                   // CKC-052
inline constexpr Role kLeaves{"leaves", 410};               // CKC-053
inline constexpr Role kWrongType{"wrong_type", 411};        // CKC-053
inline constexpr Role kWrongCount{"wrong_count", 412};      // CKC-053
inline constexpr Role kShort{"short", 413};                 // CKC-053
inline constexpr Role kUnpadded{"unpadded", 414};           // CKC-065
// CKC-060: never started.
inline constexpr Role kNoCreds{"no_creds", 415, Opening::kOtherPdu};
inline constexpr Role kBadCreds{"bad_creds", 416, Opening::kBadCreds};
inline constexpr Role kLateCreds{"late_creds", 417, Opening::kSilence};

inline constexpr std::array kRoles = {
    kSteady,  kIdle,     kAttributes, kNotReady, kRestarted, kFetchIpc,  kFetchTimeout,
    kTextIpc, kStoreIpc, kSilent,     kHalf,     kLeaves,    kWrongType, kWrongCount,
    kShort,   kUnpadded, kNoCreds,    kBadCreds, kLateCreds};

// Null if there is none.
constexpr const Role* FindRole(std::string_view name) {
  for (const Role& role : kRoles) {
    if (role.name == name) return &role;
  }
  return nullptr;
}

// That is served at all, so that it will be there.
constexpr bool Starts(const Role& role) {
  return role.opening == Opening::kCreds || role.opening == Opening::kCredsWithFlags;
}

}  // namespace pmproof::validator::collector

#endif  // PMPROOF_VALIDATOR_COLLECTOR_STUB_ROLES_H_
