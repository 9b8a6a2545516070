// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SALVAGE_ERROR_WATCH_H_
#define PMPROOF_VALIDATOR_SALVAGE_ERROR_WATCH_H_

#include <cstddef>
#include <string>
#include <vector>

#include "reference/archive/reporter.h"
#include "validator/catalogue/catalogue.h"

namespace pmproof::validator {

// Keeps the violations that make an archive not conformant: errors and fatal ones of profile
// archival. At most `most` of them.
class ErrorWatch final : public archive::Reporter {
 public:
  struct Error {
    Clause rule;
    archive::Location where;
    std::string message;
  };

  // `catalogue` outlives this.
  ErrorWatch(const Catalogue& catalogue, std::size_t most) : catalogue_(catalogue), most_(most) {}

  const std::vector<Error>& errors() const { return errors_; }
  bool overflowed() const { return overflowed_; }  // there were more than that
  void Clear();

 protected:
  bool Count(Clause rule, const archive::Location& where, archive::Gravity gravity) override;
  void Keep(Clause rule, const archive::Location& where, archive::Gravity gravity,
            archive::Details details) override;

 private:
  const Catalogue& catalogue_;
  std::size_t most_;
  bool overflowed_ = false;
  std::vector<Error> errors_;
};

// "the length words differ (trailing N 12)": what a violation is, in one sentence.
std::string Sentence(archive::Details details);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SALVAGE_ERROR_WATCH_H_
