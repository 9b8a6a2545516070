// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SALVAGE_TIME_GATE_H_
#define PMPROOF_VALIDATOR_SALVAGE_TIME_GATE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "reference/archive/encode.h"
#include "reference/archive/layout.h"
#include "reference/archive/reporter.h"
#include "reference/core/timestamp.h"

namespace pmproof::validator {

// A data record on its way from the broken archive to the new one.
struct SalvagedRecord {
  archive::Buffer bytes;
  Timestamp time;
  bool mark = false;
  std::uint64_t offset = 0;
  archive::Part part = 0;
  bool after_hole = false;  // records were lost between the one before and this
};

// Lets data records pass whose times do not decrease (ARC-1720, ARC-2004) and are not before the
// start of the archive (ARC-1719). One wrong time must not cost all records after it: a record is
// judged when those that follow are known, kAhead of them. It goes if more of these lie between it
// and the record that passed before it than lie after it. Marks pass by the same rule.
class TimeGate {
 public:
  static constexpr std::size_t kAhead = 16;

  struct Ways {
    std::function<void(SalvagedRecord record)> pass;
    std::function<void(const SalvagedRecord& record, Clause clause, std::string message)> refuse;
  };

  // `start`: of the label, if that can be right. Records that wait take at most `budget` bytes;
  // beyond that fewer are looked at.
  TimeGate(std::optional<Timestamp> start, std::size_t budget, Ways ways)
      : start_(start), budget_(budget), ways_(std::move(ways)) {}

  void Add(SalvagedRecord record);
  // Records are lost between the last one added and the next.
  void Hole() { hole_ = true; }
  void Finish();

  // Records are lost after the last one that passed. Known after Finish().
  bool ends_in_hole() const { return hole_; }

  // The start of the label if it is right: nothing where most of the first records are earlier.
  // Known when the first record passes.
  const std::optional<Timestamp>& start() const { return start_; }

 private:
  void Decide();
  void JudgeStart();
  void Refuse(Clause clause, std::string message);

  std::optional<Timestamp> start_;
  std::size_t budget_;
  Ways ways_;
  bool start_judged_ = false;
  bool hole_ = false;
  std::size_t waiting_bytes_ = 0;
  std::deque<SalvagedRecord> waiting_;
  std::optional<Timestamp> last_;  // of the data record that passed last
  archive::Part last_part_ = 0;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SALVAGE_TIME_GATE_H_
