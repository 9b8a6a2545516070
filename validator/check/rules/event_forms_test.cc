// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/event_forms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/archive/testing/loaded_metadata.h"
#include "reference/archive/testing/random_record.h"
#include "reference/core/event_array.h"

namespace pmproof::validator {
namespace {

using archive::Buffer;
using archive::Location;
using archive::testing::Chance;
using archive::testing::LoadedMetadata;

constexpr std::int64_t kStart = 1'700'000'000;

// Metrics of parameters: all types are as described but that of kMistyped; kUnknown is no metric.
constexpr Pmid kText = Pmid::Of(29, 0, 0);
constexpr Pmid kNumber = Pmid::Of(29, 0, 1);
constexpr Pmid kMistyped = Pmid::Of(29, 0, 2);
constexpr Pmid kUnknown = Pmid::Of(29, 0, 3);

std::vector<archive::MetaRecordModel> Metadata() {
  std::vector<archive::MetaRecordModel> records;
  const std::pair<Pmid, MetricType> metrics[] = {
      {kText, MetricType::kString}, {kNumber, MetricType::kU32}, {kMistyped, MetricType::k32}};
  for (const auto& [pmid, type] : metrics) {
    records.emplace_back(archive::DescModel{{pmid, type, Indom(), Semantics::kInstant, Units{0}},
                                            {"m.no" + ToText(pmid)}});
  }
  return records;
}

// What was reported: of each rule how often, and where last; and what was to be kept.
class Tally final : public archive::Reporter {
 public:
  // Violations are kept whose place is before `keeps_before`.
  explicit Tally(std::uint64_t keeps_before) : keeps_before_(keeps_before) {}

  bool CountOnly(Clause rule, std::uint64_t count, const Location& first,
                 const Location& last) override {
    if (first.offset < keeps_before_) return false;
    Add(rule, count, last);
    return true;
  }

  std::vector<std::string> Lines() const {
    std::vector<std::string> lines = kept_;
    for (const auto& [rule, counted] : counted_) {
      lines.push_back(rule.ToString() + " x" + std::to_string(counted.first) + " to " +
                      Text(counted.second));
    }
    return lines;
  }

 protected:
  bool Count(Clause rule, const Location& where, archive::Gravity) override {
    Add(rule, 1, where);
    return where.offset < keeps_before_;
  }
  void Keep(Clause rule, const Location& where, archive::Gravity,
            archive::Details details) override {
    kept_.push_back(rule.ToString() + " " + Text(where) + " " + details.actual);
  }

 private:
  static std::string Text(const Location& where) {
    return std::to_string(where.offset) + "+" + std::to_string(where.length) + " record " +
           std::to_string(where.record);
  }
  void Add(Clause rule, std::uint64_t count, const Location& where) {
    auto& counted = counted_[rule];
    if (counted.first == 0 || where.offset > counted.second.offset) counted.second = where;
    counted.first += count;
  }

