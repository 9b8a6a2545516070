// SPDX-License-Identifier: Apache-2.0
#include "validator/check/content_digest.h"

#include <xxhash.h>

#include "validator/text/hex_text.h"

namespace pmproof::validator {

std::string ContentDigest(Bytes bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return HexText(hash.high64) + HexText(hash.low64);
}

}  // namespace pmproof::validator
