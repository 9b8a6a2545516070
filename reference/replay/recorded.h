// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_RECORDED_H_
#define PMPROOF_REFERENCE_REPLAY_RECORDED_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "reference/core/identifiers.h"
#include "reference/core/status.h"
#include "reference/replay/instance_profile.h"
#include "reference/replay/replay.h"
#include "reference/replay/replay_archive.h"

// Reading forward without interpolation (PM_MODE_FORW): what was recorded, record by record.

namespace pmproof::replay {

struct RecordedRequest {
  std::vector<Pmid> metrics{};  // in the order of the answers; may repeat, may be unknown
  InstanceProfile instances{};
  std::optional<Timestamp> start{};   // the first record that is not before it; nothing: the first
  std::optional<Timestamp> finish{};  // reading ends at the first record after it
  std::uint64_t count = std::numeric_limits<std::uint64_t>::max();  // so many answers at most
};

// What each reading after the last answer gives.
struct RecordedEnd {
  // Or PM_ERR_LOGREC: what is left is no record (INT-1007).
  ErrorCode status = ErrorCode::kEndOfLog;
  // Where the end of the archive cuts a record, or zeros begin.
  std::optional<Status> cut;
};

// One answer, with the time of its record, for each record that has one of the metrics, whatever
// the profile leaves of it; marks and other records have none (DER-1106). The values of a metric
// stand in the order of the record (DER-1104); opaque ones hold until the sink returns. A record
// that readers refuse has an answer too, PM_ERR_LOGREC at the time of the one before, and so has
// what cannot be reached, after which there is no other (INT-1007). Of archives that overlap, the
// start decides which is read; PM_ERR_LOGOVERLAP stands where the next one begins (INT-907). The
// time it takes is linear in the archive up to the last record read; of several archives it is also
// that of finding their ends. Errors: a file that cannot be read at all.
Result<RecordedEnd> ReadRecorded(const ReplayArchive& archive, const RecordedRequest& request,
                                 const AnswerSink& sink);

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_RECORDED_H_
