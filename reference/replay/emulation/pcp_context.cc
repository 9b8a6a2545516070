// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/emulation/pcp_context.h"

#include <algorithm>

#include "reference/core/error_codes.h"

namespace pmproof::replay::emulation {
PcpContext::PcpContext(const RecordLog& log, archive::PcpVersion version, CounterWrap wrap,
                       Mends mends)
    : log_(log),
      version_(version),
      wrap_(wrap),
      mends_(mends),
      reader_(log, mends),
      saved_(reader_.position()),
      end_(/*exact=*/false, log.end()),
      known_(log.metrics().size(), false),
      last_n_(log.metrics().size(), -1),
      suppression_(log.metrics().size()) {
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
}

void PcpContext::SetMode(Timestamp time, Delta delta) {
  time_ = time;
  delta_ = delta;
  direction_ = DirectionOf(delta);
  const double t = log_.origin().Relative(time);
  Locate();
  // INT-1403: of 7.x the index may have led to the right side, and a fetch looks all the same, once
  // a metric is known.
  const bool any_known = std::ranges::find(known_, true) != known_.end();
  if (version_ == archive::PcpVersion::k7_2 && any_known) placed_ = false;
  for (Cell& cell : cells_) {
    if (mends_.Has(Deviation::kKeptBounds)) {
      cell.lo = cell.hi = {};
      cell.floor = cell.ceil = -1;
    } else if (known_[cell.metric] && (cell.lo.time > t || cell.hi.time < t)) {
      cell.lo = cell.hi = {};
    }
  }
  suppression_.Forget();
}

void PcpContext::Locate() {
  const LogReader::Placed placed = reader_.Locate(time_, direction_ > 0);
  if (placed != LogReader::Placed::kAsBefore) placed_ = placed == LogReader::Placed::kYes;
  saved_ = reader_.position();
}

void PcpContext::Satisfy(Cell* cell, bool lower) {
  if (!cell->sought) return;
  cell->sought = false;
  --sought_count_;
  (lower ? cell->lo : cell->hi).done = true;
}

// INT-1404 of a mark: only the cells of the request at hand see it (DEV-06), and none while the
// context is placed (DEV-01).
void PcpContext::TakeMark(double x, double t, Purpose purpose) {
  if (purpose == Purpose::kPlace && !mends_.Has(Deviation::kMarksUnseenInPlacing)) return;
  for (const std::size_t index : request_) TakeMarkInto(&cells_[index], x, t, purpose);
  if (!mends_.Has(Deviation::kMarksOfOneRequest)) return;
  for (Cell& cell : cells_) {
    const bool saw_mark = saw_mark_;
    if (known_[cell.metric] && !cell.requested) TakeMarkInto(&cell, x, t, purpose);
    saw_mark_ = saw_mark;
  }
}

void PcpContext::TakeMarkInto(Cell* cell, double x, double t, Purpose purpose) {
  if (x <= t && (x >= cell->lo.time || cell->lo.time > t)) {
    cell->lo.SetMark(x);
    if (purpose == Purpose::kDown) Satisfy(cell, /*lower=*/true);
    if (purpose == Purpose::kUp) saw_mark_ = true;
  }
  if (x >= t && (x <= cell->hi.time || cell->hi.time < 0 || cell->hi.time < t)) {
    cell->hi.SetMark(x);
    if (purpose == Purpose::kUp) Satisfy(cell, /*lower=*/false);
    if (purpose == Purpose::kDown) saw_mark_ = true;
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
      cell.lo.SetValue(x, logged.value);
      if (purpose == Purpose::kDown) Satisfy(&cell, /*lower=*/true);
    }
    if (x >= t && (cell.hi.time < t || x <= cell.hi.time)) {
      if (cell.lo.time < cell.hi.time && cell.hi.time <= t) move(cell.hi, &cell.lo);
      cell.hi.SetValue(x, logged.value);
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
    while (const LoggedRecord* record = reader_.Forward()) {
      if (record->at > t) break;
      saved_ = reader_.position();
      Take(*record, t, Purpose::kUp);
    }
  } else {
    while (const LoggedRecord* record = reader_.Backward()) {
      if (record->at < t) break;
      saved_ = reader_.position();
      Take(*record, t, Purpose::kDown);
    }
  }
}

// INT-1406, step 3: against the direction, so that the search begins after the time.
void PcpContext::Place(double t) {
  Locate();
  if (direction_ > 0) {
    while (const LoggedRecord* record = reader_.Backward()) {
      if (record->at <= t) break;
      saved_ = reader_.position();
      Take(*record, t, Purpose::kPlace);
    }
  } else {
    while (const LoggedRecord* record = reader_.Forward()) {
      if (record->at > t) break;
      saved_ = reader_.position();
      Take(*record, t, Purpose::kPlace);
    }
  }
  placed_ = true;
}

bool PcpContext::IsBeyondLife(const Cell& cell, double t) const {
  if (mends_.Has(Deviation::kLivesInTheSearch)) return false;
  return (cell.birth >= 0 && t < cell.birth) || (cell.death >= 0 && t > cell.death);
}

// Step 5.
void PcpContext::LowerPass(double t) {
  for (const std::size_t index : request_) {
    Cell& cell = cells_[index];
    if ((cell.floor >= 0 && t < cell.floor) || IsBeyondLife(cell, t)) continue;
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
    reader_.GoTo(saved_);
    bool all_of_t = true;  // no record at t or later was left unread
    while (sought_count_ > 0 || !all_of_t) {
      const LogReader::Position before = reader_.position();
      const LoggedRecord* record = reader_.Backward();
      if (record == nullptr) break;
      all_of_t = direction_ > 0 || record->at < t || !mends_.Has(Deviation::kRecordsOfOneTime);
      if (sought_count_ == 0 && all_of_t) {
        reader_.GoTo(before);
        break;
      }
      if (direction_ < 0 && record->at >= t) saved_ = reader_.position();
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
  EndSearch();
}

void PcpContext::EndSearch() {
  for (const std::size_t index : request_) cells_[index].sought = false;
  sought_.clear();
  sought_count_ = 0;
}

// Step 7.
void PcpContext::UpperPass(double t) {
  for (const std::size_t index : request_) {
    Cell& cell = cells_[index];
    if ((cell.ceil >= 0 && t > cell.ceil) || IsBeyondLife(cell, t)) continue;
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
    reader_.GoTo(saved_);
    while (sought_count_ > 0) {
      const LoggedRecord* record = reader_.Forward();
      if (record == nullptr) break;
      if (direction_ > 0 && record->at <= t) saved_ = reader_.position();
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
  EndSearch();
}

// INT-706 as libpcp does it: by the marks that the search met.
bool PcpContext::Suppresses(std::size_t metric, double t) const {
  if (mends_.Has(Deviation::kSuppressionByWhatIsMet)) {
    return suppression_.Suppresses(metric, t, log_.marks());
  }
  return saw_mark_ && last_n_[metric] > 0;
}

EmulatedMetric PcpContext::AnswerOf(std::size_t metric, double t) {
  const LoggedMetric& logged = log_.metrics()[metric];
  const Descriptor& descriptor = logged.descriptor;
  EmulatedMetric answer{descriptor.pmid, 0, {}};
  if (descriptor.type == MetricType::kNoSupport) {
    answer.numval = static_cast<std::int32_t>(kErrPmidLog);  // INT-405
    return answer;
  }
  std::vector<std::size_t> cells;
  for (std::size_t i = 0; i < logged.instances.size(); ++i) {
    if (cells_[logged.first_cell + i].requested) cells.push_back(logged.first_cell + i);
  }
  answer.numval = static_cast<std::int32_t>(cells.size());
  // The cells of W stand in the opposite order.
  std::vector<bool> given(cells.size(), false);
  bool type_error = false;
  for (std::size_t i = cells.size(); i-- > 0;) {
    const Cell& cell = cells_[cells[i]];
    if (!IsValid(cell, descriptor, t, mends_)) {
      --answer.numval;
      continue;
    }
    given[i] = true;
    if (descriptor.semantics != Semantics::kCounter) continue;
    if (NumericSize(descriptor.type) == 0) {
      answer.numval = static_cast<std::int32_t>(ErrorCode::kType);  // INT-406
      type_error = true;
    } else if (Suppresses(metric, t)) {
      --answer.numval;
      given[i] = false;
    }
  }
  if (answer.numval > 0) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!given[i]) continue;
      const CellAnswer value = ValueOf(cells_[cells[i]], descriptor, t, version_, wrap_, mends_);
      if (value.undefined != Deviation::kNone) BecomeUndefined(value.undefined);
      answer.values.push_back(value.value);
    }
  }
  if (type_error && mends_.Has(Deviation::kCountedError)) {
    answer.numval = static_cast<std::int32_t>(ErrorCode::kType);
  }
  return answer;
}

// Step 2.
void PcpContext::Request(std::span<const std::size_t> metrics) {
  for (const std::size_t index : request_) cells_[index].requested = false;
  request_.clear();
  for (const std::size_t metric : metrics) {
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
}

EmulatedFetch PcpContext::Fetch(std::span<const std::size_t> metrics) {
  EmulatedFetch fetch;
  fetch.time = time_;
  const double t = log_.origin().Relative(time_);
  const Timestamp next = Advance(time_, delta_, /*normalised=*/false);
  const bool outside = end_.IsOutside(t);
  if (end_.is_known()) reader_.OpenLast();
  if (outside) {  // step 1
    fetch.status = ErrorCode::kEndOfLog;
    time_ = next;
    return fetch;
  }
  Request(metrics);
  if (!placed_) {
    Place(t);
    for (const std::size_t metric : metrics) last_n_[metric] = -1;
  }
  reader_.GoTo(saved_);
  saw_mark_ = false;
  rolled_ = false;
  LowerPass(t);
  SeekDown(t);
  UpperPass(t);
  SeekUp(t);
  for (const std::size_t metric : metrics) {
    fetch.metrics.push_back(AnswerOf(metric, t));
    last_n_[metric] = fetch.metrics.back().numval;  // step 11
    suppression_.Note(metric, last_n_[metric] > 0);
  }
  suppression_.NoteFetch(t);
  fetch.undefined = undefined_;
  time_ = next;
  return fetch;
}

}  // namespace pmproof::replay::emulation
