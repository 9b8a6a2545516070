// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CUSTODY_CERTIFY_H_
#define PMPROOF_VALIDATOR_CUSTODY_CERTIFY_H_

#include <functional>
#include <string>
#include <vector>

#include "validator/catalogue/catalogue.h"
#include "validator/check/check.h"
#include "validator/custody/tree.h"
#include "validator/custody/write_certificate.h"
#include "validator/policy/policy_judge.h"

namespace pmproof::validator {

// Whoever follows how certificates are made. Called in the order of the certificate.
struct CertifyEvents {
  // An archive was examined. It has a report.
  std::function<void(const ExaminedArchive&)> archive;
  // An argument named nothing, or a directory could not be read.
  std::function<void(const Status&)> failure;
};

// Examines each archive that the arguments name, as WalkArchives() gives them, and adds it to the
// certificate, options.jobs of them at a time. What it writes does not depend on their number.
// `judge` may be null: then archives are judged by the rules alone.
void CertifyAll(const Tree& tree, const std::vector<std::string>& arguments,
                const Catalogue& catalogue, const CheckOptions& options, policy::PolicyJudge* judge,
                CertificateWriter& writer, const CertifyEvents& events);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CUSTODY_CERTIFY_H_
