// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_FUZZ_CHECK_TARGET_H_
#define PMPROOF_VALIDATOR_FUZZ_CHECK_TARGET_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace pmproof::validator {

// Checks the base archive of ARC-1000, of the version that the first byte chooses, with the rest of
// the input as the content of the file with this suffix ("0.xz" for compressed content). Both ways
// through the values are taken, and must agree; nothing may crash, and the report must be complete.
void CheckWithFile(const std::string& suffix, const std::uint8_t* data, std::size_t size);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_FUZZ_CHECK_TARGET_H_
