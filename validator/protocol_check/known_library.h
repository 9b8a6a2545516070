// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_PROTOCOL_CHECK_KNOWN_LIBRARY_H_
#define PMPROOF_VALIDATOR_PROTOCOL_CHECK_KNOWN_LIBRARY_H_

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "validator/protocol_check/expected_failures.h"

namespace pmproof::validator::agent {

// What every agent may fail that is built on that library, by its doing, as "NAME:VERSION":
// libpcp_pmda:7.2, python:7.2. Each reason names the clause. Error: there is no such library or
// version; says which there are.
tl::expected<std::vector<ExpectedFailure>, std::string> KnownLibrary(std::string_view name);

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_PROTOCOL_CHECK_KNOWN_LIBRARY_H_
