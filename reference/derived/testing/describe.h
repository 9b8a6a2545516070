// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_TESTING_DESCRIBE_H_
#define PMPROOF_REFERENCE_DERIVED_TESTING_DESCRIBE_H_

#include <string>

#include "reference/derived/expression.h"

namespace pmproof::derived {

// The tree with all its parentheses: "(+ a (* b 3))".
std::string Describe(const Expression& expression);

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_TESTING_DESCRIBE_H_
