#include "reference/replay/emulation/pcp_context.h"

#include <algorithm>

namespace pmproof::replay::emulation {
namespace {

bool IsOpaque(MetricType type) { return NumericSize(type) == 0; }

}  // namespace

std::string ToText(Deviation deviation) {
  const auto number = static_cast<int>(deviation);
  return (number < 10 ? "DEV-0" : "DEV-") + std::to_string(number);
}

PcpContext::PcpContext(const RecordLog& log, archive::PcpVersion version, CounterWrap wrap)
    : log_(log),
      version_(version),
      wrap_(wrap),
      end_(/*exact=*/false, log.end()),
      known_(log.metrics().size(), false),
      last_n_(log.metrics().size(), -1) {
  for (std::size_t i = 0; i < log.metrics().size(); ++i) {
    const LoggedMetric& metric = log.metrics()[i];
    for (std::size_t k = 0; k < metric.instances.size(); ++k) {
      Cell& cell = cells_.emplace_back();
      cell.metric = i;
      cell.instance = metric.instances[k];
      if (!metric.has_lives) continue;
      cell.birth = metric.lives[k].birth;
      cell.death = metric.lives[k].death.value_or(-1);
    }
  }
  if (!log.records().empty()) position_.volume = saved_.volume = log.records().front().volume;
}

void PcpContext::SetMode(Timestamp time, Delta delta) {
  time_ = time;
  delta_ = delta;
  direction_ = DirectionOf(delta);
  const double t = log_.origin().Relative(time);
  Locate(t, direction_);
  const bool any = std::ranges::find(known_, true) != known_.end();
  if (any) {
    for (Cell& cell : cells_) {
      if (!known_[cell.metric] || !(cell.lo.time > t || cell.hi.time < t)) continue;
      cell.lo = {};
      cell.hi = {};
    }
  }
  if (version_ == archive::PcpVersion::k7_2) placed_ = false;
}

// The first entry that is not before `t`, as many as there are if none is. DEV-17: an entry of the
// last volume beyond the size of the volume that is open ends the search.
std::size_t PcpContext::FirstEntryNotBefore(double t, bool* too_far) const {
  *too_far = false;
  for (std::size_t j = 0; j < log_.index().size(); ++j) {
    const LoggedEntry& entry = log_.index()[j];
    if (opened_last_ && entry.volume == log_.last_volume() &&
        entry.offset > log_.VolumeSize(position_.volume)) {
      *too_far = true;
      return j;
    }
    if (entry.at >= t) return j;
  }
  return log_.index().size();
}

// INT-1402.
void PcpContext::Locate(double t, int direction) {
  const bool up = direction > 0;
  const std::vector<LoggedEntry>& index = log_.index();
  const auto at_entry = [&](std::size_t j) {
    position_ = {index[j].record, index[j].volume};
    opened_last_ = opened_last_ || index[j].volume == log_.last_volume();
  };
  if (index.empty()) {
    const std::vector<LoggedRecord>& records = log_.records();
    position_.gap = up ? 0 : records.size();
    if (!records.empty()) position_.volume = (up ? records.front() : records.back()).volume;
    saved_ = position_;
    return;
  }
  bool too_far = false;
  const std::size_t j = FirstEntryNotBefore(t, &too_far);
  placed_ = true;
  if (j < index.size() && !too_far && index[j].at == t) {
    at_entry(j);
    if (!up) placed_ = false;
  } else if (j == 0) {
    at_entry(0);
  } else if (j == index.size()) {
    at_entry(j - 1);
    if (!up) placed_ = false;
  } else {
    if (!too_far && index[j].at - t <= t - index[j - 1].at) {
      at_entry(j);
      if (up) placed_ = false;
    } else {
      at_entry(j - 1);
      if (!up) placed_ = false;
    }
    if (up && placed_) ReadBackward();
  }
  saved_ = position_;
}

const LoggedRecord* PcpContext::ReadForward() {
  if (position_.gap == log_.records().size()) return nullptr;
  const LoggedRecord& record = log_.records()[position_.gap];
  position_ = {position_.gap + 1, record.volume};
  opened_last_ = opened_last_ || record.volume == log_.last_volume();
  return &record;
}

const LoggedRecord* PcpContext::ReadBackward() {
  if (position_.gap == 0) return nullptr;
  const LoggedRecord& record = log_.records()[position_.gap - 1];
  position_ = {position_.gap - 1, record.volume};
  opened_last_ = opened_last_ || record.volume == log_.last_volume();
  return &record;
}

void PcpContext::SetMark(Side* side, double x) const {
  const bool kept = side->has_value && side->value.insitu;
  const Value value = kept ? side->value : Value{};
  *side = {x, Bound::Kind::kMark, value, kept, false};
}

void PcpContext::SetValue(Side* side, double x, const Value& value) const {
  *side = {x, Bound::Kind::kValue, value, true, false};
}

void PcpContext::Satisfy(Cell* cell, bool lower) {
  if (!cell->sought) return;
  cell->sought = false;
  --sought_count_;
  (lower ? cell->lo : cell->hi).done = true;
}

// INT-1404 of a mark: only the cells of the request at hand see it.
void PcpContext::TakeMark(double x, double t, Purpose purpose) {
  if (purpose == Purpose::kPlace) return;
  for (const std::size_t index : request_) {
    Cell& cell = cells_[index];
    if (x <= t && (x >= cell.lo.time || cell.lo.time > t)) {
      SetMark(&cell.lo, x);
      if (purpose == Purpose::kDown) Satisfy(&cell, /*lower=*/true);
      if (purpose == Purpose::kUp) saw_mark_ = true;
    }
    if (x >= t && (x <= cell.hi.time || cell.hi.time < 0 || cell.hi.time < t)) {
      SetMark(&cell.hi, x);
      if (purpose == Purpose::kUp) Satisfy(&cell, /*lower=*/false);
      if (purpose == Purpose::kDown) saw_mark_ = true;
    }
  }
}

// INT-1404 of a data record: every cell of a metric once requested sees it. DEV-05: a bound that is
// moved to the other side leaves its buffer there, and both sides release it.
void PcpContext::TakeRecord(const LoggedRecord& record, double t, Purpose purpose) {
  const double x = record.at;
  for (const LoggedValue& logged : record.values) {
    Cell& cell = cells_[logged.cell];
    if (!known_[cell.metric]) continue;
    const auto move = [this](const Side& from, Side* to) {
      *to = from;
      to->done = false;
      if (from.has_value && !from.value.insitu) BecomeUndefined(Deviation::kReleasedBuffer);
    };
    if (x <= t && (cell.lo.time > t || x >= cell.lo.time)) {
      if (cell.lo.time < cell.hi.time && cell.lo.time >= t) move(cell.lo, &cell.hi);
      SetValue(&cell.lo, x, logged.value);
      if (purpose == Purpose::kDown) Satisfy(&cell, /*lower=*/true);
    }
    if (x >= t && (cell.hi.time < t || x <= cell.hi.time)) {
      if (cell.lo.time < cell.hi.time && cell.hi.time <= t) move(cell.hi, &cell.lo);
      SetValue(&cell.hi, x, logged.value);
      if (purpose == Purpose::kUp) Satisfy(&cell, /*lower=*/false);
    }
  }
}

void PcpContext::Take(const LoggedRecord& record, double t, Purpose purpose) {
  if (record.mark) {
    TakeMark(record.at, t, purpose);
  } else {
    TakeRecord(record, t, purpose);
  }
}

// INT-1405.
void PcpContext::Roll(double t) {
  if (direction_ > 0) {
    while (const LoggedRecord* record = ReadForward()) {
      if (record->at > t) break;
      saved_ = position_;
      Take(*record, t, Purpose::kUp);
    }
  } else {
    while (const LoggedRecord* record = ReadBackward()) {
      if (record->at < t) break;
      saved_ = position_;
      Take(*record, t, Purpose::kDown);
    }
  }
}

// INT-1406, step 3: against the direction, so that the search begins behind the time.
void PcpContext::Place(double t) {
  Locate(t, direction_);
  if (direction_ > 0) {
    while (const LoggedRecord* record = ReadBackward()) {
      if (record->at <= t) break;
      saved_ = position_;
      Take(*record, t, Purpose::kPlace);
    }
  } else {
    while (const LoggedRecord* record = ReadForward()) {
      if (record->at > t) break;
      saved_ = position_;
      Take(*record, t, Purpose::kPlace);
    }
  }
  placed_ = true;
}

// Step 5.
void PcpContext::LowerPass(double t) {
  for (const std::size_t index : request_) {
    Cell& cell = cells_[index];
    if ((cell.floor >= 0 && t < cell.floor) || (cell.birth >= 0 && t < cell.birth) ||
        (cell.death >= 0 && t > cell.death)) {
      continue;
    }
    if ((cell.lo.time < 0 || cell.lo.time > t) && sought_count_ == 0 && !rolled_) {
      rolled_ = true;
      if (direction_ > 0) Roll(t);
    }
    const bool wanted = (cell.lo.kind == Bound::Kind::kNone && !cell.lo.done) ||
                        (cell.lo.time > t && (direction_ < 0 || !cell.lo.done)) ||
                        (cell.hi.kind == Bound::Kind::kMark && cell.lo.time == t);
    if (!wanted) continue;
    cell.sought = true;
    ++sought_count_;
    const auto place = std::ranges::find_if(
        sought_, [&](std::size_t other) { return cells_[other].floor <= cell.floor; });
    sought_.insert(place, index);
  }
}

// Step 6.
void PcpContext::SeekDown(double t) {
  if (sought_count_ > 0) {
    position_ = saved_;
    while (sought_count_ > 0) {
      const LoggedRecord* record = ReadBackward();
      if (record == nullptr) break;
      if (direction_ < 0 && record->at >= t) saved_ = position_;
      Take(*record, t, Purpose::kDown);
      while (!sought_.empty() && cells_[sought_.front()].floor >= record->at) {
        Satisfy(&cells_[sought_.front()], /*lower=*/true);
        sought_.pop_front();
      }
    }
    for (const std::size_t index : sought_) {
      Cell& cell = cells_[index];
      if ((cell.lo.kind == Bound::Kind::kNone || cell.lo.time > t) && cell.floor < t) {
        cell.floor = t;
        cell.lo.done = true;
      }
    }
  }
  for (const std::size_t index : request_) cells_[index].sought = false;
  sought_.clear();
  sought_count_ = 0;
}

// Step 7.
void PcpContext::UpperPass(double t) {
  for (const std::size_t index : request_) {
    Cell& cell = cells_[index];
    if ((cell.ceil >= 0 && t > cell.ceil) || (cell.birth >= 0 && t < cell.birth) ||
        (cell.death >= 0 && t > cell.death)) {
      continue;
    }
    if ((cell.hi.time < 0 || cell.hi.time < t) && sought_count_ == 0 && !rolled_) {
      rolled_ = true;
      if (direction_ < 0) Roll(t);
    }
    const bool wanted = (cell.hi.kind == Bound::Kind::kNone && !cell.hi.done) ||
                        (cell.hi.time < t && (direction_ > 0 || !cell.hi.done)) ||
                        (cell.lo.kind == Bound::Kind::kMark && cell.hi.time == t);
    if (!wanted) continue;
    cell.sought = true;
    ++sought_count_;
    const auto place = std::ranges::find_if(
        sought_, [&](std::size_t other) { return cells_[other].ceil >= cell.ceil; });
    sought_.insert(place, index);
  }
}

// Step 8.
void PcpContext::SeekUp(double t) {
  if (sought_count_ > 0) {
    position_ = saved_;
    while (sought_count_ > 0) {
      const LoggedRecord* record = ReadForward();
      if (record == nullptr) break;
      if (direction_ > 0 && record->at <= t) saved_ = position_;
      Take(*record, t, Purpose::kUp);
      for (auto it = sought_.begin(); it != sought_.end() && cells_[*it].ceil <= record->at;) {
        Cell& cell = cells_[*it];
        if (cell.ceil < 0) {
          ++it;
          continue;
        }
        Satisfy(&cell, /*lower=*/false);
        it = sought_.erase(it);
      }
    }
    for (const std::size_t index : sought_) {
      Cell& cell = cells_[index];
      if (cell.hi.time < t && (cell.ceil < 0 || t < cell.ceil)) {
        cell.ceil = t;
        cell.hi.done = true;
      }
    }
  }
  for (const std::size_t index : request_) cells_[index].sought = false;
  sought_.clear();
  sought_count_ = 0;
}

// Step 9.
bool PcpContext::IsValid(const Cell& cell, double t) const {
  const bool lower = cell.lo.kind == Bound::Kind::kValue && cell.lo.time <= t;
  if (log_.metrics()[cell.metric].descriptor.semantics == Semantics::kDiscrete) {
    return lower && cell.birth <= t && !(cell.death >= 0 && t > cell.death);
  }
  return lower && cell.hi.kind == Bound::Kind::kValue && cell.hi.time >= t;
}

// Step 10.
EmulatedValue PcpContext::ValueOf(const Cell& cell, double t) {
  const Descriptor& descriptor = log_.metrics()[cell.metric].descriptor;
  EmulatedValue answer;
  answer.instance = cell.instance;
  const auto take = [&](const Side& side, Deviation deviation) {
    const bool word = descriptor.type == MetricType::k32 || descriptor.type == MetricType::kU32 ||
                      cell.lo.value.insitu;
    if (!side.has_value && !word) BecomeUndefined(Deviation::kValueOfAMark);
    answer.value = side.value;
    answer.deviation = deviation;
  };
  if (IsOpaque(descriptor.type)) {
    const bool missed = cell.lo.time != t && cell.hi.time == t;
    take(cell.lo, missed ? Deviation::kOpaqueOfBefore : Deviation::kNone);
  } else if (cell.lo.time == t) {
    take(cell.lo, Deviation::kNone);
  } else if (cell.hi.time == t) {
    const bool mark = cell.hi.kind == Bound::Kind::kMark;
    take(cell.hi, mark ? Deviation::kValueOfAMark : Deviation::kNone);
  } else if (descriptor.semantics == Semantics::kInstant ||
             descriptor.semantics == Semantics::kDiscrete) {
    const bool discrete = descriptor.semantics == Semantics::kDiscrete;
    const bool legacy = version_ == archive::PcpVersion::k6_0_3;
    const bool earlier = legacy || t <= (cell.lo.time + cell.hi.time) / 2 ||
                         (discrete && cell.hi.kind != Bound::Kind::kValue);
    const bool stale = !earlier && cell.hi.time < t;
    take(earlier ? cell.lo : cell.hi, stale ? Deviation::kStaleNextBound : Deviation::kNone);
  } else {
    answer.value = PcpLine({Bound::Kind::kValue, {cell.lo.time, {}, 0}, cell.lo.value},
                           {Bound::Kind::kValue, {cell.hi.time, {}, 0}, cell.hi.value}, t, wrap_);
    const bool falls = descriptor.type == MetricType::k32 && wrap_ == CounterWrap::kOn &&
                       cell.hi.value.AsI32() < cell.lo.value.AsI32();
    if (falls) BecomeUndefined(Deviation::kWrapOf32);
  }
  return answer;
}

EmulatedMetric PcpContext::AnswerOf(std::size_t metric, double t) {
  const LoggedMetric& logged = log_.metrics()[metric];
  const Descriptor& descriptor = logged.descriptor;
  EmulatedMetric answer{descriptor.pmid, 0, {}};
  std::vector<std::size_t> cells;
  for (std::size_t i = 0; i < logged.instances.size(); ++i) {
    if (cells_[logged.first_cell + i].requested) cells.push_back(logged.first_cell + i);
  }
  answer.numval = static_cast<std::int32_t>(cells.size());
  // The cells of W stand in the opposite order.
  std::vector<bool> given(cells.size(), false);
  for (std::size_t i = cells.size(); i-- > 0;) {
    const Cell& cell = cells_[cells[i]];
    if (!IsValid(cell, t)) {
      --answer.numval;
      continue;
    }
    given[i] = true;
    if (descriptor.semantics != Semantics::kCounter) continue;
    if (IsOpaque(descriptor.type)) {
      answer.numval = static_cast<std::int32_t>(ErrorCode::kType);  // INT-406
    } else if (saw_mark_ && last_n_[metric] > 0) {
      --answer.numval;
      given[i] = false;
    }
  }
  if (answer.numval > 0) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (given[i]) answer.values.push_back(ValueOf(cells_[cells[i]], t));
    }
  }
  return answer;
}

