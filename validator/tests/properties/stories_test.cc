// SPDX-License-Identifier: Apache-2.0
// Composed stories through the whole check.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <string>
#include <variant>

#include "generators/arbitrary/arbitrary_story.h"
#include "generators/story/composer.h"
#include "validator/tests/properties/found.h"
#include "validator/tests/properties/reading.h"

namespace pmproof::validator::testing {
namespace {

using generators::Compose;
using generators::Counting;
using generators::Story;

// What story.h says that a story brings on.
std::set<std::string> BroughtOn(const Story& story) {
  std::set<std::string> rules;
  if (!story.setup.logger) rules = {"ARC-2008", "ARC-2009"};
  if (story.setup.start.seconds > 0x7fff0000) rules.insert("ARC-1226");
  for (const generators::MetricSetup& metric : story.setup.metrics) {
    if (metric.valueless) rules.insert({"ARC-1832", "ARC-1833", "ARC-2007"});
  }
  for (const generators::Step& step : story.steps) {
    if (const auto* sample = std::get_if<generators::Sample>(&step)) {
      // 2004 as the first of a volume, 1908 and 1920 with an index entry, 1527 with a first value.
      if (sample->back) rules.insert({"ARC-1720", "ARC-2004", "ARC-1908", "ARC-1920", "ARC-1527"});
      for (const generators::Reading& reading : sample->readings) {
        for (const generators::Value& value : reading.values) {
          if (value.counting != Counting::kAdd) rules.insert("ARC-1825");
        }
      }
    } else if (const auto* mark = std::get_if<generators::Mark>(&step)) {
      // One in front of all has neither metadata nor an index entry.
      if (mark->anywhere) rules.insert({"ARC-1723", "ARC-1527", "ARC-1921"});
    } else if (const auto* change = std::get_if<generators::DomainChange>(&step)) {
      if (change->kind == generators::DomainChange::Kind::kReplace) {
        // Its identifier may come back with another name (1424).
        rules.insert({"ARC-1424", "ARC-1425"});
      }
    } else if (std::holds_alternative<generators::Redefinition>(step)) {
      // Values are held against the first descriptor (1810); labels of the other domain are late.
      rules.insert(
          {"ARC-1310", "ARC-1311", "ARC-1312", "ARC-1313", "ARC-1314", "ARC-1810", "ARC-1527"});
    }
  }
  return rules;
}

std::set<std::string> Beyond(std::set<std::string> found, const std::set<std::string>& allowed) {
  for (const std::string& rule : allowed) found.erase(rule);
  return found;
}

RC_GTEST_PROP(StoriesTest, ASoundStoryHasNoFinding, ()) {
  const Story story = *generators::SoundStory();
  const auto unexpected = Beyond(RulesFound(Compose(story)), BroughtOn(story));
  RC_LOG() << Joined(unexpected);
  RC_ASSERT(unexpected.empty());
}

RC_GTEST_PROP(StoriesTest, AStoryHasNoFindingsButThoseThatItBringsOn, (const Story& story)) {
  const auto unexpected = Beyond(RulesFound(Compose(story)), BroughtOn(story));
  RC_LOG() << Joined(unexpected);
  RC_ASSERT(unexpected.empty());
}

RC_GTEST_PROP(StoriesTest, AStoryCanBeReadToItsEnd, (const Story& story)) {
  archive::MemoryStorage storage;
  const generators::ArchivePlan plan = Compose(story);
  Encode(plan).Store("dir/story", &storage);
  std::size_t records = 0;
  for (const auto& [part, results] : plan.volumes) records += results.size();
  std::size_t read = 0;
  for (const std::string& line : ReadArchive(storage, "dir/story")) {
    RC_LOG() << line << '\n';
    RC_ASSERT(line[0] != '!');
    read += line[0] == '-' || (line[0] >= '0' && line[0] <= '9') ? 1 : 0;
  }
  RC_ASSERT(read == records);
}

}  // namespace
}  // namespace pmproof::validator::testing
