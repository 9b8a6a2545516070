// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/label_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "reference/core/json_cursor.h"

namespace pmproof::archive {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The labels of a JSON text as "outer.name=value@depth".
std::vector<std::string> LabelsOf(const std::string& json) {
  std::array<JsonLabel, 16> labels;
  const JsonScan scan = ScanLabelJson(json, labels);
  EXPECT_FALSE(scan.error) << scan.error->message << " at " << scan.error->offset;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < scan.count; ++i) {
    const JsonLabel& label = labels[i];
    texts.push_back(std::string(label.Outer(json)) + (label.nested() ? "." : "") +
                    std::string(label.Name(json)) + "=" +
                    json.substr(label.value_offset, label.value_length));
  }
  return texts;
}

std::optional<std::size_t> ErrorAt(const std::string& json) {
  std::array<JsonLabel, 16> labels;
  const JsonScan scan = ScanLabelJson(json, labels);
  if (!scan.error) return std::nullopt;
  return scan.error->offset;
}

TEST(LabelJson, FindsNamesAndCompleteValues) {
  EXPECT_THAT(LabelsOf(R"({"a":1,"b":"x"})"), ElementsAre("a=1", "b=\"x\""));
}

TEST(LabelJson, KeepsValuesByteForByte) {
  EXPECT_THAT(LabelsOf(R"({"a":1.50e3,"b":"\u0041","c":-0,"d":null,"e":true,"f":false})"),
              ElementsAre("a=1.50e3", R"(b="\u0041")", "c=-0", "d=null", "e=true", "f=false"));
}

TEST(LabelJson, AnEmptyObjectHasNoLabels) { EXPECT_THAT(LabelsOf("{}"), IsEmpty()); }

TEST(LabelJson, NestedNamesAreKnownByTheOutermostAndTheirOwn) {
  EXPECT_THAT(LabelsOf(R"({"a":{"b":1,"c":{"d":"e"}}})"), ElementsAre("a.b=1", "a.d=\"e\""));
}

TEST(LabelJson, AnEmptyObjectIsAValue) {
  EXPECT_THAT(LabelsOf(R"({"a":{}})"), ElementsAre("a={}"));
}

TEST(LabelJson, ObjectsInArraysAreNested) {
  EXPECT_THAT(LabelsOf(R"({"a":[{"b":1}]})"), ElementsAre("a.b=1"));
}

TEST(LabelJson, AnArrayWithoutObjectsIsAValue) {
  EXPECT_THAT(LabelsOf(R"({"a":[1,"]",[2]],"b":3})"), ElementsAre(R"(a=[1,"]",[2]])", "b=3"));
}

TEST(LabelJson, KeepsDuplicateNames) {
  EXPECT_THAT(LabelsOf(R"({"a":1,"a":2})"), ElementsAre("a=1", "a=2"));
}

TEST(LabelJson, AnEscapedQuoteDoesNotEndAString) {
  EXPECT_THAT(LabelsOf(R"({"a":"x\"y\\"})"), ElementsAre(R"(a="x\"y\\")"));
}

TEST(LabelJson, TellsBlanksOutsideStrings) {
  std::array<JsonLabel, 16> labels;
  EXPECT_EQ(ScanLabelJson(R"({"a": 1})", labels).blank, 5U);
  EXPECT_EQ(ScanLabelJson(R"({"a":" 1 "})", labels).blank, std::nullopt);
}

TEST(LabelJson, TellsOuterNamesThatAreNoLabelNames) {
  std::array<JsonLabel, 16> labels;
  EXPECT_EQ(ScanLabelJson(R"({"a b":{"c":1}})", labels).outer_name, 2U);
  EXPECT_EQ(ScanLabelJson(R"({"a b":1})", labels).outer_name, std::nullopt);
}

TEST(LabelJson, CountsBeyondTheRoomThatItIsGiven) {
  std::array<JsonLabel, 2> labels;
  EXPECT_EQ(ScanLabelJson(R"({"a":1,"b":2,"c":3})", labels).count, 3U);
}

TEST(LabelJson, SaysWhereMalformedTextIs) {
  EXPECT_EQ(ErrorAt(""), 0U);
  EXPECT_EQ(ErrorAt("[1]"), 0U);
  EXPECT_EQ(ErrorAt(R"({"a":1)"), 6U);
  EXPECT_EQ(ErrorAt(R"({"a":1,"b":x)"), 11U);
  EXPECT_EQ(ErrorAt(R"({"a":1}})"), 7U);
  EXPECT_EQ(ErrorAt(R"({"a":1,})"), 7U);
  EXPECT_EQ(ErrorAt(R"({a:1})"), 1U);
  EXPECT_EQ(ErrorAt(R"({"a":01})"), 6U);
  EXPECT_EQ(ErrorAt(R"({"a":1.})"), 7U);
  EXPECT_EQ(ErrorAt(R"({"a":"\x"})"), 7U);
  EXPECT_EQ(ErrorAt(R"({"a":"\u00g0"})"), 10U);
  EXPECT_EQ(ErrorAt(R"({"a":trux})"), 8U);
  EXPECT_EQ(ErrorAt("{\"a\":\"\n\"}"), 6U);
  EXPECT_EQ(ErrorAt("{\"a\":\"\xff\"}"), 6U);
  EXPECT_EQ(ErrorAt("{\"a\":\"\xc3\"}"), 6U);
  EXPECT_EQ(ErrorAt(R"({"a":"b)"), 7U);
}

TEST(LabelJson, DeepNestingIsAnErrorAndNoRecursion) {
  const std::string deep = "{\"a\":" + std::string(60000, '[');
  EXPECT_EQ(ErrorAt(deep), 5 + kMaxJsonDepth - 1);
}

TEST(LabelJson, NestingUpToTheBoundIsRight) {
  const std::size_t arrays = kMaxJsonDepth - 1;
  EXPECT_EQ(ErrorAt("{\"a\":" + std::string(arrays, '[') + std::string(arrays, ']') + "}"),
            std::nullopt);
}

TEST(LabelJson, NamesAreLettersDigitsAndUnderscores) {
  EXPECT_TRUE(IsLabelName("a_B9"));
  EXPECT_TRUE(IsLabelName(std::string(254, 'a')));
  EXPECT_FALSE(IsLabelName(std::string(255, 'a')));
  EXPECT_FALSE(IsLabelName(""));
  EXPECT_FALSE(IsLabelName("a.b"));
  EXPECT_FALSE(IsLabelName("\xc3\xa9"));
}

}  // namespace
}  // namespace pmproof::archive
