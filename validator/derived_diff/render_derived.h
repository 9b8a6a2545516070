// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DERIVED_DIFF_RENDER_DERIVED_H_
#define PMPROOF_VALIDATOR_DERIVED_DIFF_RENDER_DERIVED_H_

#include <ostream>
#include <string>

#include "reference/core/timestamp.h"
#include "validator/derived_diff/compare_definitions.h"
#include "validator/text/terminal.h"

namespace pmproof::validator {

struct DerivedReport {
  std::string baseline;  // the names of the sides
  std::string candidate;
  DerivedComparison found;
};

void RenderDerivedText(const DerivedReport& report, const Screen& screen, std::ostream& out);
// The schema is validator/schema/derive_diff.schema.json.
void RenderDerivedJson(const DerivedReport& report, std::ostream& out);
// One page that needs nothing else; without scripts it only has no search. `made`: the time that it
// shows.
void RenderDerivedHtml(const DerivedReport& report, Timestamp made, std::ostream& out);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_DERIVED_DIFF_RENDER_DERIVED_H_
