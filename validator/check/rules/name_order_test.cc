// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/name_order.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

namespace pmproof::validator {
namespace {

// The order byte by byte: the end, the dot, then all other bytes.
bool ComesBefore(const PlacedName& a, const PlacedName& b) {
  const auto symbols = [](std::string_view text) {
    std::vector<int> list;
    for (const char c : text) list.push_back(c == '.' ? -1 : static_cast<unsigned char>(c));
    return list;
  };
  return std::tuple(symbols(a.text), a.desc, a.offset) <
         std::tuple(symbols(b.text), b.desc, b.offset);
}

// Of three descriptors, so that equal names differ in either part of their place.
std::vector<PlacedName> Placed(const std::vector<std::string>& texts) {
  std::vector<PlacedName> names;
  for (std::uint32_t i = 0; i < texts.size(); ++i) names.push_back({texts[i], i % 3, i});
  return names;
}

std::vector<std::uint32_t> Offsets(const std::vector<PlacedName>& names) {
  std::vector<std::uint32_t> offsets;
  for (const PlacedName& name : names) offsets.push_back(name.offset);
  return offsets;
}

std::vector<std::uint32_t> Sorted(const std::vector<std::string>& texts) {
  std::vector<PlacedName> names = Placed(texts);
  SortNames(&names);
  return Offsets(names);
}

TEST(SortNames, PutsWhatIsBelowANameAfterIt) {
  EXPECT_EQ(Sorted({"a-b", "a.b.c", "a.b", "a.b-c", "a"}),
            (std::vector<std::uint32_t>{4, 2, 1, 3, 0}));
}

TEST(SortNames, PutsEqualNamesInTheOrderOfTheirPlaces) {
  EXPECT_EQ(Sorted({"twice.the.same", "twice.the.same", "b", "twice.the.same"}),
            (std::vector<std::uint32_t>{2, 0, 3, 1}));
}

TEST(SortNames, TellsAllBytesAndEndsApartAtEachPlace) {
  for (std::size_t size = 0; size < 24; ++size) {
    const std::string beginning(size, 'm');
    std::vector<std::string> texts{beginning};
    for (int byte = 255; byte >= 0; --byte) {
      texts.push_back(beginning + static_cast<char>(byte));
      texts.push_back(beginning + static_cast<char>(byte) + ".x");
    }
    std::vector<PlacedName> expected = Placed(texts);
    std::sort(expected.begin(), expected.end(), ComesBefore);
    ASSERT_EQ(Sorted(texts), Offsets(expected)) << size;
  }
}

RC_GTEST_PROP(SortNames, IsTheOrderOfSymbols, ()) {
  const auto byte = rc::gen::oneOf(rc::gen::element('a', '.', '-'), rc::gen::arbitrary<char>());
  const auto endings =
      *rc::gen::container<std::vector<std::string>>(rc::gen::container<std::string>(byte));
  const auto size = *rc::gen::inRange<std::size_t>(0, 40);
  std::vector<std::string> texts;
  for (const std::string& ending : endings) texts.push_back(std::string(size, 'x') + ending);
  std::vector<PlacedName> expected = Placed(texts);
  std::sort(expected.begin(), expected.end(), ComesBefore);
  RC_ASSERT(Sorted(texts) == Offsets(expected));
}

}  // namespace
}  // namespace pmproof::validator
