// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CATALOGUE_CATALOGUE_H_
#define PMPROOF_VALIDATOR_CATALOGUE_CATALOGUE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "reference/core/clause.h"
#include "validator/catalogue/catalogue_of.h"
#include "validator/catalogue/severity.h"

// The validity rules as data: what each says, how grave it is, why it matters and what to do. The
// data are validator/catalogue/*.json, of which write_table.py makes a table of the program.

namespace pmproof::validator {

// What a rule is about; what --only selects by.
enum class RulePart : std::uint8_t { kFiles, kLabel, kMetadata, kData, kIndex, kSet };
inline constexpr RulePart kRuleParts[] = {RulePart::kFiles, RulePart::kLabel, RulePart::kMetadata,
                                          RulePart::kData,  RulePart::kIndex, RulePart::kSet};
const char* ToText(RulePart part);
std::optional<RulePart> ParseRulePart(std::string_view text);

// Where the cause of a violation is looked for, seen from the violation.
enum class CauseScope : std::uint8_t {
  kPlace,     // at the same offset of the same file
  kRecord,    // in the same record
  kFile,      // in the same file, in front of it or at its offset
  kEntry,     // anywhere in the volume that the index entry points into
  kMetadata,  // anywhere in .meta
  kVolumes,   // anywhere in the data volumes
  kArchive,   // anywhere
};

// A view of texts that live as long as the catalogue.
struct Rule {
  // A violation of one of these rules, found in the scope, explains one of this rule.
  struct Cause {
    std::span<const Clause> of{};
    CauseScope in = CauseScope::kPlace;
  };

  Clause id{};
  std::string_view title{};
  Severity severity = Severity::kError;  // profile `archival`
  // Another severity that the rule has in the cases of `also_when`: a decoder names it as the
  // Gravity of the violation.
  std::optional<Severity> also{};
  std::string_view also_when{};
  std::optional<Severity> live{};      // profile `live`; nothing where the rule is off
  std::string_view live_when{};        // why, or on which condition, `live` differs
  Severity ingest = Severity::kError;  // profile `ingest`
  RulePart part = RulePart::kData;
  std::span<const Clause> clauses{};  // of the specification, that the rule follows from
  std::string_view what{};
  std::string_view why{};
  std::string_view remedy{};
  std::span<const Clause> together{};    // rules that the same damage breaks as well
  std::span<const Clause> covered_by{};  // rules that report the violation in this one's stead
  std::span<const Cause> follows{};      // what this rule's violations can be a mere consequence of

  // Nothing if the rule is off.
  std::optional<Severity> In(Profile profile) const {
    switch (profile) {
      case Profile::kArchival:
        break;
      case Profile::kLive:
        return live;
      case Profile::kIngest:
        return ingest;
    }
    return severity;
  }
};

using Catalogue = CatalogueOf<Rule>;
template <>
Catalogue Catalogue::Shipped();

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CATALOGUE_CATALOGUE_H_
