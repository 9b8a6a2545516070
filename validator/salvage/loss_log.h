// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SALVAGE_LOSS_LOG_H_
#define PMPROOF_VALIDATOR_SALVAGE_LOSS_LOG_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "reference/core/identifiers.h"
#include "reference/core/timestamp.h"
#include "validator/salvage/loss_times.h"
#include "validator/salvage/salvage_report.h"

namespace pmproof::validator {

// Takes losses in the order in which they are met. Records that lie one after the other in a file
// and are lost for the same reason become one loss, and so do the value sets of one metric in one
// file.
class LossLog {
 public:
  // The losses take at most `budget` bytes.
  explicit LossLog(std::size_t budget) : budget_(budget) {}

  void Add(Loss loss);

  // The value sets of a metric. `loss` is of kind kValues, and only looked at where it is the first
  // one of its clause, file and metric: `describe` completes it then.
  template <typename Describe>
  void AddValues(Pmid pmid, Loss loss, Describe&& describe) {
    if (loss.from) times_.AddSet(pmid, *loss.from);
    if (Loss* known = FindValues(pmid, loss)) {
      Extend(*known, loss);
      Count(loss);
    } else {
      describe(loss);
      Insert(pmid, std::move(loss));
    }
  }

  // A sound record of this time follows what was lost last in this walk: spans that were open end.
  void NoteTime(Timestamp time);
  // Another walk begins: nothing is known of the times around it.
  void ForgetTime();

  bool empty() const { return losses_.empty(); }
  // Nothing is missing from the log. Else there is no report.
  bool complete() const { return complete_; }
  const SalvageReport::Lost& lost() const { return lost_; }
  // When it was recorded. Of value sets it is known; of all else the caller says it.
  LossTimes& times() { return times_; }
  std::vector<Loss> Take() { return std::move(losses_); }

 private:
  using ValuesKey = std::tuple<archive::Part, Clause, Pmid>;

  Loss* FindValues(Pmid pmid, const Loss& loss);
  void Insert(Pmid pmid, Loss loss);
  void Append(Loss loss);
  void Count(const Loss& loss);
  static void Extend(Loss& known, const Loss& more);

  std::size_t budget_;
  std::size_t used_ = 0;
  bool complete_ = true;
  std::vector<Loss> losses_;
  std::map<ValuesKey, std::size_t> values_;
  std::vector<std::size_t> open_;  // stretches whose `until` is still to come
  std::optional<Timestamp> time_;  // of the last sound record
  SalvageReport::Lost lost_;
  LossTimes times_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SALVAGE_LOSS_LOG_H_
