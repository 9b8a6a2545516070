// SPDX-License-Identifier: Apache-2.0
// All archives of up to four records (generators/enumerate.h): through the whole check, where what
// is to be found is worked out from the name alone, by the rules' words in section 14; and as a
// reader sees them.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "generators/enumerate.h"
#include "generators/transform.h"
#include "reference/archive/storage.h"
#include "validator/check/check.h"
#include "validator/tests/properties/reading.h"

namespace pmproof::validator {
namespace {

using generators::EnumeratedArchives;
using generators::EnumeratedName;

std::set<std::string> Expected(std::string_view name) {
  const std::string_view letters = name.substr(3, name.find('-', 3) - 3);
  const std::string_view entries = name.substr(4 + letters.size());
  const bool values = letters.find_first_not_of('M') != std::string_view::npos;
  const bool domain_in_front = letters.front() == 'I' || letters.front() == 'B';

  std::set<std::string> rules;
  if (values) {
    rules = {"ARC-2008", "ARC-2009"};  // no archive here has a prologue or an epilogue
    // The domain has the time of the first record, and marks come without metadata (ARC-512).
    if (letters.front() == 'M') rules.insert("ARC-2005");
  } else {
    rules = {"ARC-1333", "ARC-2007"};
  }
  if (letters.front() == 'M' || letters.back() == 'M' || letters.find("MM") != letters.npos)
    rules.insert("ARC-1723");
  if (domain_in_front) rules.insert("ARC-1422");
  if (entries == "none") {
    rules.insert("ARC-1003");
  } else if (entries.find('1') == entries.npos) {
    rules.insert("ARC-1005");
  } else {
    if (entries.front() == '0') rules.insert("ARC-1921");
    // Marks need no entry (ARC-512): the last record with values counts.
    const std::size_t last = letters.find_last_not_of('M');
    if (values && entries.find('1', last) == entries.npos) rules.insert("ARC-1922");
  }
  return rules;
}

std::set<std::string> Found(const std::string& name, const Catalogue& catalogue) {
  archive::MemoryStorage storage;
  Encode(*generators::EnumeratedArchive(name)).Store("all/" + name, &storage);
  CheckOptions options;
  options.now = {1800000000, 0};
  const ArchiveReport report = CheckArchive(storage, "all/" + name, catalogue, options);
  std::set<std::string> rules;
  for (const Finding& finding : report.findings) rules.insert(finding.rule.ToString());
  for (const std::string& error : report.internal_errors) rules.insert("(" + error + ")");
  if (report.failure) rules.insert("(" + report.failure->ToText() + ")");
  EXPECT_EQ(report.readable, !rules.contains("ARC-1005")) << name;
  EXPECT_EQ(report.conformant, !rules.contains("ARC-1005") && !rules.contains("ARC-1921")) << name;
  return rules;
}

std::vector<std::string> Reading(const generators::ArchivePlan& plan) {
  archive::MemoryStorage storage;
  Encode(plan).Store("all/archive", &storage);
  return testing::ReadArchive(storage, "all/archive");
}

std::string LettersOf(const std::string& name) { return name.substr(3, name.find('-', 3) - 3); }

class EnumeratedArchivesTest : public ::testing::TestWithParam<std::size_t> {};

TEST_P(EnumeratedArchivesTest, EachHasTheFindingsThatItsNameImplies) {
  const auto catalogue = Catalogue::Shipped();
  int failures = 0;
  for (std::uint64_t i = EnumeratedArchives(GetParam() - 1); i < EnumeratedArchives(GetParam());
       ++i) {
    const std::string name = EnumeratedName(i);
    const std::set<std::string> found = Found(name, catalogue);
    EXPECT_EQ(found, Expected(name)) << name;
    failures += found == Expected(name) ? 0 : 1;
    ASSERT_LT(failures, 10) << "and so on";
  }
}

// Whatever the index is like, and in both versions.
TEST_P(EnumeratedArchivesTest, AReaderSeesTheLettersOfTheNameAndNothingElse) {
  std::map<std::string, std::vector<std::string>> seen;  // by letters
  std::set<std::vector<std::string>> different;
  for (std::uint64_t i = EnumeratedArchives(GetParam() - 1); i < EnumeratedArchives(GetParam());
       ++i) {
    const std::string name = EnumeratedName(i);
    const std::vector<std::string> reading = Reading(*generators::EnumeratedArchive(name));
    for (const std::string& line : reading) ASSERT_NE(line[0], '!') << name << ": " << line;
    const auto [found, first] = seen.emplace(LettersOf(name), reading);
    const bool alike = first && !different.insert(reading).second;
    EXPECT_FALSE(alike) << name << " is read like one of other letters";
    ASSERT_EQ(found->second, reading) << name;
  }
}

// In every division into volumes, with an index of every density, and as version 3.
TEST_P(EnumeratedArchivesTest, AReaderSeesTheSameInEveryForm) {
  for (std::uint64_t i = EnumeratedArchives(GetParam() - 1); i < EnumeratedArchives(GetParam());
       ++i) {
    const std::string name = EnumeratedName(i);
    if (!name.ends_with("-none")) continue;
    const generators::ArchivePlan plan = *generators::EnumeratedArchive(name);
    const std::vector<std::string> reading = Reading(plan);
    for (std::uint32_t division = 0; division < 1U << GetParam(); ++division) {
      std::set<std::size_t> starts;
      for (std::size_t k = 0; k < GetParam(); ++k) {
        if ((division >> k & 1) != 0) starts.insert(k);
      }
      const generators::ArchivePlan split = SplitIntoVolumes(plan, starts);
      ASSERT_EQ(Reading(split), reading) << name << ", division " << division;
      ASSERT_EQ(Encode(MergeVolumes(split)).files, Encode(plan).files) << name;
    }
    for (std::size_t step = 0; step <= GetParam(); ++step)
      ASSERT_EQ(Reading(IndexEvery(plan, step)), reading) << name << ", every " << step;
    const auto three = ToVersion(plan, 3);
    ASSERT_TRUE(three) << name;
    ASSERT_EQ(Reading(*three), reading) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Records, EnumeratedArchivesTest,
                         ::testing::Range<std::size_t>(1, generators::kMostEnumeratedRecords + 1),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace pmproof::validator
