// SPDX-License-Identifier: Apache-2.0
#include "reference/core/json_writer.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <string_view>

namespace pmproof {
namespace {

struct Text {
  std::ostringstream stream;
  template <typename Value>
  Text& operator<<(const Value& value) {
    stream << value;
    return *this;
  }
  void Quote(std::string_view text) { stream << '"' << text << '"'; }
};

std::string Written(JsonWriter<Text>::Blanks blanks, auto write) {
  Text text;
  JsonWriter json(text, blanks);
  write(json);
  return text.stream.str();
}

using enum JsonWriter<Text>::Blanks;

void WriteAllKinds(JsonWriter<Text>& json) {
  json.Object().Key("a").Number(-1).Key("b").Array().String("x").Null().True().EndArray();
  json.Key("c").Object().EndObject().Key("d").InQuotes(7).Key("e").Raw("1.5").EndObject();
}

TEST(JsonWriterTest, PutsCommasAndColons) {
  EXPECT_EQ(Written(kNone, WriteAllKinds),
            R"({"a":-1,"b":["x",null,true],"c":{},"d":"7","e":1.5})");
}

TEST(JsonWriterTest, PutsBlanksAfterThemIfAsked) {
  EXPECT_EQ(Written(kAfterPunctuation, WriteAllKinds),
            R"({"a": -1, "b": ["x", null, true], "c": {}, "d": "7", "e": 1.5})");
}

TEST(JsonWriterTest, ValueAfterAnEndedObjectIsSeparated) {
  EXPECT_EQ(Written(kNone,
                    [](auto& json) {
                      json.Array();
                      for (int i = 0; i < 2; ++i) json.Array().Number(i).EndArray();
                      json.EndArray();
                    }),
            "[[0],[1]]");
}

TEST(JsonWriterTest, DocumentsOfALineHaveNoCommaBetweenThem) {
  EXPECT_EQ(Written(kNone,
                    [](auto& json) {
                      for (int i = 0; i < 2; ++i)
                        json.Object().Key("i").Number(i).EndObject().EndLine();
                    }),
            "{\"i\":0}\n{\"i\":1}\n");
}

TEST(JsonWriterTest, BreakStandsAfterTheComma) {
  EXPECT_EQ(Written(kNone,
                    [](auto& json) {
                      json.Array();
                      for (int i = 0; i < 2; ++i) json.Break().Number(i);
                      json.Break().EndArray();
                    }),
            "[\n0,\n1\n]");
}

}  // namespace
}  // namespace pmproof
