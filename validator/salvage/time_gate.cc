// SPDX-License-Identifier: Apache-2.0
#include "validator/salvage/time_gate.h"

#include <utility>

namespace pmproof::validator {

void TimeGate::Add(SalvagedRecord record) {
  record.after_hole = record.after_hole || std::exchange(hole_, false);
  waiting_bytes_ += record.bytes.size();
  waiting_.push_back(std::move(record));
  while (waiting_.size() > kAhead || (waiting_bytes_ > budget_ && waiting_.size() > 1)) Decide();
}

void TimeGate::Finish() {
  while (!waiting_.empty()) Decide();
}

void TimeGate::JudgeStart() {
  start_judged_ = true;
  if (!start_) return;
  std::size_t before = 0;
  for (const SalvagedRecord& record : waiting_) before += record.time < *start_ ? 1 : 0;
  if (2 * before > waiting_.size()) start_.reset();
}

void TimeGate::Decide() {
  if (!start_judged_) JudgeStart();
  const SalvagedRecord& first = waiting_.front();
  if (start_ && first.time < *start_) {
    Refuse("ARC-1719"_clause, "the record lies before the start that the label states");
    return;
  }
  if (last_ && first.time < *last_) {
    const bool new_volume = !first.mark && first.part != last_part_;
    Refuse(first.mark   ? "ARC-1724"_clause
           : new_volume ? "ARC-2004"_clause
                        : "ARC-1720"_clause,
           "the record is earlier than the one before it, " + ToIsoText(*last_));
    return;
  }
  std::size_t between = 0;
  std::size_t after = 0;
  for (std::size_t i = 1; i < waiting_.size(); ++i) {
    const SalvagedRecord& other = waiting_[i];
    if (other.mark) continue;
    if (other.time >= first.time) {
      ++after;
    } else if (!last_ || other.time >= *last_) {
      ++between;
    }
  }
  if (between > after) {
    Refuse(first.mark ? "ARC-1724"_clause : "ARC-1720"_clause,
           "the record is later than the records after it");
    return;
  }
  SalvagedRecord passing = std::move(waiting_.front());
  waiting_.pop_front();
  waiting_bytes_ -= passing.bytes.size();
  if (!passing.mark) {
    last_ = passing.time;
    last_part_ = passing.part;
  }
  ways_.pass(std::move(passing));
}

void TimeGate::Refuse(Clause clause, std::string message) {
  const SalvagedRecord refused = std::move(waiting_.front());
  waiting_.pop_front();
  waiting_bytes_ -= refused.bytes.size();
  if (waiting_.empty()) {
    hole_ = true;
  } else {
    waiting_.front().after_hole = true;
  }
  ways_.refuse(refused, clause, std::move(message));
}

}  // namespace pmproof::validator
