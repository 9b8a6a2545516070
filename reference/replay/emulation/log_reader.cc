// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/emulation/log_reader.h"

#include <algorithm>

namespace pmproof::replay::emulation {
namespace {

// Whether a record lies before an entry of the index that should not: before the first one, or at
// the time of an entry.
bool IndexLeadsPast(const RecordLog& log) {
  if (log.index().empty()) return false;
  const auto leads_past = [&log](const LoggedEntry& entry) {
    return entry.record > 0 && log.records()[entry.record - 1].at >= entry.at;
  };
  return log.index().front().record > 0 || std::ranges::any_of(log.index(), leads_past);
}

}  // namespace

LogReader::LogReader(const RecordLog& log, Mends mends)
    : log_(log),
      mends_(mends),
      without_index_(log.index().empty() ||
                     (mends.Has(Deviation::kIndexLeadsPast) && IndexLeadsPast(log))) {
  if (!log.records().empty()) position_.volume = log.records().front().volume;
}

const LoggedRecord* LogReader::Read(std::size_t record, std::size_t gap) {
  const LoggedRecord& read = log_.records()[record];
  position_ = {gap, read.volume};
  opened_last_ = opened_last_ || read.volume == log_.last_volume();
  return &read;
}

const LoggedRecord* LogReader::Forward() {
  const std::size_t gap = position_.gap;
  return gap == log_.records().size() ? nullptr : Read(gap, gap + 1);
}

const LoggedRecord* LogReader::Backward() {
  const std::size_t gap = position_.gap;
  return gap == 0 ? nullptr : Read(gap - 1, gap - 1);
}

void LogReader::GoToEntry(std::size_t entry) {
  const LoggedEntry& to = log_.index()[entry];
  position_ = {to.record, to.volume};
  opened_last_ = opened_last_ || to.volume == log_.last_volume();
}

// The first entry that is not before the time, as many as there are if none is. DEV-17: an entry of
// the last volume beyond the size of the volume that is open ends the search.
std::size_t LogReader::FirstEntryNotBefore(const Origin& time, bool* too_far) const {
  *too_far = false;
  const bool by_open_volume = opened_last_ && !mends_.Has(Deviation::kSizeOfOpenVolume);
  for (std::size_t j = 0; j < log_.index().size(); ++j) {
    const LoggedEntry& entry = log_.index()[j];
    if (by_open_volume && entry.volume == log_.last_volume() &&
        entry.offset > log_.VolumeSize(position_.volume)) {
      *too_far = true;
      return j;
    }
    if (time.Relative(entry.time) >= 0) return j;
  }
  return log_.index().size();
}

// Distances are those of the two times themselves, not of their distances from the start, which are
// rounded.
LogReader::Placed LogReader::Locate(Timestamp asked, bool up) {
  const Origin time(asked);
  const std::vector<LoggedEntry>& index = log_.index();
  if (without_index_) {
    const std::vector<LoggedRecord>& records = log_.records();
    position_.gap = up ? 0 : records.size();
    if (!records.empty()) position_.volume = (up ? records.front() : records.back()).volume;
    return Placed::kAsBefore;
  }
  bool too_far = false;
  const std::size_t j = FirstEntryNotBefore(time, &too_far);
  if (j < index.size() && !too_far && time.Relative(index[j].time) == 0) {
    GoToEntry(j);
    return up ? Placed::kYes : Placed::kNo;
  }
  if (j == 0) {
    GoToEntry(0);
    return Placed::kYes;
  }
  if (j == index.size()) {
    GoToEntry(j - 1);
    return up ? Placed::kYes : Placed::kNo;
  }
  const bool later = !too_far && time.Relative(index[j].time) <= -time.Relative(index[j - 1].time);
  GoToEntry(later ? j : j - 1);
  if (up == later) return Placed::kNo;
  if (up) Backward();
  return Placed::kYes;
}

}  // namespace pmproof::replay::emulation