EmulatedFetch PcpContext::Fetch(std::span<const std::size_t> metrics) {
  EmulatedFetch fetch;
  fetch.time = time_;
  const double t = log_.origin().Relative(time_);
  const Timestamp next = Advance(time_, delta_, /*normalised=*/false);
  if (end_.IsOutside(t)) {  // step 1
    fetch.status = ErrorCode::kEndOfLog;
    time_ = next;
    return fetch;
  }
  for (const std::size_t index : request_) cells_[index].requested = false;
  request_.clear();
  for (const std::size_t metric : metrics) {  // step 2
    const LoggedMetric& logged = log_.metrics()[metric];
    known_[metric] = true;
    for (std::size_t i = 0; i < logged.instances.size(); ++i) {
      Cell& cell = cells_[logged.first_cell + i];
      cell.requested =
          logged.singular || instances.Includes(logged.descriptor.indom, logged.instances[i]);
      if (cell.requested) request_.push_back(logged.first_cell + i);
    }
  }
  std::ranges::reverse(request_);
  if (!placed_) {
    Place(t);
    for (const std::size_t metric : metrics) last_n_[metric] = -1;
  }
  position_ = saved_;
  saw_mark_ = false;
  rolled_ = false;
  LowerPass(t);
  SeekDown(t);
  UpperPass(t);
  SeekUp(t);
  for (const std::size_t metric : metrics) {
    fetch.metrics.push_back(AnswerOf(metric, t));
    last_n_[metric] = fetch.metrics.back().numval;  // step 11
  }
  fetch.undefined = undefined_;
  time_ = next;
  return fetch;
}

}  // namespace pmproof::replay::emulation
