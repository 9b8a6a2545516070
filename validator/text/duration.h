// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TEXT_DURATION_H_
#define PMPROOF_VALIDATOR_TEXT_DURATION_H_

#include <cstdint>
#include <string>

namespace pmproof::validator {

// A length of time as people read it: "0.250 ms", "999.000 ms", "5.000 s", "3 min 20 s",
// "2 h 05 min", "40 d 03 h": never more than three figures after the point, two units at most, what
// is smaller cut off. Negative ones with a minus.
std::string DurationText(std::int64_t nanoseconds);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TEXT_DURATION_H_
