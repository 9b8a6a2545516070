// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_DESCRIPTION_READ_VALUES_H_
#define PMPROOF_GENERATORS_DESCRIPTION_READ_VALUES_H_

#include "generators/description/node.h"
#include "reference/archive/model.h"

namespace pmproof::generators {

// What a record says of a metric: null (no values, ARC-202), {"error": -12357} (ARC-203), a value,
// values by instance {"0": 1, "3": 2}, a list of such objects where an instance stands there more
// than once, or one of these as it is not usually stored: {"stored": "insitu", "value": 7}.
archive::ValueSetModel ReadValues(const Node& node, const Descriptor& metric);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_DESCRIPTION_READ_VALUES_H_
