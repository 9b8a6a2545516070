// SPDX-License-Identifier: Apache-2.0
#include "validator/text/json_values.h"

#include <gtest/gtest.h>

#include <sstream>

namespace pmproof::validator {
namespace {

TEST(LongJson, WritesWhatTheWholeDocumentWouldBe) {
  const Json element = {{"a", 1}, {"b", Json::array({true, Json::object()})}, {"c", "x\n\xff"}};
  const Json head = {{"schema", "s"}, {"nested", element}};
  std::ostringstream out;
  LongJson json(out);
  json.Object().Members(head).Key("empty").Array().Close();
  json.Key("list").Array().Value(element).Object().Close().Array().Value(nullptr).Close().Close();
  json.Key("last").Value(2).Close();

  Json whole = head;
  whole["empty"] = Json::array();
  whole["list"] = Json::array({element, Json::object(), Json::array({nullptr})});
  whole["last"] = 2;
  EXPECT_EQ(out.str(), DumpJson(whole, 2));
}

TEST(LongJson, AnEmptyDocumentHasNoLineEnd) {
  std::ostringstream out;
  LongJson(out).Object().Close();
  EXPECT_EQ(out.str(), "{}");
}

}  // namespace
}  // namespace pmproof::validator
