// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_COMPARE_MACHINE_ZONE_H_
#define PMPROOF_VALIDATOR_COMPARE_MACHINE_ZONE_H_

#include <cstdint>
#include <optional>
#include <string>

// Time zones as PCP's tools know them: those of the C library, by the name of a file of its tz
// database or by a POSIX string such as "EST+5" (OUT-108).

namespace pmproof::validator::compare {

// Sets the process's zone (TZ) while it lives, for the C library has no other way: one at a time,
// and no other thread uses the zone or the environment meanwhile. A resource.
class MachineZone {
 public:
  // Why the C library would take it for UTC, or nothing if it knows the zone.
  static std::optional<std::string> Unknown(const std::string& zone);

  explicit MachineZone(const std::string& zone);
  MachineZone(const MachineZone&) = delete;
  MachineZone& operator=(const MachineZone&) = delete;
  ~MachineZone();

  // Seconds by which its clock is ahead of UTC at a time in seconds since 1970.
  std::int64_t OffsetAt(std::int64_t seconds) const;

 private:
  std::optional<std::string> before_;
};

}  // namespace pmproof::validator::compare

#endif  // PMPROOF_VALIDATOR_COMPARE_MACHINE_ZONE_H_
