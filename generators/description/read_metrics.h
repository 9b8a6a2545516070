// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_DESCRIPTION_READ_METRICS_H_
#define PMPROOF_GENERATORS_DESCRIPTION_READ_METRICS_H_

#include <string>
#include <vector>

#include "generators/description/node.h"
#include "generators/description/read_time.h"
#include "reference/archive/model.h"

namespace pmproof::generators {

// {"m.c": {"pmid": "60.0.1", "type": "u32", "semantics": "counter", ...}, ...}
std::vector<archive::DescModel> ReadMetrics(const Node& node);

// [{"indom": "60.1", "time": "0", "instances": {"0": "a"}}, ...]
std::vector<archive::IndomModel> ReadDomains(const Node& node, const TimeScale& scale);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_DESCRIPTION_READ_METRICS_H_
