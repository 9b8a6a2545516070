// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGAINST_TESTING_HELD_AGAINST_H_
#define PMPROOF_VALIDATOR_AGAINST_TESTING_HELD_AGAINST_H_

#include <string>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/storage.h"
#include "validator/against/against.h"
#include "validator/catalogue/catalogue.h"

namespace pmproof::validator::against {

// Archives in memory, held against each other.
class HeldAgainst {
 public:
  HeldAgainst();

  archive::MemoryStorage storage;
  AgainstRequest request;

  AgainstReport Run(const std::vector<std::string>& originals,
                    const std::vector<std::string>& archives);
  AgainstReport Run(const generators::ArchivePlan& original,
                    const generators::ArchivePlan& replacement);
  AgainstReport Run(const std::vector<generators::ArchivePlan>& originals,
                    const std::vector<generators::ArchivePlan>& replacements);

 private:
  Catalogue catalogue_;
};

// The outcome, then a line for each difference: "lost values m.cnt 1 of 6 at +1..+3: 1: 7 -> 8",
// times in seconds after kBaseTime, and the first example behind the colon.
std::vector<std::string> Lines(const AgainstReport& report);

}  // namespace pmproof::validator::against

#endif  // PMPROOF_VALIDATOR_AGAINST_TESTING_HELD_AGAINST_H_
