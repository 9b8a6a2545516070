// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_REPORT_SURVIVAL_H_
#define PMPROOF_VALIDATOR_CHECK_REPORT_SURVIVAL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/core/timestamp.h"

namespace pmproof::validator {

// What can still be got out of an archive that is not readable, and how. A fault is a record that
// readers refuse, or a place where the framing of a volume is lost: who reads forward comes no
// further, also not to later volumes.
struct Survival {
  // A stretch of a file that is in no record that can be read.
  struct Loss {
    std::string file;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;   // 0 if nobody knows
    std::uint64_t records = 0;  // whole ones that readers refuse; 0 where framing is lost
  };

  bool opens = true;                        // readers can open the archive
  std::uint64_t readable = 0;               // data records before the first fault, marks included
  std::optional<std::uint64_t> total;       // data records there are; nothing where nobody can know
  std::optional<Timestamp> until;           // the latest time of those before the first fault
  std::uint64_t behind = 0;                 // whole records after the first fault
  std::optional<Timestamp> behind_from;     // the time of the first of them
  std::optional<Timestamp> recorded_until;  // of the last index entry, where it is later than all
  std::vector<Loss> lost;                   // by volume and offset; no more than kMostLosses
  std::uint64_t more_lost = 0;              // stretches that are not in `lost`
  std::vector<std::string> next;            // what to do: sentences without a capital or full stop

  static constexpr std::size_t kMostLosses = 20;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_REPORT_SURVIVAL_H_
