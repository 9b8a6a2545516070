// SPDX-License-Identifier: Apache-2.0
#include "validator/custody/sha256.h"

#include <openssl/evp.h>

#include <new>

namespace pmproof::validator {
namespace {

void Require(int done) {
  if (done != 1) throw std::bad_alloc();
}

// The value of a hexadecimal digit in lower case; -1 of anything else.
int Nibble(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace

struct Sha256::Context {
  EVP_MD_CTX* hash = EVP_MD_CTX_new();
  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { EVP_MD_CTX_free(hash); }
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  Require(context_->hash != nullptr ? 1 : 0);
  Require(EVP_DigestInit_ex(context_->hash, EVP_sha256(), nullptr));
}

Sha256::~Sha256() = default;

void Sha256::Add(Bytes bytes) {
  Require(EVP_DigestUpdate(context_->hash, bytes.data(), bytes.size()));
}

Sha256Digest Sha256::Finish() {
  Sha256Digest digest;
  Require(EVP_DigestFinal_ex(context_->hash, digest.data(), nullptr));
  return digest;
}

Sha256Digest Sha256Of(Bytes bytes) {
  Sha256 hash;
  hash.Add(bytes);
  return hash.Finish();
}

std::string ToHex(const Sha256Digest& digest) {
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
