// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_CONTENT_DIGEST_H_
#define PMPROOF_VALIDATOR_CHECK_CONTENT_DIGEST_H_

#include <string>

#include "reference/core/bytes.h"

namespace pmproof::validator {

// The xxh3-128 of a file as it lies there, 32 hexadecimal digits. Reads each byte once.
std::string ContentDigest(Bytes bytes);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_CONTENT_DIGEST_H_
