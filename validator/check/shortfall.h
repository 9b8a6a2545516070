// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_SHORTFALL_H_
#define PMPROOF_VALIDATOR_CHECK_SHORTFALL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/file_set.h"
#include "reference/archive/reporter.h"
#include "reference/core/status.h"
#include "validator/check/report/report.h"

namespace pmproof::validator {

// What of one archive could not be checked, and the failure that leaves it without a verdict.
class Shortfall {
 public:
  // Both outlive this.
  Shortfall(const archive::FileSet& files, archive::Reporter& reporter)
      : files_(files), reporter_(reporter) {}

  void NotChecked(std::string what, std::string because);
  // There is no verdict, whatever else was found. A budget that is exceeded is named before others.
  void Fail(const Status& status);
  // Reading of a file ended at `offset`, or where `error` says; `lost`: from where on the framing
  // of its records is lost. What is after that place was not checked. Reports ARC-1009.
  void NoteEnd(archive::Part part, std::uint64_t offset, const std::optional<Status>& error,
               const std::optional<std::uint64_t>& lost = std::nullopt);

  const std::optional<Status>& failure() const { return failure_; }
  // What was noted since the last call.
  std::vector<validator::NotChecked> TakeNotChecked() { return std::exchange(not_checked_, {}); }

 private:
  const archive::FileSet& files_;
  archive::Reporter& reporter_;
  std::vector<validator::NotChecked> not_checked_;
  std::optional<Status> failure_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_SHORTFALL_H_
