// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CATALOGUE_CHECK_CATALOGUE_H_
#define PMPROOF_VALIDATOR_CATALOGUE_CHECK_CATALOGUE_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "reference/core/clause.h"
#include "validator/catalogue/catalogue_of.h"
#include "validator/catalogue/severity.h"

// The checks of agents and collectors as data: what each says, how grave it is, why it matters and
// what to do. The data are validator/catalogue/checks/*.json, of which write_table.py makes a table
// of the program.

namespace pmproof::validator {

// A view of texts that live as long as the catalogue.
struct CheckEntry {
  // What is checked, and so by which command: `agent check`, `agent files`, `collector check`.
  enum class Subject : std::uint8_t { kAgent, kFiles, kCollector };

  Clause id{};
  Subject subject = Subject::kAgent;
  std::string_view section{};  // of the specification: "16.1"
  std::string_view heading{};  // of the section: "Start and end"
  std::string_view title{};    // what must hold
  // F, E, W, I of the specification are fatal, error, warning, info.
  Severity severity = Severity::kError;
  // What a sound agent or collector, or a run, may lack, and the check cannot be made without:
  // "--store", "instances"; empty: nothing.
  std::string_view needs{};
  bool destroys = false;  // what is checked is lost where it fails: marked (d)
  std::span<const Clause> clauses{};
  std::string_view what{};
  std::string_view why{};
  std::string_view remedy{};
  // For the summary of a report where it failed, after "the agent": "has no value of any metric";
  // empty: nothing.
  std::string_view summary{};

  // Nobody is called conformant without it (section 16 of reference/spec/pmda.md).
  bool required() const { return severity >= Severity::kError && needs.empty(); }
};

using CheckCatalogue = CatalogueOf<CheckEntry>;
template <>
CheckCatalogue CheckCatalogue::Shipped();

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CATALOGUE_CHECK_CATALOGUE_H_
