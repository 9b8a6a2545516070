// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TRIAGE_RENDER_TRIAGE_H_
#define PMPROOF_VALIDATOR_TRIAGE_RENDER_TRIAGE_H_

#include <ostream>
#include <string>

#include "validator/text/terminal.h"
#include "validator/triage/triage.h"

// What `triage` writes. Texts from archives may hold any bytes; what is written is UTF-8, and
// well-formed in its format, whatever they are.

namespace pmproof::validator {

// "3 archives: 2 sound, 1 salvageable".
std::string TriageLine(const Triage& triage);

// Whether a finding of a set says what gaps, overlaps and damaged members say already.
bool IsToldOtherwise(const Finding& finding);

// The archives that need a person with why and what to do, the worst first; then what the archives
// of one directory leave out; at the end TriageLine().
void RenderTriageText(const Triage& triage, const Screen& screen, std::ostream& out);

// Schema pmproof-triage/1 (schema/triage.schema.json).
void RenderTriageJson(const Triage& triage, const Catalogue& catalogue, std::ostream& out);

// A header, and a record for each archive. Texts that a spreadsheet would take for a formula have
// an apostrophe before them.
void RenderTriageCsv(const Triage& triage, std::ostream& out);

// One page that needs no other file: a table of all archives that can be searched and sorted, with
// their spans on one line of time, and what the archives of one directory leave out. `made`: the
// time that it shows.
void RenderTriageHtml(const Triage& triage, const Catalogue& catalogue, Timestamp made,
                      std::ostream& out);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TRIAGE_RENDER_TRIAGE_H_
