// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/data_record.h"
#include "reference/archive/testing/loaded_metadata.h"
#include "reference/archive/testing/random_record.h"
#include "reference/archive/testing/recording_reporter.h"
#include "reference/core/bytes.h"
#include "validator/check/rules/value_rules.h"
#include "validator/check/rules/value_totals.h"

namespace pmproof::validator {
namespace {

using archive::BlockModel;
using archive::Buffer;
using archive::DescModel;
using archive::MetaRecordModel;
using archive::ResultModel;
using archive::ValueModel;
using archive::ValueSetModel;
using archive::testing::Chance;
using archive::testing::LoadedMetadata;
using archive::testing::RecordingReporter;

constexpr std::int64_t kStart = 1'700'000'000;

struct Metric {
  MetricType type;
  bool counter;
};

constexpr Metric kMetrics[] = {
    {MetricType::k32, true},      {MetricType::kU32, true},    {MetricType::kU32, true},
    {MetricType::kFloat, true},   {MetricType::kFloat, false}, {MetricType::k64, true},
    {MetricType::kU64, true},     {MetricType::kDouble, true}, {MetricType::kDouble, false},
    {MetricType::kString, false}, {MetricType::kU32, false},   {MetricType::kAggregate, false},
    {MetricType::kString, false}, {MetricType::kU64, true},    {MetricType::kString, false},
};

std::vector<MetaRecordModel> Descriptors() {
  std::vector<MetaRecordModel> records;
  for (std::uint32_t i = 0; i < std::size(kMetrics); ++i) {
    records.emplace_back(
        DescModel{{Pmid::Of(29, 0, i), kMetrics[i].type, Indom::Of(29, 1),
                   kMetrics[i].counter ? Semantics::kCounter : Semantics::kInstant, Units{0}},
                  {"m.no" + std::to_string(i)}});
  }
  return records;
}

// Likewise, with a domain that loses instances while the records are made.
std::vector<MetaRecordModel> DescriptorsAndDomain() {
  std::vector<MetaRecordModel> records = Descriptors();
  for (const std::int32_t instances : {12, 9, 11}) {
    archive::IndomModel domain{{kStart + 4 * (12 - instances), 0}, Indom::Of(29, 1), {}, false};
    for (std::int32_t k = 0; k < instances; ++k)
      domain.instances.push_back({k, "i" + std::to_string(k)});
    records.emplace_back(domain);
  }
  std::swap(records.end()[-1], records.end()[-2]);
  return records;
}

// Makes records that are mostly as the one before, but for numbers and some texts.
class Host {
 public:
  explicit Host(Chance& chance) : chance_(chance) {
    for (std::uint32_t i = 0; i < std::size(kMetrics); ++i) {
      if (chance_.In(3)) continue;
      ValueSetModel& set = result_.sets.emplace_back();
      set.pmid = Pmid::Of(29, 0, i);
      const std::uint32_t count = chance_.In(3) ? 1 : 1 + chance_.Below(12);
      for (std::uint32_t k = 0; k < count; ++k) {
        ValueModel& value = set.values.emplace_back();
        value.instance = static_cast<std::int32_t>(k);
        Renew(kMetrics[i], &value);
      }
      set.format = std::holds_alternative<BlockModel>(set.values[0].value) ? archive::kDynamic
                                                                           : archive::kInsitu;
    }
  }

  Buffer Next(int version) {
    result_.time = {kStart + seconds_++, 0};
    ++number_;
    for (ValueSetModel& set : result_.sets) {
      for (ValueModel& value : set.values) {
        const Metric& metric = kMetrics[set.pmid.item()];
        const bool text = !IsNumeric(metric.type);
        if (chance_.In(text ? 12 : 2)) Renew(metric, &value);
      }
    }
    return archive::testing::BytesOf(result_, version);
  }

