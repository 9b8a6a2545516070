// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_MUTATIONS_GAPS_H_
#define PMPROOF_GENERATORS_MUTATIONS_GAPS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/model.h"
#include "reference/core/timestamp.h"

// When the data records of an archive come, and whether one of the distances between them is a gap
// (ARC-2010). A record that is put in, made a mark or given another time changes the median of the
// intervals, and so what counts as a gap elsewhere.

namespace pmproof::generators {

// What ARC-2010 asks of one record.
struct Moment {
  Timestamp time;
  std::uint32_t first_metric = 0;  // with the number of sets: what is fetched together
  std::size_t set_count = 0;       // 0: a mark
  bool sound_time = true;          // its fraction is in range
};

Moment MomentOf(const archive::ResultModel& result);

// Those of all records in the order of the files.
std::vector<Moment> MomentsOf(const ArchivePlan& plan);

// True if two neighbouring records, without a mark between, are more than ten times as far apart as
// the median interval of records that are alike. `start` is that of the label. Costs n log n.
bool HasGap(const std::vector<Moment>& moments, Timestamp start);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_GAPS_H_
