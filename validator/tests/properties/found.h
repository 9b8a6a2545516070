// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTS_PROPERTIES_FOUND_H_
#define PMPROOF_VALIDATOR_TESTS_PROPERTIES_FOUND_H_

#include <set>
#include <string>

#include "generators/archive_image.h"
#include "reference/archive/storage.h"

// The whole check, for properties.

namespace pmproof::validator::testing {

// The rules of all findings on an archive; what went wrong otherwise in brackets.
std::set<std::string> RulesFound(const archive::Storage& storage, const std::string& name);
std::set<std::string> RulesFound(const generators::ArchivePlan& plan);

// "{ARC-1723 ARC-2008}".
std::string Joined(const std::set<std::string>& rules);

}  // namespace pmproof::validator::testing

#endif  // PMPROOF_VALIDATOR_TESTS_PROPERTIES_FOUND_H_
