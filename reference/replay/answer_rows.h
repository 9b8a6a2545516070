// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_ANSWER_ROWS_H_
#define PMPROOF_REFERENCE_REPLAY_ANSWER_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "reference/replay/bounds_finder.h"
#include "reference/replay/rule.h"
#include "reference/replay/wanted_metrics.h"

namespace pmproof::replay {

// What a rule answered for one cell at one time; that there is no value is not kept.
struct AnsweredCell {
  std::uint64_t bits = 0;  // of an opaque value the address of its text; of damage the record
  std::uint32_t cell = 0;
  Clause why() const { return {static_cast<Clause::Chapter>(chapter), number}; }
  std::uint16_t number = 0;
  std::uint8_t chapter : 4 = 0;
  Answer::Kind kind : 3 = Answer::Kind::kNone;
  bool insitu : 1 = false;
};

// The answers of one walk, a row for each time: asks the rule about the bounds as they are found,
// and keeps what it says within a budget. Where all rows do not fit, those of the later times are
// given up.
class AnswerRows final : public BoundsSink {
 public:
  // `times` ascending, each once. What is handed over outlives this. `memory` in bytes.
  AnswerRows(const WantedMetrics& metrics, const Rule& rule, std::span<const Timestamp> times,
             const Origin& origin, bool reasons, std::size_t memory);
  AnswerRows(const AnswerRows&) = delete;
  AnswerRows& operator=(const AnswerRows&) = delete;

  std::span<const double> relative() const { return relative_; }
  // How many rows are whole: those of the first times. 0 if not even one fits.
  std::size_t kept() const { return kept_; }

  void OnBounds(std::size_t cell, std::size_t time, const Bounds& bounds) override;

  // The row of a time below kept(), ascending by cell.
  std::span<const AnsweredCell> Row(std::size_t time) const { return rows_[time]; }
  // The bounds beside its cells, without opaque values; only if reasons were asked for.
  std::span<const Bounds> BoundsOf(std::size_t time) const { return bounds_[time]; }

  // After the walk: puts the rows in order.
  void Finish();

 private:
  std::uint64_t Keep(Bytes opaque);
  void SortRow(std::size_t time);
  void GiveUpRows();

  const WantedMetrics& metrics_;
  const Rule& rule_;
  const ProfileTraits traits_;
  std::span<const Timestamp> times_;
  std::vector<double> relative_;
  std::vector<std::vector<AnsweredCell>> rows_;
  std::vector<std::vector<Bounds>> bounds_;
  std::set<std::string> texts_;
  bool reasons_;
  std::size_t kept_;
  std::size_t memory_;
  std::size_t used_ = 0;
};

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_ANSWER_ROWS_H_
