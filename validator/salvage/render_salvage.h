// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SALVAGE_RENDER_SALVAGE_H_
#define PMPROOF_VALIDATOR_SALVAGE_RENDER_SALVAGE_H_

#include <ostream>

#include "validator/catalogue/catalogue.h"
#include "validator/salvage/salvage_report.h"
#include "validator/text/terminal.h"

namespace pmproof::validator {

// The outcome in one line, what was kept, what is lost in sum, and a line for each loss.
void RenderSalvageText(const SalvageReport& report, const Screen& screen, std::ostream& out);

// Schema pmproof-salvage/1 (schema/salvage.schema.json).
void RenderSalvageJson(const SalvageReport& report, const Catalogue& catalogue, std::ostream& out);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SALVAGE_RENDER_SALVAGE_H_
