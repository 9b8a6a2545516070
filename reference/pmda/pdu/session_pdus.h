// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_SESSION_PDUS_H_
#define PMPROOF_REFERENCE_PMDA_PDU_SESSION_PDUS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "reference/core/identifiers.h"
#include "reference/pmda/pdu/error_codes.h"
#include "reference/pmda/pdu/list.h"

// PDUs that set up and keep a connection: ERROR, CREDS, ATTR, PROFILE.

namespace pmproof::pdu {

// 4.1. With a datum it is the extended form, pmcd's first PDU to a client (PDU-050, PDU-140).
struct Error {
  ErrorCode code = ErrorCode::kOk;       // in the numbering of section 6 (PDU-051)
  std::optional<std::uint32_t> datum{};  // the challenge (PDU-141)

  friend bool operator==(const Error&, const Error&) = default;
};

// Feature bits of a challenge, and flags of a version credential (section 7).
inline constexpr std::uint16_t kFeatureSecure = 0x0001;
inline constexpr std::uint16_t kFeatureAuth = 0x0004;
inline constexpr std::uint16_t kFeatureCredsRequired = 0x0008;
inline constexpr std::uint16_t kFeatureSecureAck = 0x0010;
inline constexpr std::uint16_t kFeatureContainer = 0x0040;
inline constexpr std::uint16_t kFeatureCertRequired = 0x0080;
inline constexpr std::uint16_t kFeatureBadLabel = 0x0100;
inline constexpr std::uint16_t kFeatureLabels = 0x0200;
inline constexpr std::uint16_t kFeatureHighres = 0x0400;
inline constexpr std::uint16_t kFeatureDescs = 0x0800;

inline constexpr std::uint8_t kVersionCredential = 1;
inline constexpr std::uint8_t kProtocolVersion = 2;

// 4.2: a type and three bytes.
struct Credential {
  std::uint8_t type = 0;
  std::array<std::uint8_t, 3> bytes{};

  static constexpr Credential Version(std::uint8_t version, std::uint16_t flags) {
    return {kVersionCredential,
            {version, static_cast<std::uint8_t>(flags >> 8), static_cast<std::uint8_t>(flags)}};
  }
  // Of a version credential.
  constexpr std::uint8_t version() const { return bytes[0]; }
  constexpr std::uint16_t flags() const {
    return static_cast<std::uint16_t>(bytes[1] << 8 | bytes[2]);
  }

  friend bool operator==(const Credential&, const Credential&) = default;
};

struct Creds {
  List<Credential> credentials{};  // 1..1024 (PDU-052)

  friend bool operator==(const Creds&, const Creds&) = default;
};

// The attributes of 4.11. Open.
enum class Attribute : std::int32_t {
  kSasl = 0,
  kUserName = 5,
  kUserId = 11,
  kGroupId = 12,
  kProcessId = 14,
  kContainer = 15,
};

// 4.11. The same number is AUTH during a client's set-up.
struct Attr {
  Attribute attribute = Attribute::kSasl;
  std::string_view value{};  // at most 4095 bytes (PDU-072); from pmcd with its NUL (PDU-040)

  friend bool operator==(const Attr&, const Attr&) = default;
};

// States of a profile and of its entries; others count as exclude (PMD-025).
inline constexpr std::int32_t kInclude = 0;
inline constexpr std::int32_t kExclude = 1;

// 4.3: the instances of one domain.
struct ProfileEntry {
  Indom indom{};
  std::int32_t state = kInclude;
  List<std::int32_t> instances{};

  friend bool operator==(const ProfileEntry&, const ProfileEntry&) = default;
};

struct Profile {
  std::int32_t context = 0;  // the client's, >= 0
  std::int32_t state = kInclude;
  List<ProfileEntry> entries{};

  // Whether values of this instance are wanted (PMD-025). Linear in the profile.
  bool Includes(Indom indom, std::int32_t instance) const;

  friend bool operator==(const Profile&, const Profile&) = default;
};

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_SESSION_PDUS_H_
