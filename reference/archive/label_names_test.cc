// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/label_names.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <string>

#include "reference/archive/label_json.h"

namespace pmproof::archive {
namespace {

TEST(LabelNames, NamesOfDifferentObjectsAreNotRepeated) {  // ARC-1528
  for (const char* const json :
       {"{}", R"({"a":{"a":{"a":1}}})", R"({"a":{"b":1},"c":{"b":2},"b":3})",
        R"({"a":[{"b":1},{"b":2}]})", R"({"a":"a","b":["a","a",{"c":"c"}]})"}) {
    EXPECT_FALSE(FindRepeatedName(json)) << json;
  }
}

TEST(LabelNames, TheSecondNameIsFoundAtEachLevel) {
  EXPECT_EQ(FindRepeatedName(R"({"a":{"b":1},"a":{"c":2}})"), 14U);
  EXPECT_EQ(FindRepeatedName(R"({"a":1,"a":{"b":2}})"), 8U);
  EXPECT_EQ(FindRepeatedName(R"({"a":{"b":2},"a":1})"), 14U);
  EXPECT_EQ(FindRepeatedName(R"({"a":{"x":{"b":1,"b":2}}})"), 18U);
  EXPECT_EQ(FindRepeatedName(R"({"a":{"x":{"b":1},"x":{"c":2}}})"), 19U);
  EXPECT_EQ(FindRepeatedName(R"({"a":[{"b":{"d":1},"c":2,"b":3}]})"), 26U);
  EXPECT_EQ(FindRepeatedName(R"({ "a" : [{"b":1}] , "a" : [] })"), 21U);
}

TEST(LabelNames, TheFirstOfSeveralIsFound) {
  EXPECT_EQ(FindRepeatedName(R"({"z":{"b":1},"z":{"c":2},"a":{"d":1},"a":1})"), 14U);
}

TEST(LabelNames, WhatTheEntriesShowIsLeftOut) {  // ARC-1511
  EXPECT_FALSE(FindRepeatedName(R"({"a":1,"a":2})"));
  EXPECT_FALSE(FindRepeatedName(R"({"a":{"b":1,"b":2}})"));
  EXPECT_FALSE(FindRepeatedName(R"({"a":{},"a":[]})"));
}

// As it may be where the file changes between two passes.
RC_GTEST_PROP(LabelNames, AnyTextHasAnEnd, ()) {
  const auto json = *rc::gen::container<std::string>(
      rc::gen::element('{', '}', '[', ']', '"', ':', ',', 'a', '1', '\\', ' ', '\0'));
  const auto at = FindRepeatedName(json);
  RC_ASSERT(!at || *at < json.size());
}

TEST(LabelNames, AsManyAsFitAreFoundAtOnce) {
  std::string json = "{\"o\":{";
  while (json.size() < 65000) json += "\"x\":{},";
  json += "\"x\":{\"y\":1}}}";
  EXPECT_EQ(FindRepeatedName(json), json.size() - 12);
}

}  // namespace
}  // namespace pmproof::archive
