// SPDX-License-Identifier: Apache-2.0
#include "validator/custody/sha256.h"

// What takes the place of these functions (EVP) links all of libcrypto: 5 MB, whose addresses are
// worked out each time that the program starts.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

namespace pmproof::validator {
namespace {

// The value of a hexadecimal digit in lower case; -1 of anything else.
int Nibble(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace

struct Sha256::Context {
  SHA256_CTX hash{};
};

// These functions do not fail.
Sha256::Sha256() : context_(std::make_unique<Context>()) { SHA256_Init(&context_->hash); }

Sha256::~Sha256() = default;

void Sha256::Add(Bytes bytes) { SHA256_Update(&context_->hash, bytes.data(), bytes.size()); }

Sha256Digest Sha256::Finish() {
  Sha256Digest digest;
  SHA256_Final(digest.data(), &context_->hash);
  return digest;
}

std::array<std::uint8_t, 64> Sha512Of(Bytes bytes) {
  std::array<std::uint8_t, 64> digest;
  SHA512_CTX hash{};
  SHA512_Init(&hash);
  SHA512_Update(&hash, bytes.data(), bytes.size());
  SHA512_Final(digest.data(), &hash);
  return digest;
}

Sha256Digest Sha256Of(Bytes bytes) {
  Sha256 hash;
  hash.Add(bytes);
  return hash.Finish();
}

std::string ToHex(Bytes digest) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::optional<Sha256Digest> ParseSha256(std::string_view text) {
  Sha256Digest digest;
  if (text.size() != 2 * digest.size()) return std::nullopt;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    const int high = Nibble(text[2 * i]);
    const int low = Nibble(text[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    digest[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  return digest;
}

}  // namespace pmproof::validator
