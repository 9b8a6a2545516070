// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_EMULATION_DEVIATION_H_
#define PMPROOF_REFERENCE_REPLAY_EMULATION_DEVIATION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/pcp_version.h"

namespace pmproof::replay::emulation {

// Why PCP may answer something else than the reference does: the deviations of section 13 that one
// archive shows, by their numbers; after them what the specification leaves ambiguous in PCP.
enum class Deviation : std::uint8_t {
  kNone = 0,
  kMarksUnseenInPlacing = 1,    // DEV-01
  kValueOfAMark = 2,            // DEV-02
  kStaleNextBound = 3,          // DEV-03
  kOpaqueOfBefore = 4,          // DEV-04
  kReleasedBuffer = 5,          // DEV-05
  kMarksOfOneRequest = 6,       // DEV-06
  kSuppressionByWhatIsMet = 7,  // DEV-07
  kWrapOf32 = 10,               // DEV-10
  kSizeOfOpenVolume = 17,       // DEV-17
  kCountedError = 18,           // DEV-18
  kKeptBounds = 23,             // DEV-23
  kLivesInTheSearch = 25,       // DEV-25

  // Found by this project; the specification does not have them (golden/ledger).
  kRecordsOfOneTime = 27,  // backward, the search ends at the first of several records of one time
  kIndexLeadsPast = 28,    // records before the first entry of the index are not looked at

  kTimesGoBack = 100,  // INT-309
  kSameTime,           // INT-310: observations of one time
  kMarkAtSameTime,     // INT-704: an observation and a mark of one time
  kUnexplained,        // none of these: a fault of ours
};

// "DEV-05", "INT-310", "unexplained".
std::string ToText(Deviation deviation);

// Deviations that an emulation does not have. A value.
class Mends {
 public:
  constexpr Mends() = default;
  constexpr Mends With(Deviation deviation) const {
    Mends more = *this;
    more.bits_ |= Bit(deviation);
    return more;
  }
  friend constexpr bool operator==(Mends, Mends) = default;
  constexpr bool Has(Deviation deviation) const { return (bits_ & Bit(deviation)) != 0; }

 private:
  // Of section 13 only.
  static constexpr std::uint32_t Bit(Deviation deviation) {
    return std::uint32_t{1} << static_cast<unsigned>(deviation);
  }

  std::uint32_t bits_ = 0;
};

// What an emulation of that version can be without, ascending. DEV-05 and DEV-10 are not among
// them: nothing is known of what PCP answers there.
std::vector<Deviation> MendableDeviations(PcpVersion version);

// Reads "DEV-07". Nothing if no emulation can be without it.
std::optional<Deviation> ParseMendable(std::string_view text);

}  // namespace pmproof::replay::emulation

#endif  // PMPROOF_REFERENCE_REPLAY_EMULATION_DEVIATION_H_
