// SPDX-License-Identifier: Apache-2.0
// Wherever the emulation answers something else than the reference does, a deviation is named: over
// random archives and random scripts.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "reference/replay/emulation/explain.h"
#include "reference/replay/testing/random_archive.h"

namespace pmproof::replay::emulation {
namespace {

using archive::PcpVersion;
using namespace testing;  // NOLINT: the words of the tests

constexpr PcpVersion kVersions[] = {PcpVersion::k6_0_3, PcpVersion::k6_3_8, PcpVersion::k7_2};

enum class Pattern : std::uint8_t { kForward, kBackward, kSeeks };

// A script in memory.
struct RandomScript {
  std::vector<std::vector<std::size_t>> lists;
  std::vector<ExplainedStep> steps;

  RandomScript(Chance& chance, std::size_t metrics, double end, Pattern pattern) {
    const std::uint64_t count = pattern == Pattern::kSeeks ? 1 + chance.Below(3) : 1;
    for (std::uint64_t i = 0; i < count; ++i) {
      std::vector<std::size_t>& list = lists.emplace_back();
      for (std::size_t k = 0; k < metrics; ++k) {
        if (i == 0 || chance.In(2)) list.push_back(k);
      }
      if (list.empty()) list.push_back(0);
    }
    for (std::uint64_t i = 0; i < 30; ++i) {
      ExplainedStep& step = steps.emplace_back();
      step.metrics = lists[chance.Below(count)];
      if (i == 0 || (pattern == Pattern::kSeeks && chance.In(3))) {
        step.seek = Seek(chance, end, pattern);
      }
    }
  }

