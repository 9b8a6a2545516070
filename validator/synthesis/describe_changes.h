// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SYNTHESIS_DESCRIBE_CHANGES_H_
#define PMPROOF_VALIDATOR_SYNTHESIS_DESCRIBE_CHANGES_H_

#include <string>
#include <vector>

#include "generators/mutation.h"

namespace pmproof::validator {

// What is other in files of the same directory, for people, a line for each file: "base.0: offset
// 132, record 1: 0000016c instead of 00000168". Offsets and the numbers of records and index
// entries are those before, counted from 1 as findings count them.
std::vector<std::string> DescribeChanges(const generators::MutatedFiles& before,
                                         const generators::MutatedFiles& after);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SYNTHESIS_DESCRIBE_CHANGES_H_
