// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_FUZZ_REPLAY_TARGET_H_
#define PMPROOF_VALIDATOR_FUZZ_REPLAY_TARGET_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pmproof::validator {

// An archive of .meta, .index and one volume as one input: the lengths of the first two (4 bytes
// each, high byte first; what is too long ends with the input), then the files in this order.
std::vector<std::uint8_t> AsInput(const std::map<std::string, std::vector<std::uint8_t>>& files);

// Replays such an archive: all metrics, at times in it, beside it and outside, in one call and one
// by one, under each profile and the emulation of each version of PCP. Nothing may crash or take
// more memory than it is allowed; every time is answered; what is asked for in one call is answered
// as it is one by one (INT-306).
void ReplayInput(const std::uint8_t* data, std::size_t size);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_FUZZ_REPLAY_TARGET_H_
