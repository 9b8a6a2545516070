// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_TESTING_RECORDING_REPORTER_H_
#define PMPROOF_REFERENCE_ARCHIVE_TESTING_RECORDING_REPORTER_H_

#include <ostream>
#include <string>
#include <vector>

#include "reference/archive/reporter.h"

namespace pmproof::archive::testing {

struct Recorded {
  Clause rule;
  Location where;
  Gravity gravity = Gravity::kAsCatalogued;
  Details details;
};

// Keeps all that is reported, for tests: EXPECT_THAT(reporter.Rules(), ElementsAre("ARC-1102")).
class RecordingReporter final : public Reporter {
 public:
  std::vector<Recorded> violations;

  std::vector<std::string> Rules() const {
    std::vector<std::string> rules;
    for (const Recorded& violation : violations) rules.push_back(violation.rule.ToString());
    return rules;
  }

 protected:
  bool Count(Clause, const Location&, Gravity) override { return true; }
  void Keep(Clause rule, const Location& where, Gravity gravity, Details details) override {
    violations.push_back({rule, where, gravity, std::move(details)});
  }
};

inline void PrintTo(const Recorded& violation, std::ostream* out) {
  *out << violation.rule.ToString() << " at part " << violation.where.part << " offset "
       << violation.where.offset << ": " << violation.details.field << " "
       << violation.details.message;
}

}  // namespace pmproof::archive::testing

#endif  // PMPROOF_REFERENCE_ARCHIVE_TESTING_RECORDING_REPORTER_H_
