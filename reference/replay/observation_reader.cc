// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/observation_reader.h"

#include <algorithm>

#include "reference/replay/stored_value.h"

namespace pmproof::replay {
namespace {

constexpr std::uint64_t kNoRecord = ~std::uint64_t{0};

}  // namespace

std::size_t CountCells(std::span<const WantedMetric> metrics) {
  std::size_t cells = 0;
  for (const WantedMetric& metric : metrics) cells += metric.instances.size();
  return cells;
}

ObservationReader::ObservationReader(std::span<const WantedMetric> metrics, ObservationSink& sink,
                                     bool believes)
    : metrics_(metrics), sink_(sink), believes_(believes), table_(metrics.size()) {
  std::size_t cells = 0;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    table_.Add(metrics[i].descriptor.pmid, i);
    slots_.push_back({i, cells, 0, std::nullopt});
    cells += metrics[i].instances.size();
  }
  found_in_.assign(cells, kNoRecord);
  found_at_.assign(cells, 0);
}

bool ObservationReader::OnRecord(const archive::DataRecord& record, const Moment& moment,
                                 const RecordPlace& place) {
  end_ = moment;
  if (moment.at < 0) return true;  // INT-305
  const bool whole = ForEachWanted(record, [&](std::size_t slot, const archive::ValueSet& set) {
    TakeSet(slots_[slot], set, moment);
  });
  if (!whole && !broken_) broken_ = place;
  for (const auto& [cell, observation] : found_) sink_.OnObservation(cell, observation);
  found_.clear();
  return true;
}

void ObservationReader::TakeSet(Slot& slot, const archive::ValueSet& set, const Moment& moment) {
  const MetricType type = metrics_[slot.metric].descriptor.type;
  const bool insitu = set.format() == archive::kInsitu;
  const bool fits = insitu ? MayBeInsitu(type) : MayBeInBlock(type);
  if (!fits || slot.insitu.value_or(insitu) != insitu) return TakeBrokenSet(slot, moment);
  slot.insitu = insitu;
  for (std::uint32_t i = 0; i < set.count(); ++i) {
    const std::optional<std::size_t> cell = CellOf(slot, set.Instance(i));
    if (!cell) continue;
    const std::optional<Value> value = ReadStoredValue(set, i, type);
    Note(*cell,
         {moment, value.value_or(Value{}), value ? Bound::Kind::kValue : Bound::Kind::kDamage});
  }
}

// INT-411: no search of this metric goes across it.
void ObservationReader::TakeBrokenSet(const Slot& slot, const Moment& moment) {
  for (std::size_t i = 0; i < metrics_[slot.metric].instances.size(); ++i) {
    Note(slot.first_cell + i, {moment, {}, Bound::Kind::kDamage});
  }
}

// Instances mostly come in the same order in each record.
std::optional<std::size_t> ObservationReader::CellOf(Slot& slot, std::int32_t instance) const {
  const WantedMetric& metric = metrics_[slot.metric];
  const std::vector<std::int32_t>& instances = metric.instances;
  if (instances.empty()) return std::nullopt;
  if (metric.singular) return slot.first_cell;  // INT-308
  if (slot.hint + 1 < instances.size() && instances[slot.hint + 1] == instance) {
    return slot.first_cell + ++slot.hint;
  }
  const auto found = std::ranges::lower_bound(instances, instance);
  if (found == instances.end() || *found != instance) return std::nullopt;
  slot.hint = static_cast<std::size_t>(found - instances.begin());
  return slot.first_cell + slot.hint;
}

bool ObservationReader::FormsKnown() const {
  return std::ranges::all_of(slots_, [&](const Slot& slot) {
    return slot.insitu || metrics_[slot.metric].descriptor.type != MetricType::kFloat;
  });
}

// INT-307: of several values in one record the last counts.
void ObservationReader::Note(std::size_t cell, const Observation& observation) {
  if (found_in_[cell] == observation.moment.record) {
    found_[found_at_[cell]].second = observation;
    return;
  }
  found_in_[cell] = observation.moment.record;
  found_at_[cell] = found_.size();
  found_.emplace_back(cell, observation);
}

bool ObservationReader::OnMark(const Moment& moment, const RecordPlace&) {
  end_ = moment;
  sink_.OnBarrier({moment, Bound::Kind::kMark});  // INT-301: a mark of all metrics
  return true;
}

bool ObservationReader::OnDamage(const Moment& moment, const Status& status) {
  sink_.OnBarrier({moment, Bound::Kind::kDamage});
  damage_.emplace_back(moment.record, status);
  return true;
}

}  // namespace pmproof::replay
