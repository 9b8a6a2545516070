// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CUSTODY_CERTIFICATE_H_
#define PMPROOF_VALIDATOR_CUSTODY_CERTIFICATE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/archive/layout.h"
#include "reference/archive/source.h"
#include "validator/check/report/report.h"
#include "validator/check/rule_selection.h"
#include "validator/custody/sha256.h"

// A certificate as values: an in-toto Statement (https://in-toto.io/Statement/v1) about the files
// of archives, with what `check` said of them.
//
// Each file is a subject, by its own SHA-256. The SHA-256 of its decompressed content is in the
// predicate and not beside it in the subject's digest: of a set of digests in-toto takes one that
// matches for proof that the artifact is the same, and a file that was compressed anew is not. What
// the content's digest proves, that the verdict still holds, is what this predicate is about.

namespace pmproof::validator {

inline constexpr char kStatementType[] = "https://in-toto.io/Statement/v1";
inline constexpr char kPredicateType[] = "urn:pmproof:archive-certificate:1";

struct Content {
  std::uint64_t size = 0;
  Sha256Digest sha256{};

  friend bool operator==(const Content&, const Content&) = default;
};

struct CertifiedFile {
  std::string name;  // in the directory of the archive: "20240101.0.xz"
  Content stored;    // as it lies there
  // Decompressed; that of a plain file is the same. Nothing where it cannot be decompressed.
  std::optional<Content> content;
  // False of a file that is not what readers take for its part, because a better form of that is
  // there (ARC-1008): the verdict is not about it.
  bool judged = true;
};

// What `check` was asked.
struct Terms {
  Profile profile = Profile::kArchival;
  RuleSelection rules;
  Severity fail_on = Severity::kError;
  std::uint64_t max_findings = 20;
};

enum class Verdict : std::uint8_t { kConformant, kNotConformant, kNotReadable, kNone };
const char* ToText(Verdict verdict);  // "conformant", "not conformant", "not readable", "none"
std::optional<Verdict> ParseVerdict(std::string_view text);
Verdict VerdictOf(const ArchiveReport& report);

struct CertifiedArchive {
  std::string name;                  // below the root: "host/20240101"
  std::vector<CertifiedFile> files;  // by name, none twice
  Verdict verdict = Verdict::kNone;
  std::vector<Finding> findings;     // rule, severity, file, part, offset, record, field, count
  std::vector<PolicyFinding> unmet;  // of what the policy requires
};

// The policy that archives were judged by.
struct CertifiedPolicy {
  PolicyUse use;          // of a certificate that was read `file` alone: a name without directory
  Sha256Digest sha256{};  // of the file
};

// What stands in a certificate once.
struct CertificateHead {
  std::string tool_version;
  std::string catalogue_version;
  std::string catalogue_digest;
  std::string created;  // "2024-01-01T00:00:00Z"
  Terms terms;
  std::optional<CertifiedPolicy> policy{};  // where there was one
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CUSTODY_CERTIFICATE_H_