  const std::uint64_t keeps_before_;
  std::map<Clause, std::pair<std::uint64_t, Location>> counted_;
  std::vector<std::string> kept_;
};

void Put(Buffer* to, std::uint64_t bits, std::size_t size) {
  for (std::size_t i = size; i > 0; --i)
    to->push_back(static_cast<std::uint8_t>(bits >> 8 * (i - 1)));
}

void PutParameter(Buffer* to, Pmid pmid, MetricType type, std::string_view payload) {
  Put(to, pmid.value, 4);
  Put(to, static_cast<std::uint32_t>(type) << 24 | (4 + payload.size()), 4);
  to->insert(to->end(), payload.begin(), payload.end());
  while (to->size() % 4 != 0) to->push_back('~');
}

// An array of one of twelve forms, none of which breaks two rules, with times at the record's
// second and before.
Buffer Array(Chance& chance, bool highres, std::int64_t second) {
  Buffer array;
  const std::uint32_t form = chance.Below(12);
  const std::uint32_t count = form % 4;
  Put(&array, count, 4);
  for (std::uint32_t i = 0; i < count; ++i) {
    Put(&array, static_cast<std::uint64_t>(second - 10 + i), highres ? 8 : 4);
    Put(&array, chance.Below(1'000'000), highres ? 8 : 4);
    const bool missed = form == 10 && i == 1;
    Put(&array, missed ? kEventMissed : form == 11 ? 0x100 : kEventPoint, 4);
    const std::uint32_t parameters = form / 4 + i % 2;
    Put(&array, missed ? chance.Below(9) : parameters, 4);
    if (missed) continue;
    for (std::uint32_t k = 0; k < parameters; ++k) {
      const char letter = static_cast<char>('a' + chance.Below(26));
      switch ((form + k) % 5) {
        case 0:
          PutParameter(&array, kText, MetricType::kString, std::string(9, letter) + '\0');
          break;
        case 1:
          PutParameter(&array, kNumber, MetricType::kU32, std::string(4, letter));
          break;
        case 2:
          PutParameter(&array, form == 11 ? kNumber : kMistyped, MetricType::kU32,
                       std::string(4, letter));
          break;
        case 3:
          PutParameter(&array, kText, MetricType::kString, std::string(6, letter));
          break;
        default:
          PutParameter(&array, form == 9 ? kUnknown : kNumber, MetricType::kU32,
                       std::string(4, letter));
      }
    }
  }
  return array;
}

// Another count, time, flag, metric, type, length, or character.
void Damage(Chance& chance, Buffer* array) {
  std::uint8_t* const at = array->data() + 4 * chance.Below(array->size() / 4);
  switch (chance.Below(5)) {
    case 0:
      return StoreU32(at, LoadU32(at) + (chance.In(2) ? 1 : -1));
    case 1:
      return StoreU32(at, LoadU32(at) + 60 + chance.Below(20));
    case 2:
      return StoreU32(at, LoadU32(at) ^ 1U << chance.Below(32));
    case 3:
      array->resize(array->size() - 4);
      return;
    default:
      at[chance.Below(4)] = static_cast<std::uint8_t>(chance.In(2) ? 0x1b : chance.Below(256));
  }
}

struct Outcome {
  std::uint64_t taken = 0;
  std::uint64_t broken = 0;  // arrays that break a rule
};

// Checks arrays with forms and without.
Outcome Compare(std::uint64_t seed, std::uint32_t damaged_in) {
  const LoadedMetadata meta(Metadata(), 3);
  const MetricTable metrics(meta.metadata(), true);
  Chance chance(seed);
  Outcome outcome;
  EventForms forms;
  EventParameters of_fast;
  EventParameters of_plain;
  for (std::uint64_t n = 1; n <= 20'000; ++n) {
    const bool highres = chance.In(2);
    const bool time_known = !chance.In(8);
    const std::int64_t second = kStart + static_cast<std::int64_t>(n);
    Buffer array = Array(chance, highres, second);
    if (damaged_in != 0 && chance.In(damaged_in)) Damage(chance, &array);
    array.shrink_to_fit();
    const archive::DataRecord record{{array, 1000 * n, n, 0}, {second, 5}, 1, 20, 40};
    const archive::ValueBlock block{highres ? MetricType::kHighresEvent : MetricType::kEvent,
                                    array};
    const std::uint64_t keeps_before =
        1000 * n + (chance.In(damaged_in == 0 ? 40 : 4) ? chance.Below(200) : 0);
    Tally fast(keeps_before);
    Tally plain(keeps_before);
    CheckEventArray(record, block, 24, time_known, metrics, &of_plain, plain);
    if (forms.Take(record, block, 24, time_known, fast)) {
      ++outcome.taken;
    } else {
      CheckEventArray(record, block, 24, time_known, metrics, &of_fast, fast);
      forms.Learn(record, block, 24, metrics, &of_fast);
    }
    EXPECT_EQ(fast.Lines(), plain.Lines()) << n;
    if (::testing::Test::HasFailure()) return outcome;
    outcome.broken += plain.Lines().empty() ? 0 : 1;
  }
  EXPECT_EQ(of_fast.first_times(), of_plain.first_times());
  return outcome;
}

// ARC-1817..1821, 1823, 1826, 1834
TEST(EventForms, TakeNearlyAllArraysThatAreAsEarlierOnes) {
  const Outcome outcome = Compare(1, 0);
  EXPECT_GT(outcome.taken, 18'500U);
  EXPECT_GT(outcome.broken, 10'000U);
}

// ARC-1815..1826, 1834, 1835
TEST(EventForms, FindWhatACheckOfEachArrayByItselfDoes) {
  for (const std::uint64_t seed : {2U, 3U, 4U}) {
    const Outcome outcome = Compare(seed, 3);
    EXPECT_GT(outcome.taken, 7'000U);
    EXPECT_GT(outcome.broken, 10'000U);
  }
}

// ARC-1826: an event may be as much as 60 seconds later than its record.
TEST(EventForms, HoldEachTimeAgainstThatOfItsRecord) {
  const LoadedMetadata meta(Metadata(), 3);
  const MetricTable metrics(meta.metadata(), true);
  EventForms forms;
  EventParameters parameters;
  std::vector<bool> taken;
  for (const std::int64_t later : {-5, -5, 60, 61, -5}) {
    Buffer array;
    Put(&array, 1, 4);
    Put(&array, static_cast<std::uint64_t>(kStart + later), 8);
    Put(&array, 0, 8);
    Put(&array, kEventPoint, 4);
    Put(&array, 0, 4);
    const archive::DataRecord record{{array, 1000, 1, 0}, {kStart, 0}, 1, 20, 40};
    const archive::ValueBlock block{MetricType::kHighresEvent, array};
    Tally tally(0);
    taken.push_back(forms.Take(record, block, 24, true, tally));
    EXPECT_TRUE(tally.Lines().empty());
    if (!taken.back()) forms.Learn(record, block, 24, metrics, &parameters);
  }
  EXPECT_EQ(taken, (std::vector<bool>{false, true, true, false, true}));
}

// ARC-1820: an array is looked at by itself where the fraction of a time is out of range.
TEST(EventForms, LeaveArraysWhoseFractionsAreOutOfRange) {
  const LoadedMetadata meta(Metadata(), 3);
  const MetricTable metrics(meta.metadata(), true);
  for (const bool highres : {false, true}) {
    const std::int64_t units = highres ? 1'000'000'000 : 1'000'000;
    EventForms forms;
    EventParameters parameters;
    for (const std::int64_t fraction : {std::int64_t{0}, units - 1, units, std::int64_t{-1}}) {
      Buffer array;
      Put(&array, 1, 4);
      Put(&array, kStart, highres ? 8 : 4);
      Put(&array, static_cast<std::uint64_t>(fraction), highres ? 8 : 4);
      Put(&array, kEventPoint, 4);
      Put(&array, 0, 4);
      const archive::DataRecord record{{array, 1000, 1, 0}, {kStart, 0}, 1, 20, 40};
      const archive::ValueBlock block{highres ? MetricType::kHighresEvent : MetricType::kEvent,
                                      array};
      Tally tally(0);
      if (fraction == 0) {  // whose form the others have
        forms.Learn(record, block, 24, metrics, &parameters);
        continue;
      }
      EXPECT_EQ(forms.Take(record, block, 24, true, tally), fraction == units - 1)
          << highres << " " << fraction;
    }
  }
}

}  // namespace
}  // namespace pmproof::validator
