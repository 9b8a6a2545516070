// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_DESCRIPTION_READ_DAMAGE_H_
#define PMPROOF_GENERATORS_DESCRIPTION_READ_DAMAGE_H_

#include <vector>

#include "generators/description/description.h"
#include "generators/description/node.h"

namespace pmproof::generators {

// [{"file": "0", "record": 2, "offset": 16, "word": 4294967295}, {"file": "0", "cut": 7}, ...]
// Fails for what is not in the files of `image`.
std::vector<DescribedDamage> ReadDamage(const Node& node, const ArchiveImage& image);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_DESCRIPTION_READ_DAMAGE_H_
