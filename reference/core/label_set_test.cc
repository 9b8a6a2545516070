// SPDX-License-Identifier: Apache-2.0
#include "reference/core/label_set.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace pmproof {
namespace {

constexpr auto kV63 = PcpVersion::k6_3_8;
constexpr auto kV72 = PcpVersion::k7_2;

// "JSON | PATH=VALUE ...", a nested label with a star; or the number of the error.
std::string Stored(std::string_view json, PcpVersion version = kV72) {
  const auto stored = ParseLabelSet(json, version);
  if (!stored) return std::to_string(static_cast<int>(stored.error()));
  std::string text = stored->json + " |";
  for (const IndexedLabel& label : stored->index) {
    text += ' ' + label.path + (label.compound ? "*" : "") + '=';
    text += stored->Value(label);
  }
  return text;
}

TEST(ParseLabelSet, KeepsTheOrderInTheTextAndSortsTheIndex) {  // MET-901
  EXPECT_EQ(Stored("{ \"b\" : 1 , \"a\" : \"x y\" }"), "{\"b\":1,\"a\":\"x y\"} | a=\"x y\" b=1");
  EXPECT_EQ(Stored("{\"B\":1,\"a\":2,\"A\":3,\"_\":4,\"a1\":5,\"a_\":6}"),
            "{\"B\":1,\"a\":2,\"A\":3,\"_\":4,\"a1\":5,\"a_\":6} | A=3 B=1 _=4 a=2 a1=5 a_=6");
}

TEST(ParseLabelSet, PointsAtNamesAndValues) {  // MET-901
  const auto stored = ParseLabelSet("{\"b\":1,\"a\":\"x y\"}", kV72);
  const IndexedLabel& a = stored->index[0];
  EXPECT_EQ(stored->json.substr(a.name_offset, a.name_length), "a");
  EXPECT_EQ(a.name_offset, 8U);
  EXPECT_EQ(a.value_offset, 11U);
  EXPECT_EQ(a.value_length, 5U);
}

TEST(ParseLabelSet, RefusesOrDropsBadNamesByVersion) {  // MET-902
  EXPECT_EQ(Stored("{\"a-b\":1,\"c\":2}", kV63), "-22");
  EXPECT_EQ(Stored("{\"a-b\":1,\"c\":2}", kV72), "{\"c\":2} | c=2");
  EXPECT_EQ(Stored("{\"c\":1,\"a-b\":{\"x\":1},\"d\":4}", kV72), "{\"c\":1,\"d\":4} | c=1 d=4");
  EXPECT_EQ(Stored("{\"1a\":1}", kV63), "-22");
  EXPECT_EQ(Stored("{\"_a\":1}", kV63), "-22");
  EXPECT_EQ(Stored("{\"1a\":1}", kV72), "{\"1a\":1} | 1a=1");
  EXPECT_EQ(Stored("{\"a-b\":1}", kV72), "-22");  // nothing is left
  EXPECT_EQ(Stored("{\"\":1,\"b\":1}", kV72), "{\"b\":1} | b=1");
  const std::string longest(254, 'n');
  EXPECT_EQ(ParseLabelSet("{\"" + longest + "\":1}", kV63)->index.size(), 1U);
  EXPECT_EQ(Stored("{\"" + longest + "n\":1}", kV63), "-7");
  EXPECT_EQ(Stored("{\"" + longest + "n\":1}", kV72), "-22");
}

TEST(ParseLabelSet, KeepsValuesByteForByte) {  // MET-903
  for (const char* value : {"1.50e3", "-0", "null", "true", "\"\\u0041\"", "\"\xc3\xa9\"",
                            "\"\xff\"", "[]", "[1,\"x y\"]", "\"b\\\"c\""}) {
    const std::string json = std::string("{\"a\":") + value + "}";
    EXPECT_EQ(Stored(json), json + " | a=" + value);
  }
}

TEST(ParseLabelSet, RefusesDuplicatesAndWhatIsNoJson) {  // MET-904
  for (const char* json :
       {"{\"a\":1,\"a\":2}", "{\"a\":1}x", "{\"a\":1,}", "{a:1}", "{'a':1}", "{\"a\":trx}",
        "{\"a\":01}", "{\"a\":.5}", "{\"a\":1 2}", "{\"a\" 1}", "{\"a\":\"x\ny\"}", "\"x\"", "x",
        "{\"a\":1]", "{\"a\":{\"b\":1,\"b\":2}}", "{\"a\":{\"b\":1},\"a\":2}",
        "{\"a\":1,\"ab\":{\"c\":2}}"}) {
    EXPECT_EQ(Stored(json), "-22") << json;
  }
}

TEST(ParseLabelSet, HasNoLabelsWhereThereAreNone) {  // MET-904
  for (const char* json :
       {"", " ", "{}", "[1]", "null", "1", "{", "{\"a", "{\"a\":", "{\"a\":1", "{\"a\":tru"}) {
    EXPECT_EQ(Stored(json), " |") << json;
  }
}

TEST(ParseLabelSet, FlattensNestedObjects) {  // MET-905
  EXPECT_EQ(Stored("{\"a\":{\"b\":1,\"c\":{\"d\":\"e\"}}}"),
            "{\"a\":{\"b\":1,\"c\":{\"d\":\"e\"}}} | a.b*=1 a.d*=\"e\"");
  EXPECT_EQ(Stored("{\"a\":{}}"), "{\"a\":{}} | a*={}");
  EXPECT_EQ(Stored("{\"a\":[{\"b\":1}]}"), "{\"a\":[{\"b\":1}]} | a.b*=1");
  EXPECT_EQ(Stored("{\"a\":{\"b-c\":1},\"d\":1}"), "{\"a\":{},\"d\":1} | a*={} d=1");
  EXPECT_EQ(Stored("{\"a.b\":1}"), "-22");
}

TEST(ParseLabelSet, PointsBesideAnArrayWithBlanks) {  // MET-906
  const auto stored = ParseLabelSet("{\"z\":0,\"a\":[ 1 , 2 ],\"b\":3}", kV72);
  EXPECT_EQ(stored->json, "{\"z\":0,\"a\":[1,2],\"b\":3}");
  EXPECT_EQ(stored->index[0].value_offset, 7U);
  EXPECT_EQ(stored->index[0].value_length, 9U);
  EXPECT_EQ(stored->Value(stored->index[1]), "3");
}

std::string Many(int count) {
  std::string json = "{";
  for (int i = 0; i < count; ++i) {
    json += (i > 0 ? "," : "") + std::string("\"n") + std::to_string(i) + "\":1";
  }
  return json + "}";
}

TEST(ParseLabelSet, HasAtMost255Labels) {  // MET-907
  EXPECT_EQ(ParseLabelSet(Many(255), kV72)->index.size(), 255U);
  EXPECT_EQ(Stored(Many(256)), "-7");
  EXPECT_EQ(Stored("{\"a\":\"" + std::string(66000, 'x') + "\"}"), "-7");
}

TEST(ParseLabelSet, IsNotLostInDepth) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "{\"a\":";
  EXPECT_EQ(Stored(deep), "-22");
  EXPECT_EQ(Stored("{\"a\":" + std::string(100'000, '[')), "-22");
}

std::string Merged(const std::vector<std::string>& sets, PcpVersion version = kV72) {
  const std::vector<std::optional<std::string_view>> views(sets.begin(), sets.end());
  const auto merged = MergeLabelSets(views, version);
  return merged ? *merged : std::to_string(static_cast<int>(merged.error()));
}

TEST(MergeLabelSets, LetsTheHigherSetWin) {  // MET-921, MET-922
  EXPECT_EQ(Merged({"{\"ab\":1}", "{\"a\":1,\"abc\":2}"}), "{\"a\":1,\"ab\":1,\"abc\":2}");
  EXPECT_EQ(Merged({"{\"b\":1}", "{\"a\":1}", "{\"b\":2}"}), "{\"a\":1,\"b\":2}");
  EXPECT_EQ(Merged({"{ \"a\" : 1 }"}), "{\"a\":1}");
  EXPECT_EQ(Merged({"{\"a\":1}", "{\"a\":2}", "{\"a\":3}"}), "{\"a\":3}");
}

TEST(MergeLabelSets, OfNothingIsNothing) {  // MET-922
  EXPECT_EQ(Merged({"", ""}), "");
  EXPECT_EQ(Merged({"{}", ""}), "");
  EXPECT_EQ(Merged({}), "");
  const std::vector<std::optional<std::string_view>> sets = {std::nullopt, "{\"a\":1}"};
  EXPECT_EQ(*MergeLabelSets(sets, kV72), "{\"a\":1}");
}

TEST(MergeLabelSets, WritesNestedLabelsFlat) {  // MET-922, MET-923
  EXPECT_EQ(Merged({"{\"a\":{\"b\":1}}"}), "{\"a.b\":1}");
  EXPECT_EQ(Merged({"{\"a.b\":1}", "{\"a.b\":2}"}), "{\"a.b\":2}");
  EXPECT_EQ(Merged({"{\"a\":{\"b\":1}}", "{\"a.b\":2}"}), "{\"a.b\":2}");
  EXPECT_EQ(Merged({"{\"a\":{\"b\":1}}", "{\"a\":{\"b\":2}}"}), "{\"a.b\":2,\"a.b\":1}");
  EXPECT_EQ(Merged({"{\"c\":3}", "{\"c\":{\"x\":1},\"b\":2}"}), "{\"b\":2,\"c.x\":1}");
  EXPECT_EQ(Merged({"{\"c\":{\"x\":1},\"b\":2}", "{\"c\":3}"}), "{\"b\":2,\"c\":3,\"c.x\":1}");
}

TEST(MergeLabelSets, KeepsArraysInsideArrays) {  // MET-926
  EXPECT_EQ(Merged({"{\"a\":[[1]]}", "{\"b\":1}"}), "{\"a\":[[1]],\"b\":1}");
  EXPECT_EQ(Merged({"{\"b\":1}", "{\"a\":[1,[2],{}]}"}), "{\"a\":[1,[2],{}],\"b\":1}");
}

TEST(MergeLabelSets, RefusesWhatIsNoSetOrTooLong) {  // MET-922
  EXPECT_EQ(Merged({"x", "{\"b\":1}"}), "-22");
  EXPECT_EQ(Merged({"{\"a\":1,\"a\":2}", "{\"b\":1}"}), "-22");
  const auto value = [](std::size_t size) { return '"' + std::string(size, 'x') + '"'; };
  EXPECT_EQ(Merged({"{\"a\":" + value(65000) + "}", "{\"b\":" + value(1000) + "}"}), "-7");
  EXPECT_EQ(Merged({Many(300)}).size(), Many(300).size());  // MET-907: more than one set can have
}

TEST(LabelFlagsText, NamesClassAndKind) {  // MET-908
  EXPECT_EQ(LabelFlagsText(1), "context");
  EXPECT_EQ(LabelFlagsText(32 | 64 | 128), "instances,compound,optional");
  EXPECT_EQ(LabelFlagsText(16 | 128), "item,optional");
}

RC_GTEST_PROP(ParseLabelSet, TakesAnyBytes, (const std::string& text)) {
  for (const auto version : {kV63, kV72}) {
    ParseLabelSet(text, version);
    ParseLabelSet("{\"a\":" + text, version);
  }
}

}  // namespace
}  // namespace pmproof
