// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CUSTODY_COMPARE_ARCHIVE_H_
#define PMPROOF_VALIDATOR_CUSTODY_COMPARE_ARCHIVE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "validator/custody/certificate.h"
#include "validator/custody/examine.h"

// An archive held against what was certified of it, as values.

namespace pmproof::validator {

enum class FileState : std::uint8_t {
  kUnchanged,     // byte for byte
  kRecompressed,  // other bytes, or another name, and the same decompressed content
  kChanged,
  kMissing,
  kNew,  // it is not in the certificate
};
const char* ToText(FileState state);

struct FileComparison {
  FileState state = FileState::kUnchanged;
  std::string name;  // in the certificate; of a new file now
  std::string now;   // empty if it is missing
  // Where the content is first other than that of a copy that is as certified: in the decompressed
  // file.
  std::optional<std::uint64_t> first_difference;
  std::string no_difference_because;  // why that is not known; empty if nobody asked
};

enum class ArchiveState : std::uint8_t {
  kUnchanged,
  kRecompressed,  // each file is unchanged or recompressed
  kChanged,       // a file is changed, missing or new
  kMissing,       // no file is there
  kNotCertified,  // the certificate has no verdict on it
  kNoAnswer,      // it could not be read
};
const char* ToText(ArchiveState state);  // "unchanged", ..., "not certified", "no answer"

// A finding that one of the two judgements has and the other has not.
struct FindingDifference {
  bool is_new = false;  // else it is gone
  Finding finding;
};

// Something that the policy requires and that one of the two judgements misses, and the other not.
struct UnmetDifference {
  bool is_new = false;  // else it is gone
  PolicyFinding finding;
};

struct ArchiveComparison {
  std::string name;
  ArchiveState state = ArchiveState::kUnchanged;
  std::vector<FileComparison> files;  // those of the certificate by name, then new ones
  Verdict certified = Verdict::kNone;
  std::optional<Verdict> now;                  // nothing: it was not judged again
  std::vector<FindingDifference> differences;  // by file, offset and rule
  std::vector<UnmetDifference> unmet;          // by check
  std::optional<Status> failure;               // why there is no answer, or no verdict now
  std::vector<std::string> internal_errors;

  bool JudgedOtherwise() const {
    return now && *now != Verdict::kNone &&
           (*now != certified || !differences.empty() || !unmet.empty());
  }
};

// Which file is what now.
std::vector<FileComparison> CompareFiles(const std::vector<CertifiedFile>& certified,
                                         const std::vector<CertifiedFile>& now);

// Neither kNotCertified nor kNoAnswer. Requires that one of them is not empty.
ArchiveState StateOf(const std::vector<FileComparison>& files);

// The findings that only one of them has. Findings are the same that have the same rule, severity,
// part, offset, record, field and count: words may become better, and file names other.
std::vector<FindingDifference> CompareFindings(const std::vector<Finding>& certified,
                                               const std::vector<Finding>& now);

// Likewise of a policy's findings. They are the same that have the same check, severity and
// message: a line may have moved.
std::vector<UnmetDifference> CompareUnmet(const std::vector<PolicyFinding>& certified,
                                          const std::vector<PolicyFinding>& now);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CUSTODY_COMPARE_ARCHIVE_H_
