// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_EMULATION_PCP_CONTEXT_H_
#define PMPROOF_REFERENCE_REPLAY_EMULATION_PCP_CONTEXT_H_

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <span>
#include <vector>

#include "reference/archive/archive_set.h"
#include "reference/core/error_code.h"
#include "reference/replay/context_clock.h"
#include "reference/replay/emulation/cell.h"
#include "reference/replay/emulation/log_reader.h"
#include "reference/replay/emulation/record_log.h"
#include "reference/replay/instance_profile.h"
#include "reference/replay/suppression.h"

namespace pmproof::replay::emulation {

struct EmulatedMetric {
  Pmid pmid;
  std::int32_t numval = 0;            // as PCP gives it: a count or an error code
  std::vector<EmulatedValue> values;  // in the order of PCP's answers (INT-409)
};

struct EmulatedFetch {
  Timestamp time;
  ErrorCode status = ErrorCode::kOk;  // kEndOfLog
  std::vector<EmulatedMetric> metrics;
  // Set once PCP has followed a pointer to nothing (DEV-02), released a buffer twice (DEV-05) or
  // written after what it owns (DEV-10): this fetch and those after it may crash or answer
  // anything.
  std::optional<Deviation> undefined;
};

// What an archive context of PCP answers, deviations included (section 14): a machine that goes
// over the records as libpcp does, with its memory. One archive; interpolating mode. The log
// outlives it.
class PcpContext {
 public:
  // `mends`: deviations that it is not to have.
  PcpContext(const RecordLog& log, archive::PcpVersion version,
             CounterWrap wrap = CounterWrap::kOff, Mends mends = {});

  // pmSetMode(PM_MODE_INTERP, time, delta) (INT-1403).
  void SetMode(Timestamp time, Delta delta);

  InstanceProfile instances;

  // pmFetch (INT-1406) of metrics by their numbers in the log; each at most once (DEV-12).
  EmulatedFetch Fetch(std::span<const std::size_t> metrics);

 private:
  enum class Purpose : std::uint8_t { kPlace, kUp, kDown };

  // The condition of a cell's life in the passes; DEV-25 is that it concerns all semantics.
  bool IsBeyondLife(const Cell& cell, double t) const;
  void Locate();
  void Place(double t);
  void TakeMark(double x, double t, Purpose purpose);
  void TakeMarkInto(Cell* cell, double x, double t, Purpose purpose);
  void TakeRecord(const LoggedRecord& record, double t, Purpose purpose);
  void Take(const LoggedRecord& record, double t, Purpose purpose);
  void Satisfy(Cell* cell, bool lower);
  void Roll(double t);
  void LowerPass(double t);
  void UpperPass(double t);
  void SeekDown(double t);
  void SeekUp(double t);
  void EndSearch();
  void Request(std::span<const std::size_t> metrics);
  EmulatedMetric AnswerOf(std::size_t metric, double t);
  bool Suppresses(std::size_t metric, double t) const;
  void BecomeUndefined(Deviation why) { undefined_ = undefined_.value_or(why); }

  const RecordLog& log_;
  archive::PcpVersion version_;
  CounterWrap wrap_;
  Mends mends_;
  LogReader reader_;
  LogReader::Position saved_;
  bool placed_ = false;
  bool saw_mark_ = false;
  bool rolled_ = false;
  std::optional<Deviation> undefined_;
  EndOfArchive end_;
  Timestamp time_;
  Delta delta_;
  int direction_ = 0;
  std::vector<Cell> cells_;           // by the numbers of the log
  std::vector<bool> known_;           // metrics once requested
  std::vector<std::int32_t> last_n_;  // of each metric
  Suppression suppression_;           // INT-706, where DEV-07 is mended
  std::vector<std::size_t> request_;  // W: cells, the last one first
  std::list<std::size_t> sought_;
  std::size_t sought_count_ = 0;
};

}  // namespace pmproof::replay::emulation

#endif  // PMPROOF_REFERENCE_REPLAY_EMULATION_PCP_CONTEXT_H_
