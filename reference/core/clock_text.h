// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_CLOCK_TEXT_H_
#define PMPROOF_REFERENCE_CORE_CLOCK_TEXT_H_

#include <cstdint>
#include <string>

#include "reference/core/timestamp.h"

// Time stamps as PCP's tools write them (MET-1001).

namespace pmproof {

// "10:20:30.123": the time of day `zone` seconds east of UTC, with 3, 6 or 9 digits of the second,
// which are cut off, not rounded; or "10:20:30", with none.
std::string ClockText(Timestamp time, unsigned digits, std::int64_t zone = 0);

// "Tue Nov 14 22:13:20.500000 2023", the day of the month in two columns, the year as a number.
std::string DateClockText(Timestamp time, unsigned digits, std::int64_t zone = 0);

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_CLOCK_TEXT_H_