 private:
  void Renew(const Metric& metric, ValueModel* value) {
    const auto type = static_cast<std::uint8_t>(metric.type);
    Buffer bytes(8);
    switch (metric.type) {
      case MetricType::k32:
      case MetricType::kU32:
        value->value = number_;
        return;
      case MetricType::kFloat:
        value->value = std::bit_cast<std::uint32_t>(static_cast<float>(number_));
        return;
      case MetricType::kDouble:
        StoreU64(bytes.data(), std::bit_cast<std::uint64_t>(static_cast<double>(number_)));
        break;
      case MetricType::k64:
      case MetricType::kU64:
        StoreU64(bytes.data(), number_);
        break;
      default:
        value->value = BlockModel{type, std::string(chance_.Below(11), 'a') + Letter(), {}};
        if (metric.type == MetricType::kString)
          std::get<BlockModel>(value->value).payload.push_back('\0');
        return;
    }
    value->value = BlockModel{type, std::string(bytes.begin(), bytes.end()), {}};
  }

  std::string Letter() { return std::string(1, static_cast<char>('a' + chance_.Below(26))); }

  Chance& chance_;
  ResultModel result_;
  std::int64_t seconds_ = 0;
  std::uint32_t number_ = 0;
};

// A checker, and what it has found.
struct Checked {
  explicit Checked(const MetricTable& metrics) : checker(metrics, reporter) {}

  void Decode(const archive::RecordView& record, int version) {
    const auto decoded = archive::DecodeDataRecord(record, version, reporter);
    if (decoded) checker.Check(*decoded, true);
  }

  // True if the record was checked as one before.
  bool Check(const archive::RecordView& record, int version) {
    const Timestamp time =
        archive::LoadTimestamp(record.bytes.data() + archive::kLengthWord, version);
    if (checker.CheckAsBefore(record, version, time)) return true;
    Decode(record, version);
    return false;
  }

  // In order of place: what is found of one record has none by itself.
  std::vector<std::string> Found() const {
    std::vector<std::string> found;
    for (const archive::testing::Recorded& one : reporter.violations) {
      found.push_back(std::to_string(one.where.record) + " " + std::to_string(one.where.offset) +
                      "+" + std::to_string(one.where.length) + " " + one.rule.ToString() + " " +
                      one.details.field + " " + one.details.actual + " " + one.details.expected +
                      " " + one.details.message);
    }
    std::ranges::sort(found);
    return found;
  }

