// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/answer_rows.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace pmproof::replay {

AnswerRows::AnswerRows(const WantedMetrics& metrics, const Rule& rule,
                       std::span<const Timestamp> times, const Origin& origin, bool reasons,
                       std::size_t memory)
    : metrics_(metrics),
      rule_(rule),
      traits_(rule.traits()),
      times_(times),
      rows_(times.size()),
      bounds_(reasons ? times.size() : 0),
      reasons_(reasons),
      kept_(times.size()),
      memory_(memory) {
  relative_.reserve(times.size());
  for (const Timestamp time : times) relative_.push_back(origin.Relative(time));
}

void AnswerRows::OnBounds(std::size_t index, std::size_t time, const Bounds& bounds) {
  if (time >= kept_) return;
  const WantedCell& cell = metrics_.cells()[index];
  const double t = relative_[time];
  if (traits_.lifetimes && cell.life != nullptr &&
      (t < cell.life->birth || (cell.life->death && t > *cell.life->death))) {
    return;  // INT-403
  }
  const Answer answer = rule_.At(bounds, {times_[time], t, cell.type, cell.semantics});
  if (answer.kind == Answer::Kind::kNone) return;

  AnsweredCell answered;
  answered.bits = answer.value.bits;
  answered.cell = static_cast<std::uint32_t>(index);
  answered.number = answer.why.number();
  answered.chapter = static_cast<std::uint8_t>(answer.why.chapter()) & 0xf;
  answered.kind = answer.kind;
  answered.insitu = answer.value.insitu;
  if (answer.kind == Answer::Kind::kDamaged) {
    const bool prior = bounds.prior.kind == Bound::Kind::kDamage;
    answered.bits = (prior ? bounds.prior : bounds.next).moment.record;
  } else if (answer.kind == Answer::Kind::kValue && NumericSize(cell.type) == 0) {
    answered.bits = Keep(answer.value.opaque);
  }

  std::vector<AnsweredCell>& row = rows_[time];
  if (row.empty() && time > 0) row.reserve(rows_[time - 1].size());
  row.push_back(answered);
  used_ += sizeof answered;
  if (reasons_) {
    bounds_[time].push_back(bounds);
    bounds_[time].back().prior.value.opaque = bounds_[time].back().next.value.opaque = {};
    used_ += sizeof bounds;
  }
  if (used_ > memory_) [[unlikely]]
    GiveUpRows();
}

std::uint64_t AnswerRows::Keep(Bytes opaque) {
  const auto [kept, added] = texts_.emplace(AsText(opaque));
  if (added) used_ += opaque.size() + sizeof(std::string) + 4 * sizeof(void*);
  return std::bit_cast<std::uintptr_t>(&*kept);
}

void AnswerRows::GiveUpRows() {
  kept_ /= 2;
  for (std::size_t time = kept_; time < rows_.size(); ++time) {
    used_ -= rows_[time].size() * (sizeof(AnsweredCell) + (reasons_ ? sizeof(Bounds) : 0));
    rows_[time] = {};
    if (reasons_) bounds_[time] = {};
  }
  rows_.resize(kept_);
}

void AnswerRows::Finish() {
  for (std::size_t time = 0; time < kept_; ++time) {
    if (!std::ranges::is_sorted(rows_[time], {}, &AnsweredCell::cell)) SortRow(time);
  }
}

void AnswerRows::SortRow(std::size_t time) {
  std::vector<AnsweredCell>& row = rows_[time];
  if (reasons_) {
    std::vector<std::size_t> order(row.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](std::size_t i) { return row[i].cell; });
    std::vector<Bounds> sorted;
    sorted.reserve(order.size());
    for (const std::size_t i : order) sorted.push_back(bounds_[time][i]);
    bounds_[time] = std::move(sorted);
  }
  std::ranges::sort(row, {}, &AnsweredCell::cell);
}

}  // namespace pmproof::replay