 private:
  static ExplainedStep::Seek Seek(Chance& chance, double end, Pattern pattern) {
    const std::int32_t halves = static_cast<std::int32_t>(1 + chance.Below(5));
    Delta delta{halves / 2, halves % 2 * 500'000'000};
    const bool back = pattern == Pattern::kBackward || (pattern == Pattern::kSeeks && chance.In(2));
    if (back) delta = {-delta.seconds, -delta.nanoseconds};
    if (pattern == Pattern::kForward) return {At(0), delta};
    if (pattern == Pattern::kBackward) return {At(end), delta};
    const double quarters =
        static_cast<double>(chance.Below(static_cast<std::uint64_t>(end * 4) + 4));
    return {At(quarters / 4), delta};
  }
};

std::string Names(const Difference& difference) {
  std::string text;
  for (const Deviation deviation : difference.by)
    text += (text.empty() ? "" : "+") + ToText(deviation);
  return text;
}

std::string ToText(const RecordLog& log) {
  std::ostringstream text;
  for (const LoggedMetric& metric : log.metrics()) {
    text << "\ncells from " << metric.first_cell << ": " << pmproof::ToText(metric.descriptor.type)
         << ' ' << pmproof::ToText(metric.descriptor.semantics);
    for (std::size_t i = 0; i < metric.instances.size(); ++i) {
      text << ' ' << metric.instances[i];
      if (metric.has_lives)
        text << '(' << metric.lives[i].birth << ".." << metric.lives[i].death.value_or(-1) << ')';
    }
  }
  for (const LoggedRecord& record : log.records()) {
    text << "\n" << record.volume << '@' << record.at << (record.mark ? " mark" : "");
    for (const LoggedValue& value : record.values)
      text << ' ' << value.cell << '=' << value.value.bits;
  }
  text << "\nindex:";
  for (const LoggedEntry& entry : log.index()) text << ' ' << entry.at;
  return text.str();
}

std::string ToText(const RandomScript& script, std::size_t last) {
  std::ostringstream text;
  for (std::size_t i = 0; i <= last; ++i) {
    const ExplainedStep& step = script.steps[i];
    if (step.seek) {
      text << "\nseek "
           << static_cast<double>(NanosecondsBetween(Timestamp{}, step.seek->time)) / 1e9 << " by "
           << step.seek->delta.seconds << ' ' << step.seek->delta.nanoseconds << ':';
    }
    text << " {";
    for (const std::size_t metric : step.metrics) text << ' ' << metric;
    text << " }";
  }
  return text.str();
}

std::string ToText(const EmulatedFetch& fetch) {
  std::ostringstream text;
  for (const EmulatedMetric& metric : fetch.metrics) {
    text << " (" << metric.numval << ')';
    for (const EmulatedValue& value : metric.values)
      text << ' ' << value.instance << '=' << value.value.bits;
  }
  return text.str();
}

// How often each was named, "equal" for values without a difference.
using Counts = std::map<std::string, std::uint64_t>;

void Play(std::uint64_t seed, Pattern pattern, const Taste& taste, Counts* counts) {
  Chance chance(seed);
  const RandomArchive random(chance, taste);
  archive::MemoryStorage storage;
  random.plan.Store("a", &storage);
  const auto archive = ReplayArchive::Open(storage, {"a"}).value();
  std::vector<Pmid> metrics;
  for (const RandomMetric& metric : random.metrics) metrics.push_back(Pmid::Of(29, 0, metric.item));
  const auto log = RecordLog::Load(*archive, metrics, 1 << 20).value();
  const RandomScript script(chance, metrics.size(), random.end, pattern);
  for (const PcpVersion version : kVersions) {
    ExplainRequest request;
    request.version = version;
    std::size_t step = 0;
    const auto error =
        Explain(*archive, *log, request, script.steps, [&](const ExplainedFetch& fetch) {
          if (fetch.emulated.undefined) ++(*counts)["undefined"];
          for (const auto& differences : fetch.differences) {
            if (differences.empty()) ++(*counts)["equal"];
            for (const Difference& difference : differences) {
              const std::string text = Names(difference);
              ++(*counts)[text];
              if (text == "unexplained") {
                ADD_FAILURE() << "seed " << seed << ", version " << static_cast<int>(version)
                              << ", step " << step << ", instance "
                              << difference.instance.value_or(-2) << ToText(*log)
                              << ToText(script, step) << "\nat " << fetch.emulated.time.seconds
                              << ' ' << fetch.emulated.time.nanoseconds << ToText(fetch.emulated);
              }
            }
          }
          ++step;
        });
    ASSERT_FALSE(error) << error->ToText();
    ASSERT_EQ(step, script.steps.size());
  }
}

std::uint64_t Archives() {
  const char* asked = std::getenv("PMPROOF_EXPLAINED_ARCHIVES");
  return asked == nullptr ? 400 : std::strtoull(asked, nullptr, 10);
}

// `more`: times as many archives, for what is rare.
Counts PlayMany(Pattern pattern, const Taste& taste, std::uint64_t more = 1) {
  Counts counts;
  for (std::uint64_t seed = 1; seed <= more * Archives(); ++seed)
    Play(seed, pattern, taste, &counts);
  for (const auto& [name, count] : counts) std::cout << "  " << name << ": " << count << '\n';
  return counts;
}

TEST(ExplainProperty, NamesEachDifferenceInForwardReplay) {
  const Counts counts = PlayMany(Pattern::kForward, {.large_types = true});
  for (const char* name : {"DEV-02", "DEV-03", "DEV-04"})
    EXPECT_TRUE(counts.contains(name)) << name;
}

TEST(ExplainProperty, NamesEachDifferenceInBackwardReplay) {
  const Counts counts = PlayMany(Pattern::kBackward, {.large_types = true});
  EXPECT_TRUE(counts.contains("DEV-01"));
}

TEST(ExplainProperty, NamesEachDifferenceUnderRandomSeeks) {
  const Counts counts = PlayMany(Pattern::kSeeks, {.large_types = true});
  for (const char* name : {"DEV-01", "DEV-03", "DEV-06", "DEV-07", "DEV-23"}) {
    EXPECT_TRUE(counts.contains(name)) << name;
  }
}

TEST(ExplainProperty,
     NamesEachDifferenceUnderRandomSeeksWithoutBuffers) {  // nothing ends by DEV-05
  PlayMany(Pattern::kSeeks, {});
}

TEST(ExplainProperty, NamesEachDifferenceWhereRecordsHaveOneTime) {
  PlayMany(Pattern::kForward, {.same_times = true});
  const Counts backward = PlayMany(Pattern::kBackward, {.same_times = true}, 5);
  for (const char* name : {"DEV-27", "INT-310", "INT-704"}) {
    EXPECT_TRUE(backward.contains(name)) << name;
  }
  PlayMany(Pattern::kSeeks, {.same_times = true});
}

TEST(ExplainProperty, NamesEachDifferenceWhereTheIndexBeginsLate) {
  EXPECT_TRUE(PlayMany(Pattern::kForward, {.late_index = true}).contains("DEV-28"));
  PlayMany(Pattern::kBackward, {.late_index = true});
  PlayMany(Pattern::kSeeks, {.late_index = true});
}

}  // namespace
}  // namespace pmproof::replay::emulation
