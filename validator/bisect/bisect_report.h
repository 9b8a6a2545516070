// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_BISECT_BISECT_REPORT_H_
#define PMPROOF_VALIDATOR_BISECT_BISECT_REPORT_H_

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "validator/bisect/search.h"
#include "validator/bisect/witness.h"
#include "validator/rules_diff/comparison.h"
#include "validator/text/terminal.h"

namespace pmproof::validator {

// What `rules bisect` found.
struct BisectReport {
  SideNote implementation;
  std::vector<std::string> archives;  // that were asked about; none: generated ones
  std::vector<Status> unused;         // archives that could not be asked about, and why
  std::size_t questions = 0;          // there were to ask
  SearchResult found;
  std::vector<Witness> witnesses;
  std::vector<std::string> kept;  // where each witness was written; empty if it was not to be
};

// "PCP 6.3.8 without DEV-07", "profile documented": what explains the answers.
std::string ExplanationText(const ExplainedVersion& version);
std::string HeadlineOf(const BisectReport& report, const HypothesisSpace& space);

void RenderBisectText(const BisectReport& report, const HypothesisSpace& space,
                      const Screen& screen, std::ostream& out);
// The schema is validator/schema/rules_bisect.schema.json.
void RenderBisectJson(const BisectReport& report, const HypothesisSpace& space, std::ostream& out);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_BISECT_BISECT_REPORT_H_
