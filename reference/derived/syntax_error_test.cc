// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference/derived/parse.h"

// Refused texts: where and why (DER-504, 505 and section 6.2).

namespace pmproof::derived {
namespace {

using Kind = SyntaxError::Kind;

struct ErrorCase {
  std::string text;
  std::int64_t position;
  std::string message;
  Clause clause;
};

void ExpectErrors(const std::vector<ErrorCase>& cases, const Dialect& dialect = kV72) {
  for (const ErrorCase& each : cases) {
    const auto parsed = Parse(each.text, dialect);
    ASSERT_FALSE(parsed) << each.text;
    EXPECT_EQ(parsed.error().position, each.position) << each.text;
    EXPECT_EQ(parsed.error().message, each.message) << each.text;
    EXPECT_EQ(parsed.error().clause, each.clause) << each.text;
  }
}

constexpr Clause kNone = "DER-621"_clause;
const std::string kAfterName =
    "Arithmetic or relational or boolean operator expected to follow NAME";

TEST(SyntaxErrorTest, LexicalErrorsComeFirst) {  // DER-501, 502, 505
  constexpr Clause kLexical = "DER-505"_clause;
  ExpectErrors({{"4294967296", 0, "Constant value too large", kLexical},
                {"99999999999999999999999", 0, "Constant value too large", kLexical},
                {"_a", 0, "Illegal character", kLexical},
                {"a & b", 2, "Illegal character", kLexical},
                {"a | b", 2, "Illegal character", kLexical},
                {"a + #", 4, "Illegal character", kLexical},
                {"+ #", 2, "Illegal character", kLexical},
                {"avg (#", 5, "Illegal character", kLexical},
                {"a \x80", 2, "Illegal character", kLexical},
                {std::string("a+\0", 3), 2, "Illegal character", kLexical},
                {"rescale(a,\"x", 10, "unterminated STRING", kLexical},
                {"a[b\\]", 1, "unterminated instance name", kLexical},
                {"matchinst(/a\\/, b)", 10, "unterminated pattern", kLexical},
                {"matchinst(/a0/,x/2)", 16, "unterminated pattern", kLexical}});
}

TEST(SyntaxErrorTest, TheEndHasThePositionOfTheLastCharacter) {  // DER-504
  ExpectErrors({{"", -1, "", kNone},
                {"  ", 1, "", kNone},
                {"a + ", 3, "Arithmetic expression expected to follow PLUS", "DER-634"_clause},
                {"(a", 1, "Unexpected initial '('", "DER-644"_clause}});
}

TEST(SyntaxErrorTest, AnOperatorIsExpectedBehindAName) {  // DER-631
  constexpr Clause kClause = "DER-631"_clause;
  ExpectErrors({{"a b", 2, kAfterName, kClause},
                {"a 1", 2, kAfterName, kClause},
                {"a avg(b)", 2, kAfterName, kClause},
                {"a = b", 2, kAfterName, kClause},
                {"a ! b", 2, kAfterName, kClause},
                {"a type", 2, kAfterName, kClause},
                {"a \"b\"", 2, kAfterName, kClause},
                {"(a b", 3, kAfterName, kClause},
                {"-a b", 3, kAfterName, kClause},
                {"a:b", 1, "", kNone},
                {"a,b", 1, "", kNone},
                {"a[x] b", 5, "", kNone},
                {"a[x][y]", 4, "", kNone},
                {"avg(x)[y]", 6, "", kNone},
                {"1e5", 1, "", kNone}});
}

TEST(SyntaxErrorTest, OperatorsSayWhatTheyMiss) {  // DER-632..637
  const std::string arithmetic = "Arithmetic expression expected to follow ";
  const std::string boolean = "Boolean expression expected to follow ";
  ExpectErrors({{"-", 0, arithmetic + "NEG", "DER-632"_clause},
                {"-(1 2", 4, arithmetic + "NEG", "DER-632"_clause},
                {"!", 0, boolean + "NOT", "DER-633"_clause},
                {"!)", 1, boolean + "NOT", "DER-633"_clause},
                {"1 +", 2, arithmetic + "PLUS", "DER-634"_clause},
                {"1 - *", 4, arithmetic + "MINUS", "DER-634"_clause},
                {"1 * ,", 4, arithmetic + "STAR", "DER-634"_clause},
                {"1 / ?", 4, arithmetic + "SLASH", "DER-634"_clause},
                {"1 < :", 4, arithmetic + "LT", "DER-634"_clause},
                {"1 <= [x]", 5, arithmetic + "LEQ", "DER-634"_clause},
                {"1 == =", 5, arithmetic + "EQ", "DER-634"_clause},
                {"1 >= \"\"", 5, arithmetic + "GEQ", "DER-634"_clause},
                {"1 > /", 4, arithmetic + "GT", "DER-634"_clause},
                {"1 != type", 5, arithmetic + "NEQ", "DER-634"_clause},
                {"1 && ", 4, boolean + "AND", "DER-635"_clause},
                {"1 || (2", 6, boolean + "OR", "DER-635"_clause},
                {"1 ? ", 3, arithmetic + "QUEST", "DER-636"_clause},
                {"1 ? 2", 4, arithmetic + "QUEST", "DER-636"_clause},
                {"1 ? a ( 2", 6, arithmetic + "QUEST", "DER-636"_clause},
                {"1 ? novalue() : )", 16, arithmetic + "QUEST", "DER-636"_clause},
                {"1 ? novalue() 2", 14, arithmetic + "QUEST", "DER-636"_clause},
                {"1 ? (novalue()) : 2", 5, arithmetic + "QUEST", "DER-636"_clause},
                {"1 ? 2 : ", 7, arithmetic + "COLON", "DER-637"_clause},
                {"1 ? 2 : (3", 9, arithmetic + "COLON", "DER-637"_clause},
                {"1 + (a ( 2", 7, arithmetic + "PLUS", "DER-634"_clause}});
}

TEST(SyntaxErrorTest, WhatIsCompleteIsNotOpen) {  // DER-647
  ExpectErrors({{"1 + 2 3", 6, "", kNone},
                {"-1 b", 3, "", kNone},
                {"1 ? 2 : 3 4", 10, "", kNone},
                {"1 ? novalue() : 2 3", 18, "", kNone},
                {"(1) 2", 4, "", kNone},
                {"defined(5)", 8, "", kNone},
                {"novalue()", 0, "", kNone},
                {"1 : 2", 2, "", kNone}});
}

TEST(SyntaxErrorTest, FunctionsSayWhatTheyTake) {  // DER-638..641
  const std::string metric = "Metric name expected to follow ";
  const std::string expr = "<expr> expected to follow ";
  ExpectErrors(
      {{"avg(5)", 4, metric + "avg(", "DER-638"_clause},
       {"count(a b", 8, metric + "count(", "DER-638"_clause},
       {"max(a+b)", 5, metric + "max(", "DER-638"_clause},
       {"min(", 3, metric + "min(", "DER-638"_clause},
       {"sum(sum(a))", 4, metric + "sum(", "DER-638"_clause},
       {"anon(5)", 5, metric + "anon(", "DER-638"_clause},
       {"instant()", 8, metric + "instant(", "DER-638"_clause},
       {"delta(1 2)", 8, expr + "delta(", "DER-639"_clause},
       {"rate()", 5, expr + "rate(", "DER-639"_clause},
       {"scalar(a,b)", 8, expr + "scalar(", "DER-639"_clause},
       {"rescale(5", 8,
        "Arithmetic or relational or boolean operator expected to follow "
        "rescale(",
        "DER-640"_clause},
       {"rescale(5, 3)", 11, "Units string expected to follow rescale(<expr>,", "DER-640"_clause},
       {"rescale(5, \"byte\",", 17, "Units string expected to follow rescale(<expr>,",
        "DER-640"_clause},
       {"matchinst(", 9, "<filter>, <expr>) expected to follow matchinst(", "DER-641"_clause},
       {"matchinst(!a", 11, "<filter>, <expr>) expected to follow matchinst(", "DER-641"_clause},
       {"matchinst(/x/ a", 14, ", <expr>) expected to follow matchinst(<filter>", "DER-641"_clause},
       {"matchinst(/x/, 1", 15, "<expr>) expected to follow matchinst(<filter>,",
        "DER-641"_clause}});
}

TEST(SyntaxErrorTest, ConstantsWantParameters) {  // DER-642, 643
  const std::string constant = "metadata keyword expected to follow mkconst(type";
  const std::string novalue = "metadata keyword expected to follow novalue(";
  ExpectErrors(
      {{"mkconst(5)", 9, constant, "DER-642"_clause},
       {"mkconst(5,", 9, constant, "DER-642"_clause},
       {"mkconst(5,foo=1)", 10, constant, "DER-642"_clause},
       {"mkconst(5,type)", 14, constant, "DER-642"_clause},
       {"mkconst(5,type=u32;", 18, "Illegal character", "DER-505"_clause},
       {"mkconst(5,type=u32,)", 19, constant, "DER-642"_clause},
       {"mkconst(5,meta=\"a\")", 15, constant, "DER-642"_clause},
       {"mkconst(1.5)", 11, "", kNone},
       {"mkconst(a)", 8, "", kNone},
       {"1+mkconst(a)", 10, "Arithmetic expression expected to follow PLUS", "DER-634"_clause},
       {"1 ? novalue(5) : 2", 12, novalue, "DER-643"_clause},
       {"1 ? 2 : novalue(type=u32", 23, novalue, "DER-643"_clause}});
  ExpectErrors({{"mkconst(5)", 9, "", kNone}}, kV60);
  ExpectErrors({{"mkconst(5,indom=60.1)", 10, constant, "DER-642"_clause}}, kV63);
}

TEST(SyntaxErrorTest, TheBeginningIsUnexpected) {  // DER-644
  const std::string unexpected = "Unexpected initial ";
  constexpr Clause kClause = "DER-644"_clause;
  ExpectErrors({{"+1", 1, unexpected + "'+'", kClause},
                {"+", 0, unexpected + "'+'", kClause},
                {"* 2", 2, unexpected + "'*'", kClause},
                {"/a/", 1, unexpected + "'/'", kClause},
                {") (", 2, unexpected + "')'", kClause},
                {"<= 1", 3, unexpected + "'<='", kClause},
                {"&& 1", 3, unexpected + "'&&'", kClause},
                {"? 1", 2, unexpected + "'?'", kClause},
                {": 1", 2, unexpected + "':'", kClause},
                {"(1 2", 3, unexpected + "'('", kClause},
                {"((1 2", 4, unexpected + "'('", kClause},
                {"()", 1, unexpected + "'('", kClause},
                {"(-1 2", 4, unexpected + "'('", kClause},
                {"= 1", 0, "", kNone},
                {", 1", 0, "", kNone},
                {"[x] 1", 0, "", kNone},
                {"type", 0, "", kNone}});
}

TEST(SyntaxErrorTest, AtMostOneBranchIsNovalue) {  // DER-214, 645
  ExpectErrors({{"1 ? novalue() : novalue()", 24,
                 "novalue() may appear at most once in a ternary expression", "DER-645"_clause}});
}

TEST(SyntaxErrorTest, AParenthesisBehindTheWholeIsUnexpected) {  // DER-646
  ExpectErrors({{"avg (x)", 5, "Unexpected '('", "DER-646"_clause},
                {"1 ) 2", 4, "Unexpected ')'", "DER-646"_clause},
                {"1 (", 2, "Unexpected '('", "DER-646"_clause},
                {"1+a(2", 4, "Unexpected '('", "DER-646"_clause},
                {"1 ? 2 : 3 ( 4", 12, "Unexpected '('", "DER-646"_clause}});
}

TEST(SyntaxErrorTest, ValuesAreRefusedWhereTheyStand) {  // DER-608, 648
  constexpr Clause kClause = "DER-648"_clause;
  ExpectErrors(
      {{"mkconst(5,type=foo)", 15, "Unrecognized value for type 'foo'", kClause},
       {"mkconst(5,type=\"u 32\"$", 15, "Unrecognized value for type 'u 32'", kClause},
       {"mkconst(5,type=string)", 15, "Unrecognized value for type 'string'", kClause},
       {"mkconst(5,semantics=foo)", 20, "Unrecognized value for semantics 'foo'", kClause},
       {"mkconst(5,units=foo)", 16, "Illegal units: 'unrecognized or duplicate base unit'",
        kClause},
       {"mkconst(5,indom=\"1.2x\")", 16, "Illegal indom: '1.2x'", kClause},
       {"mkconst(5,indom=511.1)", 16, "Illegal indom: '511.1'", kClause},
       {"mkconst(5,indom=1.4194304)", 16, "Illegal indom: '1.4194304'", kClause},
       {"mkconst(5,indom=1)", 16, "Illegal indom: '1'", kClause},
       {"rescale(x,\"foo\")", 15, "Illegal units: 'unrecognized or duplicate base unit'", kClause},
       {"matchinst(/(/,1)", 10, "bad regular expression: 'Unmatched ( or \\('", kClause},
       {"mkconst(1.5,type=u32)", 20, "Incompatible floating point constant and type 'U32'",
        kClause},
       {"mkconst(.,type=64)", 17, "Incompatible floating point constant and type '64'", kClause},
       {"anon(PM_TYPE_STRING)", 19, "Unrecognized value for type 'PM_TYPE_STRING'",
        "DER-609"_clause}});
}

TEST(SyntaxErrorTest, MessagesHaveAtMost255Characters) {  // DER-648
  const auto parsed = Parse("mkconst(1,type=\"" + std::string(1000, 'x') + "\")", kV72);
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().message.size(), 255U);
}

TEST(SyntaxErrorTest, EachErrorHasItsKind) {
  EXPECT_EQ(Parse("#", kV72).error().kind, Kind::kLexical);
  EXPECT_EQ(Parse("1 2", kV72).error().kind, Kind::kGrammar);
  EXPECT_EQ(Parse("mkconst(1,type=x)", kV72).error().kind, Kind::kValue);
  EXPECT_EQ(Parse("1+1+1", kV72, {.text = 4}).error().kind, Kind::kBudget);
  EXPECT_EQ(Parse("1+1+1+1", kV72, {.nodes = 4}).error().kind, Kind::kBudget);
  EXPECT_TRUE(Parse("1+1+1", kV72, {.nodes = 5}));
  EXPECT_EQ(Parse("1?2:-(1+!2)", kV72, {.nodes = 1}).error().kind, Kind::kBudget);
}

}  // namespace
}  // namespace pmproof::derived
