// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_RULES_DIFF_COMPARE_RULES_H_
#define PMPROOF_VALIDATOR_RULES_DIFF_COMPARE_RULES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reference/core/pcp_version.h"
#include "reference/replay/replay_archive.h"
#include "reference/replay/rule.h"
#include "validator/rules_diff/comparison.h"
#include "validator/rules_diff/side.h"

namespace pmproof::validator {

struct CompareOptions {
  // Names of metrics, or of inner nodes of the name space: all below. Empty: all of the archive.
  std::vector<std::string> metrics;
  std::optional<Timestamp> start;        // else that of the archive
  std::optional<Timestamp> finish;       // likewise
  std::optional<std::int64_t> interval;  // nanoseconds, above 0; else DeriveInterval()
  std::vector<std::string> paths;        // of the archive, for a side that opens it itself
  std::size_t memory = std::size_t{512} << 20;
  std::size_t examples = 10;
  std::size_t most = 12;  // metric-instances that differ most
  // More times are refused (kUsage): one damaged time of a record makes millions of millions.
  std::uint64_t limit = 10'000'000;
  // Explains differences by the deviations of this version of PCP; both sides are asked in batches
  // then.
  std::optional<PcpVersion> explain;
  bool counter_wrap = false;  // of the explanation
  // Called now and then with the part that is done, 0 to 1.
  std::function<void(double done)> progress;
};

// Asks two sides for the metrics of an archive, from start to finish in equal steps, and compares
// the answers. Both are asked at once, in one thread each, and none waits for the other as long as
// both are about equally fast. What could not be compared is in `failure` of the result; what was
// found until then stands.
//
// A side that is bounded is asked in batches, each a context of its own, and the other side with
// it: what a context remembers of earlier fetches (INT-706) begins anew on both sides.
Comparison CompareSides(const replay::ReplayArchive& archive, Side& baseline, Side& candidate,
                        const CompareOptions& options);

// Of two interpolation rules; any Rule will do.
Comparison CompareRules(const replay::ReplayArchive& archive, const replay::Profile& baseline,
                        const replay::Profile& candidate, const CompareOptions& options);

// About a thousandth of the span, and a prime number of some unit, so that the times fall on all
// phases of whatever interval the archive was recorded at: on its records, all rules agree.
std::int64_t DeriveInterval(std::int64_t span);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_RULES_DIFF_COMPARE_RULES_H_
