// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/instance_domain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/model.h"
#include "reference/archive/testing/meta_record_bytes.h"

namespace pmproof::archive {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MetaRecordBytes;
using ::testing::Pair;
using State = std::map<std::int32_t, std::string>;

constexpr std::int64_t kT = 1700000000;
constexpr Indom kIndom = Indom::Of(29, 1);

// The records of one domain, decoded, with the bytes that they are views of.
class Records {
 public:
  Records& Full(std::int64_t seconds, std::vector<InstanceModel> instances) {
    return Add({{kT + seconds, 0}, kIndom, std::move(instances), false});
  }
  Records& Delta(std::int64_t seconds, std::vector<InstanceModel> changes) {
    return Add({{kT + seconds, 0}, kIndom, std::move(changes), true});
  }
  Records& Add(const IndomModel& model) {
    bytes_.emplace_back(model, 3);
    IgnoringReporter reporter;
    records_.push_back(DecodeIndom(bytes_.back().View(), 3, reporter).value());
    return *this;
  }
  InstanceDomain Domain() const {
    std::vector<const IndomRecord*> pointers;
    for (const IndomRecord& record : records_) pointers.push_back(&record);
    return InstanceDomain(pointers);
  }

 private:
  std::deque<MetaRecordBytes> bytes_;
  std::deque<IndomRecord> records_;
};

State StateOf(const InstanceCursor& cursor) {
  State state;
  cursor.ForEach([&](std::int32_t id, std::string_view name) { state[id] = name; });
  EXPECT_EQ(state.size(), cursor.size());
  return state;
}

State StateAt(const InstanceDomain& domain, std::int64_t seconds, std::int32_t nanoseconds = 0) {
  return StateOf(InstanceCursor(domain, {kT + seconds, nanoseconds}));
}

TEST(InstanceDomain, DoesNotExistBeforeItsFirstRecord) {
  Records records;
  records.Full(1, {{0, "a"}});
  const InstanceDomain domain = records.Domain();
  EXPECT_FALSE(InstanceCursor(domain).exists());
  EXPECT_FALSE(InstanceCursor(domain, {kT, 999'999'999}).exists());
  EXPECT_TRUE(InstanceCursor(domain, {kT + 1, 0}).exists());
  EXPECT_THAT(StateAt(domain, 0), IsEmpty());
}

TEST(InstanceDomain, ARecordReplacesTheWholeDomainFromItsTimeOn) {
  Records records;
  records.Full(0, {{0, "a"}, {1, "bc"}}).Full(1, {{0, "a"}, {2, "d"}});
  const InstanceDomain domain = records.Domain();
  EXPECT_THAT(StateAt(domain, 0, 999'999'999), ElementsAre(Pair(0, "a"), Pair(1, "bc")));
  EXPECT_THAT(StateAt(domain, 1), ElementsAre(Pair(0, "a"), Pair(2, "d")));
}

TEST(InstanceDomain, OrdersRecordsByTimeAndNotByTheFile) {
  Records records;
  records.Delta(3, {{1, std::nullopt}, {2, "c"}}).Full(0, {{0, "a"}, {1, "b"}});
  EXPECT_THAT(StateAt(records.Domain(), 3), ElementsAre(Pair(0, "a"), Pair(2, "c")));
}

TEST(InstanceDomain, OfRecordsWithOneTimeTheLastInTheFileWins) {
  Records records;
  records.Full(4, {{2, "first"}}).Full(4, {{2, "second"}});
  EXPECT_THAT(StateAt(records.Domain(), 4), ElementsAre(Pair(2, "second")));
}

TEST(InstanceDomain, ARecordWithoutInstancesLeavesThePreviousOnes) {
  Records records;
  records.Full(0, {{0, "a"}, {2, "c"}}).Full(4, {});
  EXPECT_THAT(StateAt(records.Domain(), 5), ElementsAre(Pair(0, "a"), Pair(2, "c")));
}

TEST(InstanceDomain, ARecordWithoutInstancesMakesNoDomain) {
  Records records;
  records.Full(0, {});
  EXPECT_FALSE(InstanceCursor(records.Domain(), {kT + 1, 0}).exists());
}

TEST(InstanceDomain, OfAnIdentifierThatOccursTwiceTheFirstCounts) {
  Records records;
  records.Full(0, {{2, "x"}, {1, "b"}, {2, "y"}});
  EXPECT_THAT(StateAt(records.Domain(), 0), ElementsAre(Pair(1, "b"), Pair(2, "x")));
}

TEST(InstanceDomain, ADeltaDeletesAndAdds) {
  Records records;
  records.Full(0, {{0, "a"}, {1, "b"}}).Delta(3, {{1, std::nullopt}, {2, "c"}});
  EXPECT_THAT(StateAt(records.Domain(), 3), ElementsAre(Pair(0, "a"), Pair(2, "c")));
}

TEST(InstanceDomain, AnInstanceThatIsAddedAgainKeepsItsName) {
  Records records;
  records.Full(0, {{0, "a"}}).Delta(3, {{0, "zzz"}});
  EXPECT_THAT(StateAt(records.Domain(), 3), ElementsAre(Pair(0, "a")));
}

TEST(InstanceDomain, DeleteAndAddInOneDeltaRenames) {
  Records records;
  records.Full(0, {{0, "a"}}).Delta(3, {{0, std::nullopt}, {0, "renamed"}});
  EXPECT_THAT(StateAt(records.Domain(), 3), ElementsAre(Pair(0, "renamed")));
}

TEST(InstanceDomain, DeletingWhatIsNotThereChangesNothing) {
  Records records;
  records.Full(0, {{0, "a"}, {1, "b"}}).Delta(3, {{9, std::nullopt}});
  EXPECT_THAT(StateAt(records.Domain(), 3), ElementsAre(Pair(0, "a"), Pair(1, "b")));
}

TEST(InstanceDomain, ADeltaWithoutAFullRecordAppliesToNothing) {
  Records records;
  records.Delta(3, {{1, std::nullopt}, {2, "c"}});
  EXPECT_THAT(StateAt(records.Domain(), 3), ElementsAre(Pair(2, "c")));
}

TEST(InstanceDomain, TimesWithTooManyNanosecondsAreOrderedByTheTimeThatTheyMean) {
  Records records;
  records.Add({{kT, 2'000'000'000}, kIndom, {{0, "late"}}, false}).Full(1, {{0, "early"}});
  EXPECT_THAT(StateAt(records.Domain(), 1), ElementsAre(Pair(0, "early")));
  EXPECT_THAT(StateAt(records.Domain(), 2), ElementsAre(Pair(0, "late")));
}

TEST(InstanceDomain, CollectsTheDomainsOfAnArchive) {
  const MetaRecordBytes one(IndomModel{{kT, 0}, kIndom, {{0, "a"}}, false}, 3);
  const MetaRecordBytes other(IndomModel{{kT, 0}, Indom::Of(29, 2), {{0, "b"}}, false}, 3);
  IgnoringReporter reporter;
  const std::vector<IndomRecord> records = {*DecodeIndom(one.View(), 3, reporter),
                                            *DecodeIndom(other.View(), 3, reporter)};
  const std::map<Indom, InstanceDomain> domains = CollectDomains(records);
  ASSERT_EQ(domains.size(), 2U);
  EXPECT_THAT(StateAt(domains.at(Indom::Of(29, 2)), 0), ElementsAre(Pair(0, "b")));
}

TEST(InstanceCursor, FindsInstancesByIdentifier) {
  Records records;
  records.Full(0, {{0, "a"}, {5, "b"}}).Delta(1, {{5, std::nullopt}, {7, "c"}});
  const InstanceDomain domain = records.Domain();
  InstanceCursor cursor(domain, {kT, 0});
  EXPECT_TRUE(cursor.Contains(5));
  EXPECT_EQ(cursor.Name(5), "b");
  EXPECT_FALSE(cursor.Contains(7));
  EXPECT_EQ(cursor.Name(7), std::nullopt);
  cursor.AdvanceTo({kT + 1, 0});
  EXPECT_FALSE(cursor.Contains(5));
  EXPECT_EQ(cursor.Name(7), "c");
  EXPECT_TRUE(cursor.Contains(0));
}

TEST(InstanceCursor, NeverMovesBack) {
  Records records;
  records.Full(0, {{0, "a"}}).Full(1, {{1, "b"}});
  const InstanceDomain domain = records.Domain();
  InstanceCursor cursor(domain, {kT + 1, 0});
  cursor.AdvanceTo({kT, 0});
  EXPECT_TRUE(cursor.Contains(1));
}

TEST(InstanceCursor, VersionChangesWithTheRecordsAndIsTheSameForEveryCursor) {
  Records records;
  records.Full(0, {{0, "a"}}).Delta(1, {{1, "b"}}).Delta(2, {{2, "c"}});
  const InstanceDomain domain = records.Domain();
  InstanceCursor cursor(domain);
  const std::size_t none = cursor.version();
  cursor.AdvanceTo({kT + 1, 0});
  const std::size_t second = cursor.version();
  EXPECT_NE(second, none);
  cursor.AdvanceTo({kT + 1, 5});
  EXPECT_EQ(cursor.version(), second);
  EXPECT_EQ(InstanceCursor(domain, {kT + 1, 7}).version(), second);
}

TEST(InstanceCursor, ManyDeltasToALargeDomainAreQuick) {
  std::vector<InstanceModel> instances;
  instances.reserve(100'000);
  for (std::int32_t i = 0; i < 100'000; ++i) instances.push_back({2 * i, "name"});
  Records records;
  records.Full(0, instances);
  constexpr int kDeltas = 100'000;
  for (int i = 1; i <= kDeltas; ++i)
    records.Delta(i, {{2 * i - 2, std::nullopt}, {2 * i - 1, "new"}});
  const InstanceDomain domain = records.Domain();
  InstanceCursor cursor(domain);
  for (int i = 1; i <= kDeltas; ++i) cursor.AdvanceTo({kT + i, 0});
  EXPECT_EQ(cursor.size(), 100'000U);
  EXPECT_TRUE(cursor.Contains(2 * kDeltas - 1));
  EXPECT_FALSE(cursor.Contains(2 * kDeltas - 2));
}

TEST(InstanceCursor, ADeltaOfManyToASmallDomainIsQuick) {
  constexpr std::int32_t kMany = 200'000;
  std::vector<InstanceModel> fresh;
  fresh.reserve(kMany);
  for (std::int32_t i = kMany; i > 0; --i) fresh.push_back({i, "new"});
  Records records;
  records.Full(0, {{0, "name"}});
  records.Delta(1, fresh);
  const InstanceDomain domain = records.Domain();
  InstanceCursor cursor(domain);
  const auto begin = std::chrono::steady_clock::now();
  cursor.AdvanceTo({kT + 1, 0});
  EXPECT_EQ(cursor.size(), static_cast<std::size_t>(kMany) + 1);
  EXPECT_TRUE(cursor.Contains(kMany));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(3));
}

// States of a domain over time, from a random walk: what is true at each second.
std::vector<State> RandomStates() {
  const int steps = *rc::gen::inRange(1, 12);
  std::vector<State> states;
  State state;
  for (int i = 0; i < steps; ++i) {
    for (std::int32_t id = 0; id < 6; ++id) {
      const int what = *rc::gen::inRange(0, 6);
      if (what == 0) state.erase(id);
      if (what == 1) state.try_emplace(id, "n" + std::to_string(*rc::gen::inRange(0, 4)));
      if (what == 2 && state.count(id) != 0)
        state[id] = "r" + std::to_string(*rc::gen::inRange(0, 4));
    }
    if (state.empty()) state[0] = "a";  // a domain cannot become empty (ARC-345)
    states.push_back(state);
  }
  return states;
}

std::vector<InstanceModel> AllOf(const State& state) {
  std::vector<InstanceModel> instances;
  for (const auto& [id, name] : state) instances.push_back({id, name});
  return instances;
}

std::vector<InstanceModel> ChangesBetween(const State& before, const State& after) {
  std::vector<InstanceModel> changes;
  for (std::int32_t id = 0; id < 6; ++id) {
    const auto was = before.find(id);
    const auto is = after.find(id);
    const bool same = was != before.end() && is != after.end() && was->second == is->second;
    if (was != before.end() && !same) changes.push_back({id, std::nullopt});
    if (is != after.end() && !same) changes.push_back({id, is->second});
  }
  return changes;
}

// Test idea 50.
RC_GTEST_PROP(InstanceDomainProperty, DeltasAndFullRecordsGiveEqualDomainsAtEveryTime, ()) {
  const std::vector<State> states = RandomStates();
  Records full;
  Records mixed;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto seconds = static_cast<std::int64_t>(2 * i);
    full.Full(seconds, AllOf(states[i]));
    if (i == 0 || *rc::gen::inRange(0, 4) == 0) {
      mixed.Full(seconds, AllOf(states[i]));
    } else {
      mixed.Delta(seconds, ChangesBetween(states[i - 1], states[i]));
    }
  }
  const InstanceDomain of_full = full.Domain();
  const InstanceDomain of_mixed = mixed.Domain();
  for (std::size_t i = 0; i < 2 * states.size(); ++i) {
    const auto seconds = static_cast<std::int64_t>(i);
    RC_ASSERT(StateAt(of_full, seconds) == states[i / 2]);
    RC_ASSERT(StateAt(of_mixed, seconds) == states[i / 2]);
  }
}

std::vector<std::uint32_t> LackingOf(const InstanceCursor& cursor,
                                     const std::vector<std::int32_t>& ids) {
  std::vector<std::uint32_t> lacking;
  cursor.ForEachLacking(
      static_cast<std::uint32_t>(ids.size()), [&](std::uint32_t i) { return ids[i]; },
      [&](std::uint32_t i) { lacking.push_back(i); });
  return lacking;
}

std::vector<std::uint32_t> AbsentFrom(const State& state, const std::vector<std::int32_t>& ids) {
  std::vector<std::uint32_t> absent;
  for (std::uint32_t i = 0; i < ids.size(); ++i) {
    if (!state.contains(ids[i])) absent.push_back(i);
  }
  return absent;
}

TEST(InstanceCursor, FindsThoseThatLackInTheOrderOfTheRecordAndInAnyOther) {
  Records records;
  std::vector<InstanceModel> instances;
  instances.reserve(50);
  for (std::int32_t k = 0; k < 50; ++k) instances.push_back({(k * 37) % 101, "n"});
  records.Full(0, instances);
  const InstanceDomain domain = records.Domain();
  const InstanceCursor cursor(domain, {kT, 0});
  std::vector<std::int32_t> ids;
  ids.reserve(instances.size());
  for (const InstanceModel& instance : instances) ids.push_back(instance.id);
  EXPECT_THAT(LackingOf(cursor, ids), IsEmpty());
  ids.insert(ids.begin() + 20, 1000);
  ids.push_back(-1);
  EXPECT_THAT(LackingOf(cursor, ids), ElementsAre(20, 51));
  std::sort(ids.begin(), ids.end());
  EXPECT_THAT(LackingOf(cursor, ids), ElementsAre(0, 51));
}

// Deltas at random, right or not, applied by a plain map.
RC_GTEST_PROP(InstanceDomainProperty, ForwardEqualsConstructionAtEachTimeWhateverTheDeltas, ()) {
  Records records;
  std::vector<State> expected;
  State state;
  const int steps = *rc::gen::inRange(1, 300);
  for (int i = 0; i < steps; ++i) {
    const bool is_full = *rc::gen::inRange(0, 40) == 0;
    std::vector<InstanceModel> entries;
    const int count = *rc::gen::inRange(1, 8);
    for (int k = 0; k < count; ++k) {
      const std::int32_t id = *rc::gen::inRange(0, 400);
      const bool deletion = !is_full && *rc::gen::inRange(0, 3) == 0;
      entries.push_back({id, deletion ? std::nullopt : std::optional("n" + std::to_string(i))});
    }
    if (is_full) state.clear();
    for (const InstanceModel& entry : entries) {
      if (entry.name) {
        state.try_emplace(entry.id, *entry.name);
      } else {
        state.erase(entry.id);
      }
    }
    expected.push_back(state);
    if (is_full) {
      records.Full(i, entries);
    } else {
      records.Delta(i, entries);
    }
  }
  const InstanceDomain domain = records.Domain();
  InstanceCursor forward(domain);
  const auto entered = *rc::gen::container<std::vector<std::int32_t>>(rc::gen::inRange(0, 400));
  for (int i = 0; i < steps; ++i) {
    const Timestamp time{kT + i, 0};
    forward.AdvanceTo(time);
    const InstanceCursor there(domain, time);
    const State& wanted = expected[static_cast<std::size_t>(i)];
    RC_ASSERT(forward.version() == there.version());
    RC_ASSERT(StateOf(forward) == wanted);
    RC_ASSERT(StateOf(there) == wanted);
    for (std::int32_t id = 0; id < 400; id += 7) {
      RC_ASSERT(forward.Contains(id) == (wanted.count(id) != 0));
    }
    RC_ASSERT(LackingOf(forward, entered) == AbsentFrom(wanted, entered));
  }
}

}  // namespace
}  // namespace pmproof::archive
