// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/series_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace pmproof::validator {
namespace {

using Words = std::vector<std::uint32_t>;

// A state with those instances, which have the values 1000, 1001 and so on.
SeriesState With(const Words& words) {
  SeriesState state;
  state.Reslot(words, true, true);
  for (std::size_t i = 0; i < words.size(); ++i) state.keys()[i] = 1000 + i;
  return state;
}

// What each instance's value is to be in a set that comes after: that of the first of its name.
std::vector<CounterKey> Expected(const Words& before, const Words& words) {
  std::vector<CounterKey> keys;
  for (const std::uint32_t word : words) {
    const auto found = std::ranges::find(before, word);
    keys.push_back(found == before.end() ? 0
                                         : 1000 + static_cast<CounterKey>(found - before.begin()));
  }
  return keys;
}

Words UpTo(std::uint32_t count) {
  Words words;
  for (std::uint32_t i = 0; i < count; ++i) words.push_back(10 * i);
  return words;
}

void Check(const Words& before, const Words& words, bool distinct) {
  SeriesState state = With(before);
  state.Reslot(words, true, distinct);
  ASSERT_EQ(state.keys(), Expected(before, words));
  ASSERT_EQ(state.words(), words);
}

TEST(SeriesStateTest, ValuesGoWithInstancesThatStay) {
  const Words before = UpTo(200);
  for (std::size_t at = 0; at < before.size(); ++at) {
    const auto here = static_cast<std::ptrdiff_t>(at);
    Words gone = before;
    gone.erase(gone.begin() + here, gone.begin() + std::min<std::ptrdiff_t>(here + 9, 200));
    Check(before, gone, true);
    Check(gone, before, true);
    Words renamed = before;
    renamed[at] = 7;
    Check(before, renamed, true);
    Words turned = before;
    std::rotate(turned.begin(), turned.begin() + here, turned.end());
    Check(before, turned, true);
  }
}

TEST(SeriesStateTest, OfInstancesThatAreOneTwiceTheFirstValueGoesOn) {
  Words before = UpTo(100);
  before[40] = before[20];
  before[42] = before[41];
  Check(before, before, false);
  Check(before, UpTo(100), false);
}

TEST(SeriesStateTest, AnInstanceOfTheNewSetThatIsThereTwiceHasTheValueTwice) {
  Words words = UpTo(100);
  words[50] = words[49];
  words[99] = words[0];
  Check(UpTo(100), words, true);
}

// More that are new than are looked for one by one.
TEST(SeriesStateTest, ManyNewInstancesHaveNoValue) {
  Words words = UpTo(100);
  for (std::size_t i = 0; i < words.size(); i += 3) words[i] += 1;
  Check(UpTo(100), words, true);
  std::ranges::reverse(words);
  Check(UpTo(100), words, true);
}

TEST(SeriesStateTest, ValuesOfWhatIsNoCounterAreNotKept) {
  SeriesState state;
  state.Reslot(UpTo(3), false, true);
  EXPECT_TRUE(state.keys().empty());
  EXPECT_EQ(state.words(), UpTo(3));
}

RC_GTEST_PROP(SeriesStateProperty, ValuesAreThoseOfTheFirstInstanceWithThatNumber, ()) {
  const auto range = *rc::gen::element<std::uint32_t>(10, 100, 1000);
  const auto any = rc::gen::container<Words>(rc::gen::inRange<std::uint32_t>(0, range));
  const Words before = *any;
  Words words = before;
  const auto changes = *rc::gen::inRange<std::size_t>(0, 12);
  for (std::size_t k = 0; k < changes && !words.empty(); ++k) {
    const auto at = *rc::gen::inRange<std::size_t>(0, words.size());
    const auto here = words.begin() + static_cast<std::ptrdiff_t>(at);
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        words.erase(here);
        break;
      case 1:
        words.insert(here, *rc::gen::inRange<std::uint32_t>(0, range));
        break;
      default:
        std::swap(*here, words.front());
    }
  }
  Words sorted = before;
  std::ranges::sort(sorted);
  const bool distinct = std::ranges::adjacent_find(sorted) == sorted.end();
  Check(before, words, distinct);
  Check(before, *any, false);
}

}  // namespace
}  // namespace pmproof::validator
