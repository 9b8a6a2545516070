// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_REPORT_DISCLOSURE_H_
#define PMPROOF_VALIDATOR_CHECK_REPORT_DISCLOSURE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pmproof::validator {

// What about people and machines a text tells.
enum class Private : std::uint8_t {
  kHost,        // names of hosts
  kAddress,     // IP and hardware addresses
  kUser,        // names and numbers of users, addresses of mail
  kCommand,     // command lines, environments
  kPath,        // home directories
  kIdentifier,  // serial numbers, UUIDs, machine IDs
};
inline constexpr std::size_t kPrivateKinds = 6;

// "host", "address", "user", "command", "path", "identifier".
const char* ToText(Private kind);

// One field of an archive that tells something private.
struct Disclosure {
  struct Place {
    std::string file;  // as in a finding
    std::int32_t part = 0;
    std::uint64_t offset = 0;  // bytes of the uncompressed file
    std::uint64_t length = 0;
  };

  static constexpr std::size_t kMostPlaces = 20;

  Private kind = Private::kHost;
  std::string field;          // "values of proc.psinfo.psargs"
  std::string example;        // the first one, printable
  std::uint64_t count = 0;    // how often in all files together
  std::vector<Place> places;  // the first of them, at most kMostPlaces
};

// By kind, then as they were met: labels, metadata, volumes.
struct Disclosures {
  static constexpr std::size_t kMostFields = 10'000;

  std::vector<Disclosure> fields;  // at most kMostFields
  std::uint64_t more = 0;          // places in further fields
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_REPORT_DISCLOSURE_H_
