// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGAINST_RENDER_AGAINST_H_
#define PMPROOF_VALIDATOR_AGAINST_RENDER_AGAINST_H_

#include <cstdint>
#include <ostream>

#include "validator/against/against.h"
#include "validator/catalogue/catalogue.h"
#include "validator/text/terminal.h"

namespace pmproof::validator::against {

struct AgainstTextOptions {
  Screen screen;
  bool quiet = false;              // the first line, and what is no loss of nothing
  std::uint64_t differences = 20;  // of each kind and change; more are counted
};

// The outcome on the first line, then the verdicts on both sides, how much was compared, and each
// difference with its first example.
void RenderAgainstText(const AgainstReport& report, const AgainstTextOptions& options,
                       std::ostream& out);

// Schema pmproof-against/1 (schema/against.schema.json): all differences.
void RenderAgainstJson(const AgainstReport& report, const Catalogue& catalogue, std::ostream& out);

// "loss: 2 differences, 1 of them as declared"
std::string SummaryOf(const AgainstReport& report);

}  // namespace pmproof::validator::against

#endif  // PMPROOF_VALIDATOR_AGAINST_RENDER_AGAINST_H_
