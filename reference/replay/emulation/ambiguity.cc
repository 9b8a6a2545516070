// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/emulation/ambiguity.h"

#include <algorithm>

namespace pmproof::replay::emulation {

Ambiguities::Ambiguities(const RecordLog& log) {
  const std::vector<LoggedRecord>& records = log.records();
  goes_back_ = !std::ranges::is_sorted(records, {}, &LoggedRecord::at);
  std::map<std::size_t, std::vector<Event>> events;
  for (const LoggedRecord& record : records) {
    for (const LoggedValue& value : record.values) {
      std::vector<Event>& of_cell = events[value.cell];
      if (of_cell.empty() || of_cell.back().at != record.at) {
        of_cell.push_back({record.at, true, false, false});
      } else {
        of_cell.back().repeated = true;
      }
    }
  }
  for (auto& [cell, of_cell] : events) {
    bool ambiguous = false;
    for (Event& event : of_cell) {
      event.marked = std::ranges::binary_search(log.marks(), event.at);
      ambiguous = ambiguous || event.marked || event.repeated;
    }
    if (!ambiguous) continue;
    for (const double mark : log.marks()) of_cell.push_back({mark, false, true, false});
    std::ranges::stable_sort(of_cell, {}, &Event::at);
    events_.emplace(cell, std::move(of_cell));
  }
}

std::optional<Deviation> Ambiguities::At(std::size_t cell, double t) const {
  if (goes_back_) return Deviation::kTimesGoBack;
  const auto found = events_.find(cell);
  if (found == events_.end()) return std::nullopt;
  const std::vector<Event>& events = found->second;
  const auto after = std::ranges::upper_bound(events, t, {}, &Event::at);
  const auto from = std::ranges::lower_bound(events, t, {}, &Event::at);
  const double prior = after == events.begin() ? t : std::prev(after)->at;
  const double next = from == events.end() ? t : from->at;
  for (const double bound : {prior, next}) {
    auto event = std::ranges::lower_bound(events, bound, {}, &Event::at);
    for (; event != events.end() && event->at == bound; ++event) {
      if (event->observed && event->marked) return Deviation::kMarkAtSameTime;
      if (event->repeated) return Deviation::kSameTime;
    }
  }
  return std::nullopt;
}

}  // namespace pmproof::replay::emulation
