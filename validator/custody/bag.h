// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CUSTODY_BAG_H_
#define PMPROOF_VALIDATOR_CUSTODY_BAG_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/archive/storage.h"
#include "reference/core/bytes.h"
#include "reference/core/status.h"

// Bags as RFC 8493 (BagIt 1.0) has them: a directory `data` with the payload, and text files beside
// it that say which files it has, with which digests.

namespace pmproof::validator {

// The tag file of a bag that certify --bag writes.
inline constexpr const char* kCertificateInBag = "pmproof-certificate.json";

enum class BagDigest : std::uint8_t { kSha256, kSha512 };
const char* ToText(BagDigest algorithm);  // "sha256"

// A file and its digest in hexadecimal digits, in lower case.
struct BagEntry {
  std::string path;  // from the bag on: "data/20240101.0"
  std::string digest;

  friend bool operator==(const BagEntry&, const BagEntry&) = default;
};

// The payload of a bag.
struct BagPayload {
  std::uint64_t bytes = 0;
  std::vector<BagEntry> sha256;  // by path, as bytes
  std::vector<BagEntry> sha512;  // the same files; empty if it was not wanted
};

// Hashes the files below `data`. `bag` is the storage with the bag as its root (Tree). Errors: of
// reading; kUnsupported for what no manifest can name: links to directories, devices, and names
// that are not UTF-8.
Result<BagPayload> HashPayload(const archive::Storage& bag, bool with_sha512);

std::string BagDigestOf(Bytes bytes, BagDigest algorithm);

// The digest of one file. Errors: of reading it.
Result<std::string> HashBagFile(const archive::Storage& bag, const std::string& path,
                                BagDigest algorithm);

// The texts of tag files.
std::string BagDeclaration();                                    // bagit.txt
std::string ManifestText(const std::vector<BagEntry>& entries);  // manifest-ALGORITHM.txt
// bag-info.txt. `date`: "2026-11-27".
std::string BagInfoText(const BagPayload& payload, std::string_view date,
                        std::string_view software);

// What is wrong with a bag, and what was looked at.
struct BagCheck {
  static constexpr std::size_t kMostProblems = 1000;  // more are counted

  std::vector<std::string>
      problems;  // "data/a.0: its SHA-256 is another one (manifest-sha256.txt)"
  std::uint64_t more = 0;
  std::uint64_t files = 0;  // of the payload
  std::uint64_t bytes = 0;
  std::vector<std::string> algorithms;  // of the payload's manifests

  bool valid() const { return problems.empty(); }
};

// Whether a bag is complete and valid (RFC 8493, section 3), of version 0.97 or 1.0, with manifests
// of SHA-256, SHA-512 or both; those of other algorithms are a problem, since they cannot be
// verified. Nothing is fetched: what fetch.txt names must be there. Every path stays in the bag.
// Errors: of reading a file that is there.
Result<BagCheck> VerifyBag(const archive::Storage& bag);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CUSTODY_BAG_H_
