// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_WHERE_H_
#define PMPROOF_REFERENCE_DERIVED_WHERE_H_

#include <string>

#include "reference/core/pcp_version.h"
#include "reference/derived/expression.h"

// The place in an expression, as messages name it (DER-709).

namespace pmproof::derived {

// `version`: whose text of units is meant.
std::string WhereUnary(const Expression& expression, NodeIndex node, PcpVersion version);
std::string WhereBinary(const Expression& expression, NodeIndex node);
// "G ? A : B", or "A : B" where the guard is not concerned.
std::string WhereTernary(const Expression& expression, NodeIndex node, bool guard);

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_WHERE_H_
