// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTS_SHARED_ARCHIVES_H_
#define PMPROOF_VALIDATOR_TESTS_SHARED_ARCHIVES_H_

#include <string>

namespace pmproof::validator::testing {

// The folder of recorded archives: in the one that PMPROOF_SHARED names, or in `shared` beside the
// workspace. Empty if there are none: a test that needs them says so and is skipped.
std::string SharedArchives();

inline constexpr char kNoSharedArchives[] =
    "no recorded archives: set PMPROOF_SHARED, or put them into ../shared beside the workspace";

}  // namespace pmproof::validator::testing

#endif  // PMPROOF_VALIDATOR_TESTS_SHARED_ARCHIVES_H_
