// SPDX-License-Identifier: Apache-2.0
#include "validator/policy/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace pmproof::validator::policy {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string Wrong(const std::string& text) {
  const Result<Node> read = ReadDocument(text, "p");
  return read ? "" : read.error().ToText();
}

// The tree as a text, each value with its line.
std::string Shown(const Node& node) {
  std::string text = std::to_string(node.line) + ":";
  switch (node.kind) {
    case Node::Kind::kTable:
      for (const Node& member : node.members) text += "{" + member.key + " " + Shown(member) + "}";
      break;
    case Node::Kind::kList:
      for (const Node& item : node.items) text += "[" + Shown(item) + "]";
      break;
    case Node::Kind::kText:
      text += node.text;
      break;
    case Node::Kind::kInteger:
      text += std::to_string(node.integer);
      break;
    case Node::Kind::kOther:
      text += "?";
      break;
  }
  return text;
}

std::string Shown(const std::string& text) {
  const Result<Node> read = ReadDocument(text, "p");
  return read ? Shown(*read) : read.error().ToText();
}

TEST(DocumentTest, TomlKnowsItsLines) {
  EXPECT_EQ(Shown("z = 'x'\n\n[[list]]\na = 1\nb = [2, 3.5]\n[[list]]\nc.d = 2026-12-31\n"),
            "1:{z 1:x}{list 3:[3:{a 4:1}{b 5:[5:2][5:?]}][6:{c 7:{d 7:2026-12-31}}]}");
}

TEST(DocumentTest, JsonKnowsItsLines) {
  EXPECT_EQ(Shown("\n{\"z\": \"x\",\n\"list\": [\n{\"a\": 1,\n\"b\": [2, 3.5]},\n{\"c\": {\n\"d\": "
                  "true}}]}"),
            "2:{z 2:x}{list 3:[4:{a 4:1}{b 5:[5:2][5:?]}][6:{c 6:{d 7:?}}]}");
}

TEST(DocumentTest, MembersOfJsonMayHaveAnyName) {
  EXPECT_EQ(Shown(R"({"": {"": 1}, "a.b": {"c[]": 2}, "d": [[{"e": 3}]]})"),
            "1:{ 1:{ 1:1}}{a.b 1:{c[] 1:2}}{d 1:[1:[1:{e 1:3}]]}");
}

TEST(DocumentTest, NumbersBeyond64BitsAreNone) {
  EXPECT_EQ(Shown(R"({"a": 9223372036854775807, "b": 9223372036854775808, "c": -1})"),
            "1:{a 1:9223372036854775807}{b 1:?}{c 1:-1}");
}

TEST(DocumentTest, WhatIsWrongHasItsLine) {
  EXPECT_THAT(Wrong("a = 1\nb = \"x\nc = 2\n"), StartsWith("p: line 2: is not TOML: "));
  EXPECT_THAT(Wrong("a = 1\n\na = 2\n"), StartsWith("p: line 3: is not TOML: "));
  EXPECT_THAT(Wrong("a = 2026-02-30\n"), StartsWith("p: line 1: is not TOML: "));
  EXPECT_THAT(Wrong("{\"a\": 1,\n \"b\": }"), StartsWith("p: line 2: is not JSON: "));
  EXPECT_THAT(Wrong("{\"a\": 1,\n\n\"a\": 2}"),
              StartsWith("p: line 3: the document: has the member a twice"));
  EXPECT_THAT(Wrong("{\"a\": 1}\n{}"), StartsWith("p: line 2: is not JSON: "));
}

TEST(DocumentTest, WhatIsHostileIsRefused) {
  EXPECT_THAT(Wrong(std::string(kMostBytes + 1, ' ')), HasSubstr("has 262145 bytes"));
  EXPECT_THAT(Wrong("a = " + std::string(100'000, '[')), HasSubstr("is deeper than"));
  EXPECT_THAT(Wrong("{\"a\":" + std::string(100'000, '[')), HasSubstr("is deeper than"));
  EXPECT_THAT(Wrong("a=[[[[[[[[1]]]]]]]]"), StartsWith("p: line 1: is deeper than"));
  EXPECT_THAT(Wrong("a=[[[[[[[1]]]]]]]"), StartsWith("p: line 1: is deeper than"));
  EXPECT_EQ(Wrong("a=[[[[[[1]]]]]]"), "");
  EXPECT_THAT(Wrong("a.a.a.a.a.a.a.a.a = 1"), StartsWith("p: line 1: is deeper than"));
  EXPECT_THAT(Wrong(std::string("a = 1\n\0", 7)), StartsWith("p: line 2: is not TOML: "));
  EXPECT_THAT(Wrong("a = \"\xff\""), StartsWith("p: line 1: is not TOML: "));
  EXPECT_THAT(Wrong("{\"a\": \"\xff\"}"), StartsWith("p: line 1: is not JSON: "));
}

}  // namespace
}  // namespace pmproof::validator::policy
