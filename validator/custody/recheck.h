// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CUSTODY_RECHECK_H_
#define PMPROOF_VALIDATOR_CUSTODY_RECHECK_H_

#include <cstdint>
#include <functional>
#include <string>

#include "reference/core/bytes.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/check.h"
#include "validator/custody/compare_archive.h"
#include "validator/custody/read_certificate.h"
#include "validator/custody/tree.h"
#include "validator/policy/policy.h"

namespace pmproof::validator {

struct RecheckRequest {
  const Tree& tree;                        // where the certified archives are to be
  const Tree* copy = nullptr;              // where a second copy of each may be
  bool judge = true;                       // under today's rules, what has the certified content
  const policy::Policy* policy = nullptr;  // by which it is judged, if by any
  CheckOptions check;  // profile, rules and max_findings are those of the certificate
};

// Holds each archive of a certificate against the tree, request.check.jobs of them at a time, and
// hands the outcomes over in their order. `document` was read before without an error
// (ReadCertificateFrom), and gave `head`.
//
// Error: the certificate reads otherwise now.
Result<ReadCertificate> RecheckAll(Bytes document, const std::string& name,
                                   const CertificateHead& head, const Catalogue& catalogue,
                                   const RecheckRequest& request,
                                   const std::function<void(const ArchiveComparison&)>& take);

// The bytes that an entry of a certificate may have: of a share of the budget, since several are on
// their way.
std::size_t MostEntry(const archive::MemoryBudget& budget);

struct RecheckTotals {
  std::uint64_t archives = 0;
  std::uint64_t unchanged = 0;
  std::uint64_t recompressed = 0;
  std::uint64_t changed = 0;
  std::uint64_t missing = 0;
  std::uint64_t not_certified = 0;
  std::uint64_t no_answer = 0;
  std::uint64_t judged_otherwise = 0;  // of those that are unchanged or recompressed
  std::uint64_t without_verdict = 0;   // of those, where none is possible now

  void Add(const ArchiveComparison& archive, Severity fail_on);

  // 5, 4, 6, 1 or 0, the first that applies: as that of `check`.
  ExitStatus Status() const;

 private:
  bool internal_ = false;
  bool unreadable_ = false;
  bool budget_ = false;
  bool differs_ = false;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CUSTODY_RECHECK_H_
