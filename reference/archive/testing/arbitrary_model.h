// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_TESTING_ARBITRARY_MODEL_H_
#define PMPROOF_REFERENCE_ARCHIVE_TESTING_ARBITRARY_MODEL_H_

#include <rapidcheck.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/layout.h"
#include "reference/archive/model.h"

// Small records of every kind that readers accept, however odd: for properties of RapidCheck.

namespace pmproof::archive::testing {

inline std::string AnyBytes(int most) {
  return *rc::gen::resize(most, rc::gen::container<std::string>(rc::gen::arbitrary<char>()));
}

inline std::string AnyName() {
  return *rc::gen::nonEmpty(
      rc::gen::resize(12, rc::gen::container<std::string>(rc::gen::inRange('a', 'z'))));
}

inline int AnyVersion() { return *rc::gen::element(2, 3); }

inline Timestamp AnyTime(int version) {
  const std::int64_t seconds = version == 2 ? std::int64_t{*rc::gen::arbitrary<std::int32_t>()}
                                            : *rc::gen::arbitrary<std::int64_t>();
  const std::int32_t fraction = *rc::gen::inRange(0, version == 2 ? 1'000'000 : 1'000'000'000);
  return {seconds, version == 2 ? fraction * 1000 : fraction};
}

// Sometimes a number of microseconds out of range, with the nanoseconds that readers make of it.
inline std::optional<std::int32_t> AnyOddFraction(int version, Timestamp* time) {
  if (version == 3 || *rc::gen::inRange(0, 4) != 0) return std::nullopt;
  const auto fraction = *rc::gen::inRange<std::int32_t>(1'000'000, 2'000'000'000);
  time->nanoseconds = static_cast<std::int32_t>(static_cast<std::uint32_t>(fraction) * 1000U);
  return fraction;
}

inline DescModel AnyDesc() {
  DescModel desc;
  desc.descriptor.pmid = Pmid{*rc::gen::arbitrary<std::uint32_t>()};
  desc.descriptor.type = static_cast<MetricType>(*rc::gen::inRange(-1, 11));
  desc.descriptor.indom = Indom{*rc::gen::arbitrary<std::uint32_t>()};
  desc.descriptor.semantics = static_cast<Semantics>(*rc::gen::inRange(0, 5));
  desc.descriptor.units = Units{*rc::gen::arbitrary<std::uint32_t>()};
  const int names = *rc::gen::inRange(1, 4);
  for (int i = 0; i < names; ++i) desc.names.push_back(AnyName());
  return desc;
}

inline IndomModel AnyIndom(int version) {
  IndomModel indom{AnyTime(version), Indom{*rc::gen::arbitrary<std::uint32_t>()}, {}, false};
  indom.delta = version == 3 && *rc::gen::arbitrary<bool>();
  const auto ids =
      *rc::gen::resize(6, rc::gen::container<std::set<std::int32_t>>(rc::gen::inRange(0, 1000)));
  for (const std::int32_t id : ids) {
    InstanceModel& instance = indom.instances.emplace_back();
    instance.id = id;
    if (!indom.delta || *rc::gen::arbitrary<bool>()) instance.name = AnyName() + std::to_string(id);
  }
  return indom;
}

inline LabelRecordModel AnyLabels(int version) {
  LabelRecordModel labels;
  labels.time = AnyTime(version);
  labels.label_class = *rc::gen::element(1U, 2U, 4U, 8U, 16U, 32U);
  labels.identifier = *rc::gen::arbitrary<std::uint32_t>();
  const int sets = *rc::gen::inRange(0, 4);
  for (int i = 0; i < sets; ++i) {
    LabelSetModel& set = labels.sets.emplace_back();
    set.instance = *rc::gen::arbitrary<std::int32_t>();
    set.json = AnyBytes(40);
    const int entries = *rc::gen::inRange(-1, 4);
    if (entries < 0) set.error = *rc::gen::inRange(-13000, -1);
    for (int k = 0; k < entries; ++k) {
      set.entries.push_back(
          {*rc::gen::arbitrary<std::uint16_t>(), *rc::gen::arbitrary<std::uint8_t>(),
           *rc::gen::arbitrary<std::uint8_t>(), *rc::gen::arbitrary<std::uint16_t>(),
           *rc::gen::arbitrary<std::uint16_t>()});
    }
  }
  return labels;
}

inline TextModel AnyText() {
  return {*rc::gen::element(5U, 6U, 9U, 10U), *rc::gen::arbitrary<std::uint32_t>(), AnyBytes(60)};
}

inline MetaRecordModel AnyMetaRecord(int version) {
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      return AnyDesc();
    case 1:
      return AnyIndom(version);
    case 2:
      return AnyLabels(version);
    default:
      return AnyText();
  }
}

// Padding that is not `~` is kept (ARC-232).
inline BlockModel AnyBlock() {
  BlockModel block{*rc::gen::inRange<std::uint8_t>(0, 11), AnyBytes(20), std::nullopt};
  const std::size_t padding = PadToWord(block.payload.size()) - block.payload.size();
  if (padding > 0 && *rc::gen::arbitrary<bool>()) {
    std::string bytes = *rc::gen::container<std::string>(padding, rc::gen::arbitrary<char>());
    bytes[0] = '\0';
    block.padding = bytes;
  }
  return block;
}

inline ValueSetModel AnyValueSet() {
  ValueSetModel set;
  set.pmid = Pmid{*rc::gen::arbitrary<std::uint32_t>()};
  const int values = *rc::gen::inRange(0, 4);
  if (values == 0) {
    set.status = *rc::gen::inRange(-13000, 1);
    return set;
  }
  set.format = *rc::gen::inRange(0, 3);
  for (int i = 0; i < values; ++i) {
    ValueModel& value = set.values.emplace_back();
    value.instance = *rc::gen::arbitrary<std::int32_t>();
    if (set.format == kInsitu) {
      value.value = *rc::gen::arbitrary<std::uint32_t>();
    } else {
      value.value = AnyBlock();
    }
  }
  return set;
}

// A mark now and then; blocks that lie in another order than they are referred to (ARC-208).
inline ResultModel AnyResult(int version) {
  ResultModel result;
  result.time = AnyTime(version);
  result.fraction = AnyOddFraction(version, &result.time);
  const int sets = *rc::gen::inRange(0, 5);
  std::uint32_t blocks = 0;
  for (int i = 0; i < sets; ++i) {
    result.sets.push_back(AnyValueSet());
    if (result.sets.back().format != kInsitu)
      blocks += static_cast<std::uint32_t>(result.sets.back().values.size());
  }
  if (blocks > 1 && *rc::gen::arbitrary<bool>()) {
    for (std::uint32_t i = 0; i < blocks; ++i) result.block_order.push_back(i);
    const auto other = *rc::gen::inRange<std::size_t>(1, blocks);
    std::swap(result.block_order[0], result.block_order[other]);
  }
  return result;
}

// Text fields with remnants after their first NUL (ARC-102), none of which is the last byte.
inline std::string AnyField(std::size_t size) {
  std::string text = AnyBytes(static_cast<int>(size) - 2).substr(0, size - 2);
  if (text.empty()) return text;
  return text + "x";
}

inline LabelModel AnyLabel(int version) {
  const Layout& layout = LayoutOf(version);
  LabelModel label;
  label.version = version;
  label.pid = *rc::gen::arbitrary<std::int32_t>();
  label.start = AnyTime(version);
  label.fraction = AnyOddFraction(version, &label.start);
  label.volume = *rc::gen::arbitrary<std::int32_t>();
  label.host = AnyField(layout.host_size);
  label.timezone = AnyField(layout.timezone_size);
  if (version == 3) {
    label.features = *rc::gen::arbitrary<std::uint32_t>();
    label.reserved = *rc::gen::arbitrary<std::uint32_t>();
    label.zoneinfo = AnyField(layout.zoneinfo_size);
  }
  return label;
}

inline IndexEntryModel AnyIndexEntry(int version) {
  IndexEntryModel entry;
  entry.time = AnyTime(version);
  entry.fraction = AnyOddFraction(version, &entry.time);
  entry.volume = *rc::gen::arbitrary<std::int32_t>();
  entry.meta_offset =
      version == 3 ? *rc::gen::arbitrary<std::uint64_t>() : *rc::gen::arbitrary<std::uint32_t>();
  entry.data_offset =
      version == 3 ? *rc::gen::arbitrary<std::uint64_t>() : *rc::gen::arbitrary<std::uint32_t>();
  return entry;
}

}  // namespace pmproof::archive::testing

#endif  // PMPROOF_REFERENCE_ARCHIVE_TESTING_ARBITRARY_MODEL_H_
