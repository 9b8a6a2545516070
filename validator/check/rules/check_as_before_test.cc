// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
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
using archive::IndomModel;
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
    {MetricType::kFloat, true},
};
constexpr std::uint32_t kFloatInBlocks = 15;

constexpr std::uint32_t kMostInstances = 12;

// The first domain has no record, the second one stays, the third one changes.
std::vector<MetaRecordModel> Metadata(Chance& chance, std::uint32_t domains) {
  std::vector<MetaRecordModel> records;
  for (std::uint32_t i = 0; i < std::size(kMetrics); ++i) {
    records.emplace_back(
        DescModel{{Pmid::Of(29, 0, i), kMetrics[i].type, Indom::Of(29, i % domains),
                   kMetrics[i].counter ? Semantics::kCounter : Semantics::kInstant, Units{0}},
                  {"m.no" + std::to_string(i)}});
  }
  for (std::int64_t second = 0; second < 200; second += 10) {
    for (const std::uint32_t domain : {1U, 2U}) {
      if (domain >= domains || (domain == 1 && second > 0)) continue;
      IndomModel indom{{kStart + second, 0}, Indom::Of(29, domain), {}};
      for (std::uint32_t k = 0; k < kMostInstances; ++k)
        if (second == 0 || !chance.In(50))
          indom.instances.push_back({static_cast<std::int32_t>(k), "i" + std::to_string(k)});
      records.emplace_back(indom);
    }
  }
  return records;
}

// How much the records of a host differ from those before.
struct Changes {
  std::uint32_t domains = 1;
  std::uint32_t restless_in =
      0;  // one metric in so many has other instances again and again; 0: none
  std::uint32_t decreases_in = 0;  // one number in so many is less than before; 0: none
  std::uint32_t marks_in = 0;      // one record in so many is a mark; 0: none
};

// Makes records that are mostly as the one before, but for numbers and some texts.
class Host {
 public:
  Host(Chance& chance, const Changes& changes) : chance_(chance), changes_(changes) {
    for (std::uint32_t i = 0; i < std::size(kMetrics); ++i) {
      if (chance_.In(3)) continue;
      ValueSetModel& set = result_.sets.emplace_back();
      set.pmid = Pmid::Of(29, 0, i);
      restless_.push_back(changes_.restless_in != 0 && chance_.In(changes_.restless_in));
      Fill(&set, chance_.In(3) ? 1 : 1 + chance_.Below(kMostInstances));
    }
  }

  Buffer Next(int version) {
    result_.time = {kStart + seconds_++, 0};
    ++number_;
    if (changes_.marks_in != 0 && chance_.In(changes_.marks_in)) {
      ResultModel mark;
      mark.time = result_.time;
      return archive::testing::BytesOf(mark, version);
    }
    const bool calm = seconds_ % 150 > 50;  // so that loose sets may be fixed again
    for (std::size_t i = 0; i < result_.sets.size(); ++i)
      if (restless_[i] && !calm && chance_.In(2)) Change(&result_.sets[i]);
    for (ValueSetModel& set : result_.sets) {
      for (ValueModel& value : set.values) {
        const bool text = !IsNumeric(kMetrics[set.pmid.item()].type);
        if (chance_.In(text ? 12 : 2)) Renew(set.pmid.item(), &value);
      }
    }
    return archive::testing::BytesOf(result_, version);
  }

 private:
  void Fill(ValueSetModel* set, std::uint32_t count) {
    set->status = 0;
    set->values.clear();
    for (std::uint32_t k = 0; set->values.size() < count; ++k) {
      if (changes_.restless_in != 0 && k + count < kMostInstances && chance_.In(4)) continue;
      ValueModel& value = set->values.emplace_back();
      value.instance = static_cast<std::int32_t>(k % kMostInstances);
      Renew(set->pmid.item(), &value);
    }
    if (changes_.restless_in != 0 && chance_.In(4)) std::ranges::reverse(set->values);
    const bool insitu = std::holds_alternative<std::uint32_t>(set->values[0].value);
    set->format = insitu ? archive::kInsitu : archive::kDynamic;
  }

