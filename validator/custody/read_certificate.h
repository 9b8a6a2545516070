// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CUSTODY_READ_CERTIFICATE_H_
#define PMPROOF_VALIDATOR_CUSTODY_READ_CERTIFICATE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "reference/core/bytes.h"
#include "reference/core/status.h"
#include "validator/custody/certificate.h"

namespace pmproof::validator {

struct ReadCertificate {
  CertificateHead head;
  std::uint64_t archives = 0;
  std::uint64_t files = 0;
};

// Reads a certificate from front to back, in memory for one archive of at most `most_entry` bytes,
// and hands each archive to `visit`. Members may stand in any order, and unknown ones are passed
// over.
//
// A certificate that is read without an error is whole: archives and files are in order, none
// twice; all names stay below the root; subjects and predicate name the same files with the same
// digests. That is known at the end only: whoever acts on what `visit` is given has read it once
// before.
//
// Errors, each with `name` as its file, the offset and the member: kDamaged; kUnsupported for a
// statement of another kind; kBudget.
Result<ReadCertificate> ReadCertificateFrom(
    Bytes document, const std::string& name, std::size_t most_entry,
    const std::function<void(CertifiedArchive)>& visit = [](const CertifiedArchive&) {});

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CUSTODY_READ_CERTIFICATE_H_
