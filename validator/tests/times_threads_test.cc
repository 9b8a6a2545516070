// SPDX-License-Identifier: Apache-2.0
// Several threads note the times of records, and what runs of them come to. Whatever times these
// have, on their own, against the index and against .meta, the report is that of one thread.

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "validator/tests/checked_archive.h"
#include "validator/tests/shown_report.h"

namespace pmproof::validator::testing {
namespace {

using archive::ResultModel;
using ::testing::Contains;
using ::testing::IsSubsetOf;
using ::testing::StartsWith;

constexpr std::size_t kRecords = 1500;
constexpr std::int64_t kStep = 10;  // seconds

class TimesThreadsTest : public CheckedArchive {
 protected:
  TimesThreadsTest() {
    options.now = At(1'000'000'000);
    options.max_findings = 10'000;
    // Short records of two kinds, one with instances.
    for (ResultModel& record : plan.volumes[0]) {
      std::erase_if(record.sets, [](const auto& set) {
        return set.pmid != Pmid::Of(29, 0, 2) && set.pmid != Pmid::Of(29, 0, 6);
      });
    }
    base_ = plan;
  }

  std::size_t Pick(std::size_t count) { return random_() % count; }
  bool OneIn(std::size_t count) { return Pick(count) == 0; }

  // Records of the base archive again and again, mostly a step apart.
  void MakeRecords(std::size_t count = kRecords) {
    plan = base_;
    std::vector<ResultModel>& records = plan.volumes[0];
    records = {base_.volumes[0].front()};
    std::int64_t at = 0;
    const std::size_t marks = OneIn(2) ? 30 : count;  // one for so many records
    while (records.size() < count) {
      records.push_back(base_.volumes[0][1 + Pick(2)]);
      if (OneIn(3)) records.back().sets.resize(1);
      at += OneIn(100) ? 40 * kStep : kStep;
      records.back().time = At(at, static_cast<std::int32_t>(1000 * Pick(1000)));
      if (OneIn(marks)) {
        records.push_back({records.back().time + 1'000'000, {}});
        if (OneIn(3)) records.back().time.seconds += 2 * kStep;  // ARC-1724
      }
    }
    records.resize(count);
  }

  // An index entry for each 30th record or so, or fewer, and an instance domain for each 200th.
  void DescribeThem() {
    plan.index.clear();
    const std::size_t apart = OneIn(3) ? 60 : 600;
    for (std::size_t k = 0; k < kRecords; k += 1 + Pick(apart))
      plan.index.push_back({Result(k).time, 0, plan.meta.size(), k});
    for (std::size_t k = 100; k < kRecords; k += 1 + Pick(400)) {
      archive::IndomModel domain = FirstIndom();
      domain.time = Result(k).time;
      if (OneIn(3)) domain.time.seconds += 3;  // ARC-2005
      plan.meta.emplace_back(domain);
    }
  }

  void BreakOne() {
    const std::size_t k = 1 + Pick(kRecords - 1);
    ResultModel& record = Result(k);
    generators::PlannedIndexEntry& entry = plan.index[Pick(plan.index.size())];
    switch (Pick(10)) {
      case 0:
        record.time = Result(k - 1).time;  // ARC-1721
        break;
      case 1:
        record.time = Result(Pick(k)).time;  // ARC-1720
        break;
      case 2:
        record.time = Result(Pick(kRecords)).time;
        break;
      case 3:
        record.time = At(-5);  // ARC-1719
        break;
      case 4:
        record.time.nanoseconds = 2'000'000'000;  // ARC-1718
        break;
      case 5:
        record.time = At(600'000'000 + static_cast<std::int64_t>(k));  // ARC-1226
        break;
      case 6:
        record.sets.clear();                       // a mark, ...
        if (OneIn(2)) Result(k - 1).sets.clear();  // ... or two: ARC-1723
        break;
      case 7:
        entry.time.seconds += static_cast<std::int64_t>(Pick(80)) - 40;  // ARC-1918
        break;
      case 8:
        entry.data_record = Pick(kRecords);
        break;
      default:
        for (std::size_t i = k; i < kRecords; ++i) Result(i).time.seconds += 1000;  // ARC-2010
        break;
    }
  }

  std::vector<std::string> Found(unsigned jobs, std::size_t stretch) {
    archive::MemoryStorage files;
    image().Store("base", &files);
    CheckOptions how = options;
    how.jobs = jobs;
    how.stretch = stretch;
    const ArchiveReport report = CheckArchive(files, "base", catalogue(), how);
    std::vector<std::string> found = Shown(report);
    found.push_back("from " + ToEpochText(report.summary.start.value()));
    found.push_back("to " + ToEpochText(report.summary.finish.value()));
    return found;
  }

  std::mt19937_64 random_{7};
  generators::ArchivePlan base_;
};
INSTANTIATE_TEST_SUITE_P(Versions, TimesThreadsTest, ::testing::Values(2, 3), VersionName);

TEST_P(TimesThreadsTest, AreFoundAsByOne) {
  std::set<std::string> rules;
  for (int round = 0; round < 100; ++round) {
    Reset();
    MakeRecords();
    DescribeThem();
    for (int damages = round % 6; damages > 0; --damages) BreakOne();
    const std::vector<std::string> found = Found(1, 1'000'000);
    for (const std::size_t stretch : {5'000U, 20'000U, 50'000U})
      ASSERT_EQ(Found(3, stretch), found) << "round " << round << ", stretches of " << stretch;
    for (const std::string& line : found) rules.insert(line.substr(0, 8));
  }
  EXPECT_THAT(std::vector<std::string>({"ARC-1718", "ARC-1719", "ARC-1720", "ARC-1721", "ARC-1723",
                                        "ARC-1918", "ARC-1919", "ARC-2005", "ARC-2010"}),
              IsSubsetOf(std::vector<std::string>(rules.begin(), rules.end())));
}

// ARC-1925: the distance counts that is left without the longest record.
TEST_P(TimesThreadsTest, AreFoundAsByOneFarFromEntries) {
  MakeRecords(4 * kRecords);
  std::vector<archive::ValueSetModel>& many = Result(4 * kRecords - 300).sets;
  for (std::uint32_t item = 100; item < 300; ++item)
    many.push_back({Pmid::Of(29, 0, item), archive::kInsitu, {{kInstanceNull, 1U}}, 0});
  const std::vector<std::size_t> places = image().Records("0");
  const std::size_t end = image().files.at("0").size();
  for (const std::size_t distance : {201'000U, 210'000U}) {
    const auto after = std::upper_bound(places.begin(), places.end(), end - distance);
    const auto last = static_cast<std::size_t>(after - places.begin()) - 2;
    plan.index.clear();
    for (std::size_t k = 0; k <= last;
         k += k + 500 < last ? 500 : std::max(last - k, std::size_t{1}))
      plan.index.push_back({Result(k).time, 0, plan.meta.size(), k});
    Reset();
    const std::vector<std::string> found = Found(1, 1'000'000);
    const auto reported = Contains(StartsWith("ARC-1925"));
    EXPECT_EQ(::testing::Matches(reported)(found), distance == 210'000) << distance;
    EXPECT_EQ(Found(3, 50'000), found);
  }
}

}  // namespace
}  // namespace pmproof::validator::testing