  // Other instances, none, or an error.
  void Change(ValueSetModel* set) {
    if (!chance_.In(5)) return Fill(set, 1 + chance_.Below(kMostInstances));
    set->values.clear();
    set->status = chance_.In(2) ? 0 : -12350;
  }

  void Renew(std::uint32_t metric, ValueModel* value) {
    const MetricType type = kMetrics[metric].type;
    const bool less = changes_.decreases_in != 0 && chance_.In(changes_.decreases_in);
    const std::uint32_t number = less ? number_ / 2 : number_;
    double real = number;
    if (less && chance_.In(3)) real = std::numeric_limits<double>::quiet_NaN();
    Buffer bytes(8);
    switch (type) {
      case MetricType::k32:
      case MetricType::kU32:
        value->value = number;
        return;
      case MetricType::kFloat:
        value->value = std::bit_cast<std::uint32_t>(static_cast<float>(real));
        if (metric != kFloatInBlocks) return;
        StoreU32(bytes.data(), std::get<std::uint32_t>(value->value));
        bytes.resize(4);
        break;
      case MetricType::kDouble:
        StoreU64(bytes.data(), std::bit_cast<std::uint64_t>(real));
        break;
      case MetricType::k64:
      case MetricType::kU64:
        StoreU64(bytes.data(), number);
        break;
      case MetricType::kString:
      case MetricType::kNoSupport:
      case MetricType::kAggregate:
      case MetricType::kAggregateStatic:
      case MetricType::kEvent:
      case MetricType::kHighresEvent:
      case MetricType::kUnknown: {
        std::string text = std::string(chance_.Below(11), 'a') + Letter();
        if (type == MetricType::kString) text.push_back('\0');
        bytes.assign(text.begin(), text.end());
      }
    }
    value->value =
        BlockModel{static_cast<std::uint8_t>(type), std::string(bytes.begin(), bytes.end()), {}};
  }

  std::string Letter() { return std::string(1, static_cast<char>('a' + chance_.Below(26))); }

  Chance& chance_;
  const Changes changes_;
  ResultModel result_;
  std::vector<bool> restless_;  // for each of its sets
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

  // What is known of each metric at the end, which what follows is compared with.
  std::vector<std::string> Series() const {
    std::vector<std::string> series;
    for (const MetricState& state : checker.states()) {
      std::string& text = series.emplace_back(ToText(state.pmid));
      for (const std::uint32_t word : state.series.words()) text += " " + std::to_string(word);
      for (const CounterKey key : state.series.keys()) text += "," + std::to_string(key);
      for (const CounterKey key : state.first_keys) text += ";" + std::to_string(key);
      text += checker.Continues(state) ? " continues" : "";
      text += state.descending ? " descending" : "";
    }
    std::ranges::sort(series);
    return series;
  }

  RecordingReporter reporter;
  ValueChecker checker;
};

// Puts a word after the last block.
void AddWord(Buffer* bytes) {
  bytes->insert(bytes->end() - 4, 4, 0);
  const auto length = static_cast<std::uint32_t>(bytes->size());
  StoreU32(bytes->data(), length);
  StoreU32(bytes->data() + length - 4, length);
}

