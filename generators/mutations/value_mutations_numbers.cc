// SPDX-License-Identifier: Apache-2.0
// Edits of section 14.9 on numbers: counters, and what is not a number.

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "generators/mutations/find.h"
#include "generators/mutations/fresh.h"
#include "generators/mutations/new_records.h"
#include "generators/mutations/value_mutations.h"
#include "reference/core/bytes.h"

namespace pmproof::generators {
namespace {

using archive::BlockModel;
using archive::DescModel;
using archive::ValueModel;
using archive::ValueSetModel;

// A number as it lies in a value set of its type.
std::variant<std::uint32_t, BlockModel> NumberOf(MetricType type, double number) {
  const auto whole = [number] {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
  };
  const auto block = [type](std::uint64_t bits) {
    std::string payload(NumericSize(type), '\0');
    auto* bytes = reinterpret_cast<std::uint8_t*>(payload.data());
    if (payload.size() == 8) {
      StoreU64(bytes, bits);
    } else {
      StoreU32(bytes, static_cast<std::uint32_t>(bits));
    }
    return BlockModel{static_cast<std::uint8_t>(type), std::move(payload), std::nullopt};
  };
  switch (type) {
    case MetricType::k32:
    case MetricType::kU32:
      return static_cast<std::uint32_t>(whole());
    case MetricType::kFloat:
      return block(std::bit_cast<std::uint32_t>(static_cast<float>(number)));
    case MetricType::kDouble:
      return block(std::bit_cast<std::uint64_t>(number));
    case MetricType::kNoSupport:
    case MetricType::k64:
    case MetricType::kU64:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  return block(whole());
}

// An integer as it lies there; nothing for other types and for blocks that do not fit.
std::optional<std::int64_t> IntegerOf(MetricType type, const ValueModel& value) {
  if (const auto* word = std::get_if<std::uint32_t>(&value.value)) {
    if (type == MetricType::kU32) return *word;
    if (type == MetricType::k32) return static_cast<std::int32_t>(*word);
    return std::nullopt;
  }
  const auto& block = std::get<BlockModel>(value.value);
  if ((type != MetricType::k64 && type != MetricType::kU64) || block.payload.size() != 8 ||
      block.type != static_cast<std::uint8_t>(type)) {
    return std::nullopt;
  }
  const auto number = static_cast<std::int64_t>(LoadU64(AsBytes(block.payload).data()));
  return number < 0 && type == MetricType::kU64 ? std::nullopt : std::optional(number);
}

// A value of a counter whose instance has one above 0 in the set before, with no mark between. One
// that was away in between begins anew.
struct Decrease {
  SetPlace place;
  std::size_t value = 0;
  MetricType type = MetricType::kU64;
  std::int64_t before = 0;
};

std::vector<Decrease> PossibleDecreases(ArchivePlan& plan) {
  std::map<Pmid, MetricType> counters;
  for (const std::size_t i : MetaRecords<DescModel>(plan)) {
    const Descriptor& metric = std::get<DescModel>(plan.meta[i]).descriptor;
    if (metric.semantics == Semantics::kCounter) counters.try_emplace(metric.pmid, metric.type);
  }
  std::vector<Decrease> found;
  std::map<Pmid, std::map<std::int32_t, std::int64_t>> last;  // those of the set before
  for (const ResultPlace& result : Results(plan)) {
    const std::vector<ValueSetModel>& sets = At(plan, result).sets;
    if (sets.empty()) last.clear();
    for (std::size_t k = 0; k < sets.size(); ++k) {
      const auto counter = counters.find(sets[k].pmid);
      if (counter == counters.end() || sets[k].values.empty()) continue;
      std::map<std::int32_t, std::int64_t> numbers;
      std::map<std::int32_t, std::int64_t>& before = last[sets[k].pmid];
      for (std::size_t i = 0; i < sets[k].values.size(); ++i) {
        const std::int32_t instance = sets[k].values[i].instance;
        const auto number = IntegerOf(counter->second, sets[k].values[i]);
        if (!number) continue;
        numbers[instance] = *number;
        const auto known = before.find(instance);
        if (known != before.end() && known->second > 0) {
          found.push_back({{result, k}, i, counter->second, known->second});
        }
      }
      before = std::move(numbers);
    }
  }
  return found;
}

constexpr MetricType kNumbers[] = {MetricType::k32,  MetricType::kU32,   MetricType::k64,
                                   MetricType::kU64, MetricType::kFloat, MetricType::kDouble};

}  // namespace

NotApplicable CounterDecreases(ArchivePlan& plan, Random& random) {
  const std::vector<Decrease> possible = PossibleDecreases(plan);
  if (possible.empty()) return "it has no integer counter with two values one after the other";
  const Decrease chosen = random.Pick(possible);
  // Not more than a double holds.
  const std::int64_t most = std::min(chosen.before - 1, std::int64_t{1} << 52);
  At(plan, chosen.place).values[chosen.value].value =
      NumberOf(chosen.type, static_cast<double>(random.Between(0, most)));
  return std::nullopt;
}

NotApplicable NewCounterDecreases(ArchivePlan& plan, Random& random) {
  const MetricType type = random.Pick(kNumbers);
  const auto places =
      AddNewMetric(plan, random, {.type = type, .semantics = Semantics::kCounter, .records = 2});
  if (!places) return kNoRoom;
  const std::int64_t first = random.Between(1, 1'000'000);
  At(plan, places->at(0)).values[0].value = NumberOf(type, static_cast<double>(first));
  At(plan, places->at(1)).values[0].value =
      NumberOf(type, static_cast<double>(random.Between(0, first - 1)));
  return std::nullopt;
}

NotApplicable CounterNegative(ArchivePlan& plan, Random& random) {
  static constexpr MetricType kSigned[] = {MetricType::k32, MetricType::k64, MetricType::kFloat,
                                           MetricType::kDouble};
  const MetricType type = random.Pick(kSigned);
  const auto place = AddNewSet(plan, random, {.type = type, .semantics = Semantics::kCounter});
  if (!place) return kNoPlaceForAMetric;
  At(plan, *place).values[0].value =
      NumberOf(type, -static_cast<double>(random.Between(1, 1'000'000'000)));
  return std::nullopt;
}

NotApplicable NoFiniteNumber(ArchivePlan& plan, Random& random) {
  static constexpr double kOdd[] = {std::numeric_limits<double>::quiet_NaN(),
                                    std::numeric_limits<double>::infinity(),
                                    -std::numeric_limits<double>::infinity()};
  const MetricType type = random.Chance(1, 2) ? MetricType::kFloat : MetricType::kDouble;
  const auto place = FindOrAddSet(
      plan, random, {.type = type}, [](const Descriptor& metric, const ValueSetModel& set) {
        return (metric.type == MetricType::kFloat || metric.type == MetricType::kDouble) &&
               set.format != archive::kInsitu;
      });
  if (!place) return kNoPlaceForAMetric;
  ValueSetModel& set = At(plan, *place);
  const MetricType own = DescOf(plan, set.pmid)->descriptor.type;
  random.Pick(set.values).value = NumberOf(own, random.Pick(kOdd));
  return std::nullopt;
}

}  // namespace pmproof::generators
