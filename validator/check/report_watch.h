// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_REPORT_WATCH_H_
#define PMPROOF_VALIDATOR_CHECK_REPORT_WATCH_H_

#include "reference/archive/reporter.h"

namespace pmproof::validator {

// Sees whether there is something to report.
class ReportWatch final : public archive::Reporter {
 public:
  bool any() const { return any_; }

 protected:
  bool Count(Clause, const archive::Location&, archive::Gravity) override {
    any_ = true;
    return false;
  }
  void Keep(Clause, const archive::Location&, archive::Gravity, archive::Details) override {}

 private:
  bool any_ = false;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_REPORT_WATCH_H_
