// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CUSTODY_RENDER_RECHECK_H_
#define PMPROOF_VALIDATOR_CUSTODY_RENDER_RECHECK_H_

#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "validator/catalogue/catalogue.h"
#include "validator/custody/bag.h"
#include "validator/custody/certificate.h"
#include "validator/custody/compare_archive.h"
#include "validator/custody/recheck.h"
#include "validator/custody/sha256.h"
#include "validator/text/terminal.h"

namespace pmproof::validator {

// The certificate that a recheck is about.
struct RecheckSubject {
  std::string file;
  Sha256Digest sha256{};
  CertificateHead head;
  bool judges = true;                     // archives are judged again
  std::optional<CertifiedPolicy> policy;  // by which they are judged now
  std::optional<BagCheck> bag;            // of the bag that the certificate is a tag file of

  // Whether archives are judged by the policy that they were certified by, or both times by none.
  bool SamePolicy() const {
    return policy.has_value() == head.policy.has_value() &&
           (!policy || policy->sha256 == head.policy->sha256);
  }
};

// Writes the outcome of a recheck while it goes on. Begin and End are called once.
class RecheckWriter {
 public:
  virtual ~RecheckWriter() = default;
  virtual void Begin(const RecheckSubject& subject) = 0;
  virtual void Archive(const ArchiveComparison& archive) = 0;
  virtual void End(const RecheckTotals& totals) = 0;
};

// What the certificate is, a line for each archive with what is other below it, and a last line
// with the totals. `quiet`: archives that are unchanged and judged as before are only counted.
// `catalogue` and `out` outlive the writer, in both.
std::unique_ptr<RecheckWriter> RecheckText(const Catalogue& catalogue, const Screen& screen,
                                           bool quiet, std::ostream& out);

// Schema pmproof-recheck/1 (schema/recheck.schema.json).
std::unique_ptr<RecheckWriter> RecheckJson(const Catalogue& catalogue, std::ostream& out);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CUSTODY_RENDER_RECHECK_H_