  RecordingReporter reporter;
  ValueChecker checker;
};

// ARC-1701..1717, ARC-1801..1835
TEST(CheckAsBefore, FindsWhatACheckOfEachRecordByItselfDoes) {
  Chance chance(1);
  const LoadedMetadata meta(Descriptors(), 3);
  const MetricTable metrics(meta.metadata(), true);
  std::uint64_t known = 0;
  std::size_t violations = 0;
  for (int round = 0; round < 1500; ++round) {
    Checked fast(metrics);
    Checked plain(metrics);
    Host host(chance);
    const int version = chance.In(2) ? 2 : 3;
    std::uint64_t offset = 132;
    for (std::uint64_t ordinal = 1; ordinal <= 24; ++ordinal) {
      Buffer bytes = host.Next(version);
      if (ordinal > 6 && chance.In(4)) {
        archive::testing::Damage(chance, version == 3 ? 4 : 3, &bytes);
      }
      const archive::RecordView record{bytes, offset, ordinal, 0};
      offset += bytes.size();
      const Timestamp time = archive::LoadTimestamp(bytes.data() + archive::kLengthWord, version);
      if (fast.checker.CheckAsBefore(record, version, time)) {
        ++known;
      } else {
        fast.Decode(record, version);
      }
      plain.Decode(record, version);
      ASSERT_EQ(fast.Found(), plain.Found()) << round << " " << ordinal;
      ASSERT_EQ(fast.checker.values(), plain.checker.values()) << round << " " << ordinal;
    }
    violations += plain.reporter.violations.size();
  }
  EXPECT_GT(known, 15'000U);
  EXPECT_GT(violations, 2'000U);
}

// What comes out of a stretch, and of its being joined with the one before.
std::vector<std::string> Joined(const MetricTable& metrics, const ValueChecker& before,
                                const ValueChecker& stretch) {
  RecordingReporter reporter;
  ValueTotals totals(metrics, reporter);
  totals.Absorb(before);
  totals.Absorb(stretch, 5);
  std::vector<std::string> lines{std::to_string(totals.values())};
  for (const archive::testing::Recorded& one : reporter.violations) {
    lines.push_back(one.rule.ToString() + " " + std::to_string(one.where.offset) + " " +
                    std::to_string(one.where.record) + " " + one.details.message);
  }
  for (const auto& [pmid, usage] : totals.Metrics()) {
    lines.push_back(ToText(pmid) + " " + ToEpochText(usage.first_use) + " " +
                    (usage.first_value ? ToEpochText(*usage.first_value) : ""));
  }
  std::ranges::sort(lines);
  return lines;
}

TEST(CheckAsBefore, WhatWasLearnedOfOtherRecordsDoesNotShow) {
  Chance chance(2);
  const LoadedMetadata meta(DescriptorsAndDomain(), 3);
  const MetricTable metrics(meta.metadata(), true);
  std::uint64_t known = 0;
  std::size_t violations = 0;
  for (int round = 0; round < 1000; ++round) {
    Host host(chance);
    Host another(chance);
    const int version = chance.In(2) ? 2 : 3;
    std::uint64_t offset = 132;
    std::uint64_t ordinal = 0;
    Checked before(metrics);
    Checked knowing(metrics);
    Checked fresh(metrics);
    const std::uint64_t first = 1 + chance.Below(12);
    while (ordinal < first + 12) {
      Buffer bytes = (chance.In(8) ? another : host).Next(version);
      if (chance.In(6)) archive::testing::Damage(chance, version == 3 ? 4 : 3, &bytes);
      const archive::RecordView record{bytes, offset, ++ordinal, 0};
      offset += bytes.size();
      if (ordinal <= first) {
        before.Check(record, version);
        if (ordinal == first) knowing.checker.Use(before.checker.TakeLearned());
        continue;
      }
      known += knowing.Check(record, version) ? 1 : 0;
      fresh.Check(record, version);
      ASSERT_EQ(knowing.Found(), fresh.Found()) << round << " " << ordinal;
    }
    knowing.checker.Settle();
    fresh.checker.Settle();
    ASSERT_EQ(Joined(metrics, before.checker, knowing.checker),
              Joined(metrics, before.checker, fresh.checker))
        << round;
    violations += fresh.reporter.violations.size();
  }
  EXPECT_GT(known, 2'000U);
  EXPECT_GT(violations, 2'000U);
}

TEST(CheckAsBefore, AFormThatWasLearnedIsOfUseOneRecordSooner) {
  Chance chance(3);
  const LoadedMetadata meta(Descriptors(), 3);
  const MetricTable metrics(meta.metadata(), true);
  int fresh_known = 0;
  int known = 0;
  for (int round = 0; round < 200; ++round) {
    Host host(chance);
    Checked before(metrics);
    Checked knowing(metrics);
    Checked fresh(metrics);
    std::uint64_t ordinal = 0;
    while (ordinal < 12) {
      const Buffer bytes = host.Next(3);
      const archive::RecordView record{bytes, 132 + 1000 * ordinal, ++ordinal, 0};
      if (ordinal <= 8) before.Check(record, 3);
      if (ordinal == 8) knowing.checker.Use(before.checker.TakeLearned());
      if (ordinal <= 8) continue;
      known += knowing.Check(record, 3) ? 1 : 0;
      fresh_known += fresh.Check(record, 3) ? 1 : 0;
    }
  }
  EXPECT_GT(known, fresh_known + 100);
}

}  // namespace
}  // namespace pmproof::validator
