// SPDX-License-Identifier: Apache-2.0
#include "validator/text/json_string.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "validator/text/json_values.h"
#include "validator/text/quote.h"

namespace pmproof::validator {
namespace {

std::string Quoted(std::string_view bytes) {
  std::string out;
  AppendQuoted(bytes, Quoting::kJson, &out);
  return out;
}

TEST(JsonStringTest, UsualTextStaysAsItIs) {
  for (const char* text : {"", "base.meta", "C:\\xample", "a\\b\\n", "\\x5", "\\xG0", "\\xFF", "\\",
                           "\xc3\xa9 \xf0\x9f\x98\x80 \xef\xbf\xbd"}) {
    EXPECT_EQ(ToJsonString(text), text);
    EXPECT_EQ(FromJsonString(text), text);
    EXPECT_FALSE(NeedsJsonString(text)) << text;
  }
}

TEST(JsonStringTest, EachByteThatIsNotUtf8IsWrittenByItsNumber) {
  EXPECT_EQ(ToJsonString("a\xff\xfe.0"), "a\\xff\\xfe.0");
  EXPECT_EQ(ToJsonString("\xc3"), "\\xc3");
  EXPECT_EQ(ToJsonString("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
}

TEST(JsonStringTest, TextThatLooksLikeSuchAByteIsToldFromIt) {
  EXPECT_EQ(ToJsonString("a\\xff"), "a\\x5cxff");
  EXPECT_EQ(ToJsonString("a\\x5cxff"), "a\\x5cx5cxff");
  EXPECT_EQ(ToJsonString("\\\xff"), "\\\\xff");
}

// All strings of up to four of the pieces that matter.
TEST(JsonStringTest, QuotedInAsciiIsWhatADocumentHas) {
  static const std::string kPieces[] = {
      "a",           "\\",         "x5c",  "ff",           "\xff",
      "\"",          "\b\f\n\r\t", "\x1f", "\x7f",         std::string(1, '\0'),
      "\xc3",        "\xc3\xa9",   "/",    "\xe2\x82\xac", "\xf0\x9f\x98\x80",
      "\xed\xa0\x80"};
  for (std::uint32_t n = 0; n < 16 * 16 * 16 * 16; ++n) {
    std::string bytes;
    for (std::uint32_t left = n; left > 0; left /= 16) bytes += kPieces[left % 16];
    std::string quoted = "before";
    AppendQuoted(bytes, Quoting::kAscii, &quoted);
    ASSERT_EQ(quoted, "before" + DumpJson(Json(bytes), -1));
  }
}

// All strings of up to five of the pieces that matter: none has the form of another.
TEST(JsonStringTest, NamesThatDifferStayDifferent) {
  static const std::string kPieces[] = {"\\", "x", "5", "c", "f", "\xff", "\xc3\xa9", "\x9f"};
  for (std::uint32_t n = 0; n < 8 * 8 * 8 * 8 * 8; ++n) {
    std::string bytes;
    for (std::uint32_t left = n; left > 0; left /= 8) bytes += kPieces[left % 8];
    const std::string text = ToJsonString(bytes);
    ASSERT_FALSE(Json(text).dump(-1, ' ', true, Json::error_handler_t::strict).empty());
    ASSERT_EQ(FromJsonString(text), bytes) << text;
    ASSERT_EQ(text != bytes, NeedsJsonString(bytes)) << text;
  }
}

TEST(JsonStringTest, WhatActsOnATerminalIsEscapedInQuotes) {
  EXPECT_EQ(Quoted("a\xe2\x80\xae\x1b"), R"("a\u202e\u001b")");
  std::string text;
  AppendQuoted("\xc2\x9b\xe2\x81\xa6\xff", Quoting::kText, &text);
  EXPECT_EQ(text, R"("\u009b\u2066\xff")");
}

TEST(JsonStringTest, BothWritersOfJsonWriteTheSame) {
  for (const std::string bytes :
       {"plain", "a\xff\xfe", "a\\xff", "\\x5c", "q\"\\\n\x01", "\xc3\xa9\\\xc3", "\\x", "\\xf",
        "\x7f\xe2\x80\xae\xef\xbb\xbf"}) {
    const Json expected = Json::parse(DumpJson(Json(bytes), -1));
    EXPECT_EQ(Json::parse(Quoted(bytes)), expected) << bytes;
    EXPECT_EQ(FromJsonString(expected.get<std::string>()), bytes);
  }
}

TEST(JsonStringTest, KeysAndNestedStringsAreWrittenSoToo) {
  const Json json = {{"names", Json::array({"a\xff", "b"})}, {"\xfe", {{"deep", "\\x5c"}}}};
  EXPECT_EQ(DumpJson(json, -1), R"({"names":["a\\xff","b"],"\\xfe":{"deep":"\\x5cx5c"}})");
}

}  // namespace
}  // namespace pmproof::validator
