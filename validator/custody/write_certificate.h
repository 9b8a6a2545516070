// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CUSTODY_WRITE_CERTIFICATE_H_
#define PMPROOF_VALIDATOR_CUSTODY_WRITE_CERTIFICATE_H_

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "validator/custody/certificate.h"
#include "validator/custody/examine.h"
#include "validator/custody/spool.h"

namespace pmproof::validator {

// What a certificate says of all archives together.
struct CertificateTotals {
  std::uint64_t archives = 0;
  std::uint64_t conformant = 0;
  std::uint64_t without_verdict = 0;
  std::uint64_t files = 0;  // subjects
  std::uint64_t bytes = 0;  // of them, as they lie there
  Counts counts;
};

// A certificate that grows archive by archive (schema/certificate.schema.json): what is said of
// each goes to two temporary files, and from there into the statement when all is known. One line
// for each subject and archive.
class CertificateWriter {
 public:
  // Temporary files are made in `directory`.
  static Result<CertificateWriter> Create(const std::string& directory);

  // `archive` comes after those added before (ComesBefore). One without a verdict is entered as
  // that, without files.
  void Add(const ExaminedArchive& archive);

  // Something that no archive's report says: a directory that could not be read.
  void AddNotChecked(NotChecked item);

  const CertificateTotals& totals() const { return totals_; }

  // Why a temporary file could not be written, if so.
  std::optional<Status> error() const;

  // Writes the statement. Returns why it could not be put together, if so.
  std::optional<Status> Write(const CertificateHead& head, std::ostream& out);

 private:
  CertificateWriter(Spool subjects, Spool archives)
      : subjects_(std::move(subjects)), archives_(std::move(archives)) {}

  Spool subjects_;
  Spool archives_;
  CertificateTotals totals_;
  std::vector<NotChecked> not_checked_;
  std::uint64_t more_not_checked_ = 0;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CUSTODY_WRITE_CERTIFICATE_H_
