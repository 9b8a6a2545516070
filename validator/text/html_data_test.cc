// SPDX-License-Identifier: Apache-2.0
#include "validator/text/html_data.h"

#include <gtest/gtest.h>

namespace pmproof::validator {
namespace {

TEST(HtmlData, EndsNoElement) {
  EXPECT_EQ(HtmlData({{"a", "</script><!--"}}), R"({"a":"\u003c/script>\u003c!--"})");
}

TEST(HtmlData, HasBytesThatAreNoTextOnceAsPeopleSeeThem) {
  EXPECT_EQ(HtmlData(Json::array({"a\xff", R"(a\xff)"})), R"(["a\\xff","a\\xff"])");
  EXPECT_EQ(HtmlData({{"k\xff", Json::array({1, nullptr, "\n"})}}), R"({"k\\xff":[1,null,"\\n"]})");
}

TEST(HtmlData, IsAsciiAlone) { EXPECT_EQ(HtmlData("\u00e9"), R"("\u00e9")"); }

}  // namespace
}  // namespace pmproof::validator
