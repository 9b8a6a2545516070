#ifndef PMPROOF_REFERENCE_REPLAY_EMULATION_PCP_CONTEXT_H_
#define PMPROOF_REFERENCE_REPLAY_EMULATION_PCP_CONTEXT_H_

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference/archive/archive_set.h"
#include "reference/core/error_code.h"
#include "reference/replay/context_clock.h"
#include "reference/replay/counter_line.h"
#include "reference/replay/emulation/record_log.h"
#include "reference/replay/instance_profile.h"

namespace pmproof::replay::emulation {

// The known deviations of section 13 that one value shows by itself. The others are in what the
// emulation answers, too, but nothing says so.
enum class Deviation : std::uint8_t {
  kNone = 0,
  kValueOfAMark = 2,    // DEV-02
  kStaleNextBound = 3,  // DEV-03
  kOpaqueOfBefore = 4,  // DEV-04
  kReleasedBuffer = 5,  // DEV-05
  kWrapOf32 = 10,       // DEV-10
};

// "DEV-05".
std::string ToText(Deviation deviation);

struct EmulatedValue {
  std::int32_t instance = kInstanceNull;
  Value value;
  // Why the value deviates by construction.
  Deviation deviation = Deviation::kNone;
};

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
  // written behind what it owns (DEV-10): this fetch and those after it may crash or answer
  // anything.
  std::optional<Deviation> undefined;
};

// What an archive context of PCP answers, deviations included (section 14): a machine that goes
// over the records as libpcp does, with its memory. One archive; interpolating mode. The log
// outlives it.
class PcpContext {
 public:
  PcpContext(const RecordLog& log, archive::PcpVersion version,
             CounterWrap wrap = CounterWrap::kOff);

  // pmSetMode(PM_MODE_INTERP, time, delta) (INT-1403).
  void SetMode(Timestamp time, Delta delta);

  InstanceProfile instances;

  // pmFetch (INT-1406) of metrics by their numbers in the log; each at most once (DEV-12).
  EmulatedFetch Fetch(std::span<const std::size_t> metrics);

 private:
  enum class Purpose : std::uint8_t { kPlace, kUp, kDown };

  // One side of a cell: the bound that is known.
  struct Side {
    double time = -1;
    Bound::Kind kind = Bound::Kind::kNone;
    Value value{};
    bool has_value = false;  // a mark keeps an insitu value, drops others
    bool done = false;
  };
  struct Cell {
    std::size_t metric = 0;
    std::int32_t instance = 0;
    Side lo;
    Side hi;
    double floor = -1;
    double ceil = -1;
    double birth = -1;
    double death = -1;
    bool sought = false;
    bool requested = false;
  };
  // A gap between records, and the volume that is open there.
  struct Position {
    std::size_t gap = 0;
    archive::Part volume = 0;
  };

  void Locate(double t, int direction);
  std::size_t FirstEntryNotBefore(double t, bool* too_far) const;
  void Place(double t);
  const LoggedRecord* ReadForward();
  const LoggedRecord* ReadBackward();
  void TakeMark(double x, double t, Purpose purpose);
  void TakeRecord(const LoggedRecord& record, double t, Purpose purpose);
  void Take(const LoggedRecord& record, double t, Purpose purpose);
  void SetMark(Side* side, double x) const;
  void SetValue(Side* side, double x, const Value& value) const;
  void Satisfy(Cell* cell, bool lower);
  void Roll(double t);
  void LowerPass(double t);
  void UpperPass(double t);
  void SeekDown(double t);
  void SeekUp(double t);
  bool IsValid(const Cell& cell, double t) const;
  EmulatedMetric AnswerOf(std::size_t metric, double t);
  EmulatedValue ValueOf(const Cell& cell, double t);
  void BecomeUndefined(Deviation why) { undefined_ = undefined_.value_or(why); }

  const RecordLog& log_;
  archive::PcpVersion version_;
  CounterWrap wrap_;
  Position position_;
  Position saved_;
  bool placed_ = false;
  bool opened_last_ = false;
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
  std::vector<std::size_t> request_;  // W: cells, the last one first
  std::list<std::size_t> sought_;
  std::size_t sought_count_ = 0;
};

}  // namespace pmproof::replay::emulation

#endif  // PMPROOF_REFERENCE_REPLAY_EMULATION_PCP_CONTEXT_H_
