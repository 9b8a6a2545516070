// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CUSTODY_SHA256_H_
#define PMPROOF_VALIDATOR_CUSTODY_SHA256_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "reference/core/bytes.h"

namespace pmproof::validator {

// A SHA-256 (FIPS 180-4).
using Sha256Digest = std::array<std::uint8_t, 32>;

// Hexadecimal digits in lower case, as `sha256sum` prints them.
std::string ToHex(Bytes digest);

// Nothing if `text` is anything else.
std::optional<Sha256Digest> ParseSha256(std::string_view text);

// Hashes bytes as they come. libcrypto does the work.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void Add(Bytes bytes);

  // Called once, last.
  Sha256Digest Finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

Sha256Digest Sha256Of(Bytes bytes);
std::array<std::uint8_t, 64> Sha512Of(Bytes bytes);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CUSTODY_SHA256_H_