// Checks the records of many hosts, one in four of which is damaged, with a checker that is asked
// for records as before and with one that is not. Returns for how many records the first one was.
std::uint64_t Compare(std::uint64_t seed, const Changes& changes, int hosts, std::uint64_t records,
                      std::uint64_t sound, std::size_t* violations) {
  Chance chance(seed);
  const LoadedMetadata meta(Metadata(chance, changes.domains), 3);
  const MetricTable metrics(meta.metadata(), true);
  std::uint64_t known = 0;
  for (int round = 0; round < hosts; ++round) {
    Checked fast(metrics);
    Checked plain(metrics);
    Host host(chance, changes);
    const int version = chance.In(2) ? 2 : 3;
    std::uint64_t offset = 132;
    for (std::uint64_t ordinal = 1; ordinal <= records; ++ordinal) {
      Buffer bytes = host.Next(version);
      if (ordinal > sound && chance.In(4)) {
        if (chance.In(8)) {
          AddWord(&bytes);
        } else {
          archive::testing::Damage(chance, version == 3 ? 4 : 3, &bytes);
        }
      }
      const archive::RecordView record{bytes, offset, ordinal, 0};
      offset += bytes.size();
      known += fast.Check(record, version) ? 1 : 0;
      plain.Decode(record, version);
      EXPECT_EQ(fast.Found(), plain.Found()) << round << " " << ordinal;
      EXPECT_EQ(fast.checker.values(), plain.checker.values()) << round << " " << ordinal;
      if (::testing::Test::HasFailure()) return 0;
      *violations += plain.reporter.violations.size();
      fast.reporter.violations.clear();
      plain.reporter.violations.clear();
    }
    fast.checker.Settle();
    plain.checker.Settle();
    EXPECT_EQ(fast.Series(), plain.Series()) << round;
    if (::testing::Test::HasFailure()) return 0;
  }
  return known;
}

