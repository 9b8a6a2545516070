#include "reference/replay/emulation/log_reader.h"

namespace pmproof::replay::emulation {

LogReader::LogReader(const RecordLog& log, bool by_open_volume)
    : log_(log), by_open_volume_(by_open_volume) {
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

// The first entry that is not before `t`, as many as there are if none is. DEV-17: an entry of the
// last volume beyond the size of the volume that is open ends the search.
std::size_t LogReader::FirstEntryNotBefore(double t, bool* too_far) const {
  *too_far = false;
  for (std::size_t j = 0; j < log_.index().size(); ++j) {
    const LoggedEntry& entry = log_.index()[j];
    if (by_open_volume_ && opened_last_ && entry.volume == log_.last_volume() &&
        entry.offset > log_.VolumeSize(position_.volume)) {
      *too_far = true;
      return j;
    }
    if (entry.at >= t) return j;
  }
  return log_.index().size();
}

LogReader::Placed LogReader::Locate(double t, bool up) {
  const std::vector<LoggedEntry>& index = log_.index();
  if (index.empty()) {
    const std::vector<LoggedRecord>& records = log_.records();
    position_.gap = up ? 0 : records.size();
    if (!records.empty()) position_.volume = (up ? records.front() : records.back()).volume;
    return Placed::kAsBefore;
  }
  bool too_far = false;
  const std::size_t j = FirstEntryNotBefore(t, &too_far);
  if (j < index.size() && !too_far && index[j].at == t) {
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
  const bool later = !too_far && index[j].at - t <= t - index[j - 1].at;
  GoToEntry(later ? j : j - 1);
  if (up == later) return Placed::kNo;
  if (up) Backward();
  return Placed::kYes;
}

}  // namespace pmproof::replay::emulation
