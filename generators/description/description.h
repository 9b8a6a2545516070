// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_DESCRIPTION_DESCRIPTION_H_
#define PMPROOF_GENERATORS_DESCRIPTION_DESCRIPTION_H_

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "generators/archive_image.h"
#include "reference/core/status.h"

// Small archives that people write down by hand, as JSON (pmproof-archive/1,
// generators/schema/description.schema.json; by example in golden/README.md).

namespace pmproof::generators {

// A word of a file that is another, or bytes at its end that are missing.
struct DescribedDamage {
  std::string file;  // its suffix: "0"
  std::size_t cut = 0;
  std::size_t offset = 0;  // without a cut
  std::uint32_t word = 0;
};

// One archive: nothing about it is checked, so that archives can be described that break rules.
struct DescribedArchive {
  ArchivePlan plan;
  std::vector<DescribedDamage> damages;    // in this order
  std::set<std::int32_t> missing_volumes;  // planned, and pointed to by the index, but not there

  ArchiveImage Image() const;
};

// The most archives that one description has (a set).
inline constexpr std::size_t kMostArchives = 16;

// Reads a description of one or several archives. Linear in the text. Errors: kUsage, with the
// place ("/records/3/time: ..."), or the offset of what is not JSON.
Result<std::vector<DescribedArchive>> ReadDescription(std::string_view text);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_DESCRIPTION_DESCRIPTION_H_
