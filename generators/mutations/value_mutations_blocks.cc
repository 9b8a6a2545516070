// SPDX-License-Identifier: Apache-2.0
// Edits of section 14.9 on how values are stored: insitu or in blocks, of which type and length.

#include <map>
#include <string>
#include <utility>
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
using archive::ResultModel;
using archive::ValueModel;
using archive::ValueSetModel;

bool HasBlocks(const ValueSetModel& set) { return set.values.front().value.index() != 0; }

// The block of one of the values of a set.
BlockModel& SomeBlock(ArchivePlan& plan, Random& random, const SetPlace& place) {
  return std::get<BlockModel>(random.Pick(At(plan, place).values).value);
}

// A value set of a type, in blocks; events are left out, since their parameters may have no other
// use (ARC-1333).
template <typename Wanted>
std::optional<SetPlace> FindBlocks(ArchivePlan& plan, Random& random, MetricType type,
                                   Wanted&& wanted) {
  return FindOrAddSet(plan, random, {.type = type},
                      [&wanted](const Descriptor& metric, const ValueSetModel& set) {
                        return HasBlocks(set) && !IsEvent(metric.type) && wanted(metric);
                      });
}

bool Is64(MetricType type) { return NumericSize(type) == 8; }

bool IsSmall(MetricType type) { return type == MetricType::k32 || type == MetricType::kU32; }

// Puts the values of a set of 32 bits into blocks of a type.
NotApplicable BlocksOfSmallType(ArchivePlan& plan, Random& random, std::optional<MetricType> type) {
  const auto place =
      FindOrAddSet(plan, random, {.type = random.Chance(1, 2) ? MetricType::k32 : MetricType::kU32},
                   [](const Descriptor& metric, const ValueSetModel& set) {
                     return IsSmall(metric.type) && !HasBlocks(set);
                   });
  if (!place) return kNoPlaceForAMetric;
  ValueSetModel& set = At(plan, *place);
  const MetricType own = DescOf(plan, set.pmid)->descriptor.type;
  set.format = archive::kDynamic;
  for (ValueModel& value : set.values) {
    std::string payload = BigEndian({std::get<std::uint32_t>(value.value)});
    value.value =
        BlockModel{static_cast<std::uint8_t>(type.value_or(own)), std::move(payload), std::nullopt};
  }
  At(plan, place->result).block_order.clear();
  return std::nullopt;
}

// A text of a STRING, or a new one.
BlockModel* SomeText(ArchivePlan& plan, Random& random) {
  const auto place = FindBlocks(plan, random, MetricType::kString, [](const Descriptor& metric) {
    return metric.type == MetricType::kString;
  });
  return place ? &SomeBlock(plan, random, *place) : nullptr;
}

}  // namespace

NotApplicable InsituOfLongType(ArchivePlan& plan, Random& random) {
  static constexpr MetricType kTypes[] = {
      MetricType::k64,        MetricType::kU64,   MetricType::kDouble,      MetricType::kString,
      MetricType::kAggregate, MetricType::kEvent, MetricType::kHighresEvent};
  const MetricType type = random.Pick(kTypes);
  const auto place = FindBlocks(plan, random, type,
                                [type](const Descriptor& metric) { return metric.type == type; });
  if (!place) return kNoPlaceForAMetric;
  ValueSetModel& set = At(plan, *place);
  set.format = archive::kInsitu;
  for (ValueModel& value : set.values) value.value = static_cast<std::uint32_t>(random.Next());
  At(plan, place->result).block_order.clear();
  return std::nullopt;
}

NotApplicable BlockOfSmallType(ArchivePlan& plan, Random& random) {
  return BlocksOfSmallType(plan, random, std::nullopt);
}

NotApplicable BlockOfAnotherTypeForSmall(ArchivePlan& plan, Random& random) {
  static constexpr MetricType kOthers[] = {MetricType::k64, MetricType::kFloat,
                                           MetricType::kString};
  return BlocksOfSmallType(plan, random, random.Pick(kOthers));
}

NotApplicable BlockOfAnotherType(ArchivePlan& plan, Random& random) {
  static constexpr MetricType kTypes[] = {MetricType::k64,     MetricType::kU64,
                                          MetricType::kFloat,  MetricType::kDouble,
                                          MetricType::kString, MetricType::kAggregate};
  const auto place =
      FindBlocks(plan, random, random.Pick(kTypes), [](const Descriptor&) { return true; });
  if (!place) return kNoPlaceForAMetric;
  BlockModel& block = SomeBlock(plan, random, *place);
  // 0 is that of old archives, 8 and 255 are ARC-1829's.
  const auto own = static_cast<MetricType>(block.type);
  std::vector<std::uint8_t> others = {11, 99, 254};
  for (const MetricType type : kTypes) {
    if (type != own) others.push_back(static_cast<std::uint8_t>(type));
  }
  block.type = random.Pick(others);
  return std::nullopt;
}

NotApplicable BlockOfOldType(ArchivePlan& plan, Random& random) {
  static constexpr MetricType kTypes[] = {MetricType::kDouble, MetricType::kString,
                                          MetricType::kAggregate};
  const auto place = FindBlocks(plan, random, random.Pick(kTypes),
                                [](const Descriptor& metric) { return !IsSmall(metric.type); });
  if (!place) return kNoPlaceForAMetric;
  SomeBlock(plan, random, *place).type = 0;
  return std::nullopt;
}

