// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTS_STORIES_FINDINGS_H_
#define PMPROOF_VALIDATOR_TESTS_STORIES_FINDINGS_H_

#include <map>
#include <string>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/storage.h"

namespace pmproof::validator::testing {

// The rules of all findings on archives, each with the place and words of its first one;
// directories are checked as sets too. What kept the check from being done is in there as well.
std::map<std::string, std::string> FindingsOn(const archive::Storage& storage,
                                              const std::vector<std::string>& arguments);

std::map<std::string, std::string> FindingsOn(const generators::ArchivePlan& plan);

}  // namespace pmproof::validator::testing

#endif  // PMPROOF_VALIDATOR_TESTS_STORIES_FINDINGS_H_
