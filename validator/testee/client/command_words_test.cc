// SPDX-License-Identifier: Apache-2.0
#include "validator/testee/client/command_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pmproof::validator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

TEST(CommandWords, AreDividedByBlanks) {
  EXPECT_THAT(CommandWords("  ./adapter  --verbose\t7 "),
              Optional(ElementsAre("./adapter", "--verbose", "7")));
  EXPECT_THAT(CommandWords(" "), Optional(IsEmpty()));
}

TEST(CommandWords, KeepWhatIsQuoted) {
  EXPECT_THAT(CommandWords(R"(a 'b  c' "d 'e'" f'g'"h" '')"),
              Optional(ElementsAre("a", "b  c", "d 'e'", "fgh", "")));
  EXPECT_THAT(CommandWords(R"('it'"'"'s' $HOME '*')"), Optional(ElementsAre("it's", "$HOME", "*")));
}

TEST(CommandWords, TakeWhatFollowsABackslash) {
  EXPECT_THAT(CommandWords(R"(a\ b '\c' "\d\"\\")"),
              Optional(ElementsAre("a b", R"(\c)", R"(\d"\)")));
}

TEST(CommandWords, AreRefusedWhereTheyDoNotEnd) {
  EXPECT_FALSE(CommandWords("a 'b"));
  EXPECT_FALSE(CommandWords("a \"b'"));
  EXPECT_FALSE(CommandWords("a \\"));
}

}  // namespace
}  // namespace pmproof::validator
