// SPDX-License-Identifier: Apache-2.0
#include "validator/text/json_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace pmproof::validator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Notes what it is told.
class Notes final : public JsonConsumer {
 public:
  std::vector<std::string> streamed;
  std::string wrong_at;
  std::vector<std::string> told;

  bool IsStreamed(std::string_view pattern, bool) const override {
    return std::ranges::count(streamed, pattern) > 0;
  }
  std::string OnBegin(std::string_view pattern, std::uint64_t offset) override {
    return Note("begin", pattern, "", offset);
  }
  std::string OnEnd(std::string_view pattern, std::uint64_t offset) override {
    return Note("end", pattern, "", offset);
  }
  std::string OnValue(std::string_view pattern, const nlohmann::json& value,
                      std::uint64_t offset) override {
    return Note("value", pattern, " " + value.dump(), offset);
  }

 private:
  std::string Note(const std::string& what, std::string_view pattern, const std::string& value,
                   std::uint64_t offset) {
    told.push_back(what + " '" + std::string(pattern) + "'" + value + " @" +
                   std::to_string(offset));
    return pattern == wrong_at && !wrong_at.empty() ? "is not to my liking" : "";
  }
};

std::string Error(const std::string& document, Notes& notes, const JsonLimits& limits = {}) {
  const auto error = ReadJson(AsBytes(document), "c.json", notes, limits);
  return error ? error->ToText() : "";
}
std::string Error(const std::string& document, const JsonLimits& limits = {}) {
  Notes notes;
  notes.streamed = {"", "list"};
  return Error(document, notes, limits);
}

TEST(ReadJson, TellsWhatIsStreamedPieceByPieceAndAllElseAsOneValue) {
  Notes notes;
  notes.streamed = {"", "list", "list[].inner", "list[]"};
  EXPECT_EQ(Error(R"({"a": [1, {"b": "x"}], "list": [{"inner": [7,8]}, 9] })", notes), "");
  EXPECT_THAT(
      notes.told,
      ElementsAre("begin '' @0", R"(value 'a' [1,{"b":"x"}] @6)", "begin 'list' @31",
                  "begin 'list[]' @32", "begin 'list[].inner' @42", "value 'list[].inner[]' 7 @43",
                  "value 'list[].inner[]' 8 @45", "end 'list[].inner' @46", "end 'list[]' @47",
                  "value 'list[]' 9 @50", "end 'list' @51", "end '' @53"));
}

TEST(ReadJson, ADocumentCanBeOneValue) {
  Notes notes;
  EXPECT_EQ(Error(" [true, null, -1, 1.5]", notes), "");
  EXPECT_THAT(notes.told, ElementsAre("value '' [true,null,-1,1.5] @1"));
}

TEST(ReadJson, AnErrorNamesOffsetAndMember) {
  Notes notes;
  notes.streamed = {"", "list"};
  notes.wrong_at = "list[]";
  EXPECT_EQ(Error(R"({"list": [ "x"]})", notes), "c.json: offset 11: list[0]: is not to my liking");
  EXPECT_THAT(Error(R"({"list": [1, 2)"), HasSubstr("offset 14: is not JSON"));
  EXPECT_EQ(Error(R"({"list": 1, "list": 2})"),
            "c.json: offset 12: the document: has the member list twice");
  EXPECT_EQ(Error(R"({"list": [{"x": {}, "x": 2}]})"),
            "c.json: offset 20: list[0]: has the member x twice");
}

TEST(ReadJson, LimitsAreKeptExactly) {
  const JsonLimits limits{.value = 20, .depth = 3, .members = 2};
  const std::string text(16, 'x');
  EXPECT_EQ(Error("{\"a\": \"" + text + "\"}", limits), "");
  EXPECT_THAT(Error("{\"a\": \"" + text + "xxxxxx\"}", limits), HasSubstr("longer than any value"));
  EXPECT_THAT(Error("{\"a\":" + std::string(30, ' ') + "1}", limits),
              HasSubstr("longer than any value"));
  EXPECT_THAT(Error("{\"a\": [1,2,3,4,5,6,7,8,9,0,1]}", limits),
              HasSubstr("longer than any value"));
  EXPECT_EQ(Error(R"({"a": [[]]})", limits), "");
  EXPECT_THAT(Error(R"({"a": [[[]]]})", limits), HasSubstr("a: is deeper than any value"));
  EXPECT_EQ(Error(R"({"a": 1, "b": 2})", limits), "");
  EXPECT_THAT(Error(R"({"a": 1, "b": 2, "c": 3})", limits), HasSubstr("too many members"));
}

TEST(ReadJson, ElementsOfAStreamedListHaveNoLimit) {
  std::string document = "{\"list\": [0";
  for (int i = 0; i < 10'000; ++i) document += ", 1";
  EXPECT_EQ(Error(document + "]}", {.value = 20}), "");
}

TEST(ReadJson, NoTruncationAndNoFlippedBitDoesHarm) {
  const std::string document = R"({"a": [1, {"b": "x\u00e9\\"}], "list": [-1.5e3, null, "y"]})";
  for (std::size_t size = 0; size < document.size(); ++size) {
    EXPECT_THAT(Error(document.substr(0, size)), HasSubstr("is not JSON")) << size;
  }
  for (std::size_t bit = 0; bit < 8 * document.size(); ++bit) {
    std::string flipped = document;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
    Error(flipped);
  }
}

}  // namespace
}  // namespace pmproof::validator