// ARC-1701..1717, ARC-1801..1835
TEST(CheckAsBefore, FindsWhatACheckOfEachRecordByItselfDoes) {
  std::size_t violations = 0;
  EXPECT_GT(Compare(1, {}, 1500, 24, 6, &violations), 15'000U);
  EXPECT_GT(violations, 2'000U);
}

// ARC-1729, ARC-1805: sets whose instances come and go are checked by themselves, beside the
// others.
TEST(CheckAsBefore, TakesRecordsWithSetsThatChange) {
  std::size_t violations = 0;
  EXPECT_GT(Compare(2, {.domains = 3, .restless_in = 12, .decreases_in = 0, .marks_in = 40}, 150,
                    250, 250, &violations),
            22'000U);
  EXPECT_GT(violations, 2'000U);
}

// ARC-1812: what comes after a string that is longer or shorter lies elsewhere, and is as before
// all the same.
TEST(CheckAsBefore, TakesRecordsWithAStringOfAnotherLength) {
  Chance chance(5);
  const LoadedMetadata meta(Metadata(chance, 1), 3);
  const MetricTable metrics(meta.metadata(), true);
  Checked fast(metrics);
  const auto text = [](const std::string& letters) {
    return BlockModel{static_cast<std::uint8_t>(MetricType::kString), letters + '\0', {}};
  };
  std::uint64_t ordinal = 0;
  for (const std::size_t length : {8U, 8U, 8U, 20U, 1U, 8U, 3U}) {
    ResultModel result;
    result.time = {kStart + static_cast<std::int64_t>(ordinal), 0};
    const ValueModel changing{0, text(std::string(length, 'x'))};
    const ValueModel steady{1, text("steady")};
    result.sets = {{Pmid::Of(29, 0, 9), archive::kDynamic, {changing, steady}, 0},
                   {Pmid::Of(29, 0, 12), archive::kDynamic, {steady}, 0}};
    const Buffer bytes = archive::testing::BytesOf(result, 3);
    const bool known = fast.Check({bytes, 1000 * ordinal, ordinal + 1, 0}, 3);
    EXPECT_EQ(known, ordinal >= 2) << length;
    ++ordinal;
  }
  EXPECT_TRUE(fast.reporter.violations.empty());
}

// ARC-1825: and so is a set with a number that breaks a rule.
TEST(CheckAsBefore, TakesRecordsWithCountersThatDecrease) {
  std::size_t violations = 0;
  EXPECT_GT(Compare(3, {.domains = 3, .restless_in = 0, .decreases_in = 50, .marks_in = 40}, 150,
                    250, 250, &violations),
            27'000U);
  EXPECT_GT(violations, 12'000U);
}

TEST(CheckAsBefore, FindsTheSameInDamagedRecordsWithSetsThatChange) {
  std::size_t violations = 0;
  EXPECT_GT(Compare(4, {.domains = 3, .restless_in = 12, .decreases_in = 200, .marks_in = 100}, 300,
                    100, 20, &violations),
            8'000U);
  EXPECT_GT(violations, 8'000U);
}

// Counts what is reported, and keeps nothing.
class Tally final : public archive::Reporter {
 public:
  bool CountOnly(Clause rule, std::uint64_t count, const archive::Location& first,
                 const archive::Location& last) override {
    EXPECT_EQ(first.offset, last.offset);
    Add(rule, count, first);
    return true;
  }

  std::map<std::string, std::uint64_t> counted;

 protected:
  bool Count(Clause rule, const archive::Location& where, archive::Gravity) override {
    Add(rule, 1, where);
    return false;
  }
  void Keep(Clause, const archive::Location&, archive::Gravity, archive::Details) override {}

 private:
  void Add(Clause rule, std::uint64_t count, const archive::Location& where) {
    counted[rule.ToString() + " " + ToText(metric().value_or(Pmid())) + " at " +
            std::to_string(where.offset) + "+" + std::to_string(where.length)] += count;
  }
};

// ARC-1717, ARC-1725: of a set with the format of memory nothing but that is counted, unless its
// padding is unusual, too.
TEST(CheckAsBefore, CountsSetsOfAnUnusualForm) {
  Chance chance(6);
  const LoadedMetadata meta(Metadata(chance, 1), 3);
  const MetricTable metrics(meta.metadata(), true);
  for (const auto& padding : {std::optional<std::string>(), std::optional<std::string>("zz")}) {
    Tally fast;
    Tally plain;
    ValueChecker checker(metrics, fast);
    std::uint64_t known = 0;
    for (std::uint64_t ordinal = 1; ordinal <= 8; ++ordinal) {
      ResultModel result;
      result.time = {kStart + static_cast<std::int64_t>(ordinal), 0};
      const BlockModel text{static_cast<std::uint8_t>(MetricType::kString),
                            std::string("abcde\0", 6), padding};
      result.sets = {{Pmid::Of(29, 0, 9), archive::kStatic, {ValueModel{0, text}}, 0}};
      const Buffer bytes = archive::testing::BytesOf(result, 3);
      const archive::RecordView record{bytes, 1000 * ordinal, ordinal, 0};
      if (checker.CheckAsBefore(record, 3, result.time)) {
        ++known;
      } else {
        const auto decoded = archive::DecodeDataRecord(record, 3, fast);
        ASSERT_TRUE(decoded);
        checker.Check(*decoded, true);
      }
      archive::DecodeDataRecord(record, 3, plain);
    }
    EXPECT_GE(known, 5U);
    EXPECT_EQ(plain.counted.size(), padding ? 16U : 8U);
    EXPECT_EQ(fast.counted, plain.counted);
  }
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
  const LoadedMetadata meta(Metadata(chance, 3), 3);
  const MetricTable metrics(meta.metadata(), true);
  std::uint64_t known = 0;
  std::size_t violations = 0;
  for (int round = 0; round < 400; ++round) {
    const Changes changes{.domains = 3, .restless_in = 12, .decreases_in = 100, .marks_in = 50};
    Host host(chance, changes);
    Host another(chance, changes);
    const int version = chance.In(2) ? 2 : 3;
    std::uint64_t offset = 132;
    std::uint64_t ordinal = 0;
    Checked before(metrics);
    Checked knowing(metrics);
    Checked fresh(metrics);
    const std::uint64_t first = 1 + chance.Below(60);
    while (ordinal < first + 30) {
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
  const LoadedMetadata meta(Metadata(chance, 1), 3);
  const MetricTable metrics(meta.metadata(), true);
  int fresh_known = 0;
  int known = 0;
  for (int round = 0; round < 200; ++round) {
    Host host(chance, {});
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