NotApplicable NumberTooShort(ArchivePlan& plan, Random& random) {
  const auto place =
      FindBlocks(plan, random, random.Chance(1, 2) ? MetricType::k64 : MetricType::kDouble,
                 [](const Descriptor& metric) { return Is64(metric.type); });
  if (!place) return kNoPlaceForAMetric;
  BlockModel& block = SomeBlock(plan, random, *place);
  block.payload.resize(static_cast<std::size_t>(random.Below(8)));
  block.padding.reset();
  return std::nullopt;
}

NotApplicable NumberOfOtherLength(ArchivePlan& plan, Random& random) {
  const auto place =
      FindBlocks(plan, random, random.Chance(1, 2) ? MetricType::kU64 : MetricType::kFloat,
                 [](const Descriptor& metric) { return IsNumeric(metric.type); });
  if (!place) return kNoPlaceForAMetric;
  BlockModel& block = SomeBlock(plan, random, *place);
  const std::size_t size = block.payload.size();
  const auto other = static_cast<std::size_t>(
      size == 4 && random.Chance(1, 2) ? random.Below(4) : size + 1 + random.Below(8));
  block.payload.resize(other);
  block.padding.reset();
  return std::nullopt;
}

NotApplicable TextWithoutNul(ArchivePlan& plan, Random& random) {
  BlockModel* block = SomeText(plan, random);
  if (block == nullptr) return kNoPlaceForAMetric;
  std::erase(block->payload, '\0');
  if (block->payload.empty()) block->payload = "nonul";
  block->padding.reset();
  return std::nullopt;
}

NotApplicable TextGoesOnAfterItsNul(ArchivePlan& plan, Random& random) {
  BlockModel* block = SomeText(plan, random);
  if (block == nullptr) return kNoPlaceForAMetric;
  if (block->payload.empty() || block->payload.back() != '\0') block->payload += '\0';
  block->payload += random.Chance(1, 2) ? std::string("cd\0", 3) : std::string(3, '\0');
  block->padding.reset();
  return std::nullopt;
}

NotApplicable TextThatActsOnATerminal(ArchivePlan& plan, Random& random) {
  BlockModel* block = SomeText(plan, random);
  if (block == nullptr) return kNoPlaceForAMetric;
  const std::string wrong[] = {"\x1b[31mred", "wrong\rright",   "a\x7f",
                               "\u009b2J",    "moc.\u202elive", "a\u2028b"};
  block->payload = random.Pick(wrong) + '\0';
  block->padding.reset();
  return std::nullopt;
}

NotApplicable TextThatIsNoUtf8(ArchivePlan& plan, Random& random) {
  BlockModel* block = SomeText(plan, random);
  if (block == nullptr) return kNoPlaceForAMetric;
  const std::string wrong[] = {"\xff\xfe", "caf\xe9", "\xed\xa0\x80", "\xc0\xaf", "x\xe2\x82"};
  block->payload = random.Pick(wrong) + '\0';
  block->padding.reset();
  return std::nullopt;
}

NotApplicable FormatChanges(ArchivePlan& plan, Random& random) {
  std::map<Pmid, std::size_t> floats;  // and how many sets they have
  for (const std::size_t i : MetaRecords<DescModel>(plan)) {
    const Descriptor& metric = std::get<DescModel>(plan.meta[i]).descriptor;
    if (metric.type == MetricType::kFloat) floats[metric.pmid] = 0;
  }
  std::vector<SetPlace> places =
      Sets(plan, [&floats](const ResultModel& result, const ValueSetModel& set) {
        return floats.contains(set.pmid) && !set.values.empty() && !IsLogue(result);
      });
  for (const SetPlace& place : places) ++floats[At(plan, place).pmid];
  std::erase_if(places, [&](const SetPlace& place) { return floats[At(plan, place).pmid] < 2; });
  if (places.empty()) {
    auto added = AddNewMetric(plan, random, {.type = MetricType::kFloat, .records = 2});
    if (!added) return kNoRoom;
    places = *std::move(added);
  }
  const SetPlace place = random.Pick(places);
  ValueSetModel& set = At(plan, place);
  const bool blocks = HasBlocks(set);
  for (ValueModel& value : set.values) {
    if (const auto* word = std::get_if<std::uint32_t>(&value.value)) {
      value.value = BlockModel{static_cast<std::uint8_t>(MetricType::kFloat), BigEndian({*word}),
                               std::nullopt};
    } else {
      const std::string& payload = std::get<BlockModel>(value.value).payload;
      value.value = payload.size() == 4 ? LoadU32(AsBytes(payload).data()) : 0U;
    }
  }
  set.format = blocks ? archive::kInsitu : archive::kDynamic;
  At(plan, place.result).block_order.clear();
  return std::nullopt;
}

NotApplicable StaticAggregate(ArchivePlan& plan, Random& random) {
  const auto place = FindBlocks(plan, random, MetricType::kAggregate, [](const Descriptor& metric) {
    return metric.type == MetricType::kAggregate;
  });
  if (!place) return kNoPlaceForAMetric;
  SomeBlock(plan, random, *place).type = static_cast<std::uint8_t>(MetricType::kAggregateStatic);
  return std::nullopt;
}

}  // namespace pmproof::generators
