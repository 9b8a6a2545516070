// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DERIVED_DIFF_DERIVED_TEXT_H_
#define PMPROOF_VALIDATOR_DERIVED_DIFF_DERIVED_TEXT_H_

#include <cstddef>
#include <string>

#include "validator/derived_diff/compare_definitions.h"

// How reports for people say what a comparison of definitions found. All of it is for Displayable()
// or Markup().

namespace pmproof::validator {

// Definitions that change their meaning.
std::size_t ChangedCount(const DerivedComparison& found);

// "2 of 5 definitions change their meaning"
std::string VerdictText(const DerivedComparison& found);

// "over 3 archives (120 values compared)"
std::string ExtentText(const DerivedComparison& found);

// "derived.conf:12", "" of a definition of the command line.
std::string PlaceText(const SourceLine& origin);

// "one side refuses it", "it has another descriptor", "3 values differ, first at TIME instance 1".
std::string WhatText(const DefinitionFinding& finding);

// "in ARCHIVE and 2 more"
std::string ArchivesText(const DefinitionFinding& finding);

// What a side says: `said` of a finding, or that there is none.
std::string SaidText(const std::string& said);

// "ARCHIVE: no answer of SIDE: skip: ..."
std::string UnansweredText(const std::string& archive, const std::string& side,
                           const NotAnswered& why);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_DERIVED_DIFF_DERIVED_TEXT_H_
