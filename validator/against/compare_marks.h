// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGAINST_COMPARE_MARKS_H_
#define PMPROOF_VALIDATOR_AGAINST_COMPARE_MARKS_H_

#include <cstdint>
#include <map>

#include "reference/core/timestamp.h"
#include "validator/against/difference_log.h"
#include "validator/against/instant_reader.h"
#include "validator/against/side.h"

namespace pmproof::validator::against {

// Compares where continuity ends (ARC-510): mark records, and the marks that readers see between
// archives that they read together (ARC-556), which a mark record of the same time stands for, as
// pmlogextract writes it (ARC-511). Of several marks of one time more are no difference, fewer are.
class MarkComparison {
 public:
  // All outlive this.
  MarkComparison(const Side& original, const Side& replacement, DifferenceLog& log);

  // Either may be null. In order of time.
  void Compare(const Instant* original, const Instant* replacement);

  // Logs seams that no mark stands for, and archives that cannot be read together though those of
  // the original can.
  void End();

 private:
  struct Count {
    std::uint64_t marks = 0;
    std::uint64_t seams = 0;
    std::uint64_t all() const { return marks + seams; }
  };
  void CompareAt(Timestamp time, const Count& was, const Count& is);

  const Side& original_;
  const Side& replacement_;
  DifferenceLog& log_;
  std::map<Timestamp, std::uint64_t> seams_;          // of the original, not met yet
  std::map<Timestamp, std::uint64_t> seams_instead_;  // of the replacement
};

}  // namespace pmproof::validator::against

#endif  // PMPROOF_VALIDATOR_AGAINST_COMPARE_MARKS_H_
