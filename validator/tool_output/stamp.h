// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TOOL_OUTPUT_STAMP_H_
#define PMPROOF_VALIDATOR_TOOL_OUTPUT_STAMP_H_

#include <cstdint>
#include <optional>
#include <string>

#include "reference/core/timestamp.h"
#include "validator/tool_output/record.h"
#include "validator/tool_output/scan.h"

// Times as the tools print them: cut, never rounded (OUT-103). Days and clocks are read as if they
// were of UTC; zone.h makes them times of UTC at the end.

namespace pmproof::validator::tool_output {

struct Stamp {
  std::int32_t second_of_day = 0;  // up to 86400, which is the next day's first (OUT-222)
  std::int32_t nanoseconds = 0;
  unsigned digits = 0;                // of the second: 0, 3, 6 or 9
  std::optional<std::int64_t> epoch;  // seconds since 1970, where the day was printed
  bool utc = false;                   // `epoch` itself was printed: it is of UTC in every zone
};

// `HH:MM:SS` and a point with `digits` digits, or with 3, 6 or 9 where that is not given and they
// end there.
std::optional<Stamp> TakeClock(Scan* scan, std::optional<unsigned> digits = std::nullopt);

// `[Ddd Mmm dd ]HH:MM:SS[.f]`, with the day also ` YYYY`, and after it what pmdumplog has with -xx
// and -xxx: ` (OFFSET)` and the seconds since the epoch, which then say the day (OUT-421). Without
// a day the fraction has `digits` digits where given, for a value may touch it (OUT-213).
std::optional<Stamp> TakeStamp(Scan* scan, std::optional<unsigned> digits = std::nullopt);

// "1700000000", "1700000000.500": as many decimals as were printed.
std::string StampText(const Stamp& stamp);

// "22:13:20.500"
std::string ClockTextOf(const Stamp& stamp);

// Finds the day of stamps without one: the day goes on where the clock goes back by more than half
// a day. A value.
class Days {
 public:
  // `start`: a time at or shortly before the first stamp.
  explicit Days(std::optional<Timestamp> start) : start_(start) { Restart(); }

  void Learn(const Stamp& stamp);     // a time that starts the stamps to come
  void Restart() { last_ = start_; }  // stamps come from the beginning again
  void set_backward() { backward_ = true; }

  void Place(const Stamp& stamp, Record* record);

 private:
  std::optional<Timestamp> start_;
  std::optional<Timestamp> last_;
  bool backward_ = false;
};

}  // namespace pmproof::validator::tool_output

#endif  // PMPROOF_VALIDATOR_TOOL_OUTPUT_STAMP_H_
