// SPDX-License-Identifier: Apache-2.0
#include "generators/story/metric_state.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "generators/story/event_payload.h"
#include "reference/archive/layout.h"

namespace pmproof::generators {
namespace {

// Where a counter of that type stays, or begins anew. FLOAT and DOUBLE count in whole numbers.
std::uint64_t LargestOf(MetricType type) {
  switch (type) {
    case MetricType::k32:
      return std::numeric_limits<std::int32_t>::max();
    case MetricType::kU32:
      return std::numeric_limits<std::uint32_t>::max();
    case MetricType::k64:
      return std::numeric_limits<std::int64_t>::max();
    case MetricType::kNoSupport:
    case MetricType::kU64:
    case MetricType::kFloat:
    case MetricType::kDouble:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  return std::numeric_limits<std::uint64_t>::max();
}

std::uint64_t Counted(std::uint64_t counter, const Value& value, std::uint64_t largest) {
  if (value.counting == Counting::kSet) return std::min(value.number, largest);
  const std::uint64_t room = largest - counter;
  const std::uint64_t step = std::min(value.number, largest);
  if (step <= room) return counter + step;
  return value.counting == Counting::kWrap ? step - room - 1 : largest;
}

// The bits of a whole number in a type.
std::uint64_t BitsOf(MetricType type, std::uint64_t number) {
  if (type == MetricType::kFloat) return std::bit_cast<std::uint32_t>(static_cast<float>(number));
  if (type == MetricType::kDouble) return std::bit_cast<std::uint64_t>(static_cast<double>(number));
  return number;
}

}  // namespace

std::uint64_t MetricState::NumberOf(const Value& value, std::int32_t instance) {
  if (metric_.semantics != Semantics::kCounter) return SoundBits(metric_.type, value.number);
  const std::uint64_t largest = LargestOf(metric_.type);
  if (next_counter_ >= counters_.size() || counters_[next_counter_].first != instance) {
    const auto found = std::ranges::lower_bound(counters_, instance, {},
                                                &std::pair<std::int32_t, std::uint64_t>::first);
    next_counter_ = static_cast<std::size_t>(found - counters_.begin());
    if (found == counters_.end() || found->first != instance) {
      counters_.insert(found, {instance, std::min(first_, largest)});
    }
  }
  std::uint64_t& counter = counters_[next_counter_++].second;
  counter = Counted(std::min(counter, largest), value, largest);
  return BitsOf(metric_.type, counter);
}

std::optional<std::variant<std::uint32_t, archive::BlockModel>> MetricState::Encode(
    const Value& value, std::int32_t instance, Timestamp time, const ParameterOf& parameter) {
  const auto block_type = static_cast<std::uint8_t>(metric_.type);
  if (IsEvent(metric_.type)) {
    std::string payload =
        EventPayload(value.events, metric_.type == MetricType::kHighresEvent, time, parameter);
    if (payload.empty()) return std::nullopt;
    return archive::BlockModel{block_type, std::move(payload), std::nullopt};
  }
  if (!IsNumeric(metric_.type)) {
    return archive::BlockModel{block_type, TextPayload(metric_.type, value.text), std::nullopt};
  }
  const std::uint64_t bits = NumberOf(value, instance);
  if (metric_.type == MetricType::k32 || metric_.type == MetricType::kU32)
    return static_cast<std::uint32_t>(bits);
  return archive::BlockModel{block_type, NumberPayload(metric_.type, bits), std::nullopt};
}

void MetricState::Read(const Reading& reading, const DomainState* domain, Timestamp time,
                       const ParameterOf& parameter, archive::ValueSetModel* set) {
  set->pmid = metric_.pmid;
  set->format = 0;
  set->status = 0;
  set->values.clear();
  next_counter_ = 0;
  const auto add = [&](const Value& value, std::int32_t instance) {
    auto encoded = Encode(value, instance, time, parameter);
    if (!encoded) return;
    set->format = encoded->index() == 0 ? archive::kInsitu : archive::kDynamic;
    set->values.push_back({instance, *std::move(encoded)});
  };
  if (domain == nullptr) {
    if (!reading.values.empty()) add(reading.values.front(), kInstanceNull);
    return;
  }
  const auto by_instance = [](const Value& a, const Value& b) { return a.instance < b.instance; };
  std::vector<const Value*> ordered;
  if (!std::ranges::is_sorted(reading.values, by_instance)) {
    for (const Value& value : reading.values) ordered.push_back(&value);
    std::ranges::stable_sort(ordered,
                             [&](const Value* a, const Value* b) { return by_instance(*a, *b); });
  }
  const std::vector<std::int32_t>& present = domain->instances();
  std::size_t at = 0;  // in `present`
  for (std::size_t i = 0; i < reading.values.size(); ++i) {
    const Value& value = ordered.empty() ? reading.values[i] : *ordered[i];
    if (at < present.size() && present[at] < value.instance) {
      const auto from = present.begin() + static_cast<std::ptrdiff_t>(at) + 1;
      at = static_cast<std::size_t>(std::lower_bound(from, present.end(), value.instance) -
                                    present.begin());
    }
    if (at == present.size()) break;
    if (present[at] != value.instance) continue;
    ++at;  // its first value counts
    add(value, value.instance);
  }
}

}  // namespace pmproof::generators
