// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_OUTPUT_NAME_H_
#define PMPROOF_VALIDATOR_CLI_OUTPUT_NAME_H_

#include <string>

#include "reference/archive/storage.h"

namespace pmproof::validator {

// Why a new archive cannot be called `out`, "DIRECTORY/BASE" (ARC-039), or cannot be there; empty
// if it can. Whether there is one of that name already is not looked at.
std::string RefuseBaseName(const archive::Storage& storage, const std::string& out);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_OUTPUT_NAME_H_
