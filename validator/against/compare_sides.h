// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGAINST_COMPARE_SIDES_H_
#define PMPROOF_VALIDATOR_AGAINST_COMPARE_SIDES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "reference/archive/memory_budget.h"
#include "reference/archive/storage.h"
#include "reference/core/status.h"
#include "reference/core/timestamp.h"
#include "validator/against/compare_values.h"
#include "validator/against/difference.h"
#include "validator/against/reduction.h"
#include "validator/against/side.h"

namespace pmproof::validator::against {

// All that archives say otherwise than the original, and how much was compared.
struct Comparison {
  std::vector<Difference> differences;  // by kind, change and subject
  Totals original;
  Totals replacement;
  std::uint64_t metrics = 0;       // of the original that are described
  std::uint64_t repeated = 0;      // values that are there more often than in the original
  std::optional<Timestamp> first;  // of the original's records
  std::optional<Timestamp> last;
  std::optional<Reduction> reduction;  // where what replaces the original is said to be reduced
};

// Compares two sides, both in order of time: memory is that of the metadata and of the records of
// one time, time is linear in the size of the archives but for a logarithm. `examples`: so many of
// each difference. `reduced`: values are held against what a reduction must have written
// (CompareReduction). Errors: those of the files, kDamaged where one cannot be read to its end, and
// kBudget; then nothing is known.
Result<Comparison> CompareSides(const archive::Storage& storage, const Side& original,
                                const Side& replacement, const archive::MemoryBudget& budget,
                                std::size_t examples, bool reduced);

}  // namespace pmproof::validator::against

#endif  // PMPROOF_VALIDATOR_AGAINST_COMPARE_SIDES_H_
