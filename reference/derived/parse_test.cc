// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/parse.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference/derived/functions.h"
#include "reference/derived/testing/describe.h"

// Trees, from accepted texts (DER section 6.1).

namespace pmproof::derived {
namespace {

std::string Tree(std::string_view text, const Dialect& dialect = kV72) {
  const auto parsed = Parse(text, dialect);
  if (parsed) return Describe(*parsed);
  return "error at " + std::to_string(parsed.error().position) + ": " + parsed.error().message;
}

struct TreeCase {
  std::string text;
  std::string tree;
};

void ExpectTrees(const std::vector<TreeCase>& cases, const Dialect& dialect = kV72) {
  for (const TreeCase& each : cases) EXPECT_EQ(Tree(each.text, dialect), each.tree) << each.text;
}

TEST(ParseTest, BinaryOperatorsAssociateToTheLeftByLevel) {  // DER-602, 605
  ExpectTrees({{"a+b-c", "(- (+ a b) c)"},
               {"a+b*c", "(+ a (* b c))"},
               {"a*b+c", "(+ (* a b) c)"},
               {"a/b*c", "(* (/ a b) c)"},
               {"1 || 0 && 0", "(&& (|| 1 0) 0)"},
               {"2 < 3 < 2", "(< (< 2 3) 2)"},
               {"3 > 2 == 1", "(== (> 3 2) 1)"},
               {"a+1 >= b*2 && c != d", "(&& (>= (+ a 1) (* b 2)) (!= c d))"},
               {"a<=b", "(<= a b)"},
               {"(a+b)*c", "(* (+ a b) c)"}});
}

TEST(ParseTest, PrefixOperatorsSwallowOperatorsOfHigherLevels) {  // DER-603
  ExpectTrees({{"-a*b", "(neg (* a b))"},
               {"-a+b", "(+ (neg a) b)"},
               {"a*-b*c", "(* a (neg (* b c)))"},
               {"a*-b+c", "(+ (* a (neg b)) c)"},
               {"!a<b", "(! (< a b))"},
               {"a*!b+c", "(* a (! (+ b c)))"},
               {"!a&&b", "(&& (! a) b)"},
               {"!1 == 0", "(! (== 1 0))"},
               {"- 2 * 3 + 10", "(+ (neg (* 2 3)) 10)"},
               {"2 - -2 * 3", "(- 2 (neg (* 2 3)))"},
               {"2 - - 2", "(- 2 (neg 2))"},
               {"!!-a", "(! (! (neg a)))"}});
}

TEST(ParseTest, TernariesAssociateToTheLeft) {  // DER-604
  ExpectTrees({{"a ? b : c ? d : e", "(?: (?: a b c) d e)"},
               {"a ? b ? c : d : e", "(?: a (?: b c d) e)"},
               {"1 ? 2 : 0 ? 3 : 4", "(?: (?: 1 2 0) 3 4)"},
               {"1 ? 0 ? 5 : 6 : 7", "(?: 1 (?: 0 5 6) 7)"},
               {"a || b ? c && d : e + 1", "(?: (|| a b) (&& c d) (+ e 1))"},
               {"-a ? b : c", "(?: (neg a) b c)"}});
}

TEST(ParseTest, NovalueIsABranch) {  // DER section 6.1
  ExpectTrees({{"a ? b : novalue()", "(?: a b (novalue))"},
               {"a ? novalue() : b + 1", "(?: a (novalue) (+ b 1))"},
               {"a ? b : novalue() + 1", "(+ (?: a b (novalue)) 1)"},
               {"p ? a ? b : novalue() * 2 : c", "(?: p (* (?: a b (novalue)) 2) c)"},
               {"a ? novalue(type=u64, semantics=instant) : b",
                "(?: a (novalue type=u64 semantics=instant) b)"}});
}

TEST(ParseTest, FunctionsTakeWhatTheGrammarGivesThem) {
  ExpectTrees({{"avg(a) + count(b) * max(c)", "(+ (avg a) (* (count b) (max c)))"},
               {"min( a ) - sum(b)", "(- (min a) (sum b))"},
               {"defined(a.b) ? a.b : 0", "(?: (defined a.b) a.b 0)"},
               {"delta(a+b)", "(delta (+ a b))"},
               {"rate(instant(scalar(a)))", "(rate (instant (scalar a)))"},
               {"rescale(a, \"Kbyte / sec\")", "(rescale Kbyte / sec units=Kbyte / sec a)"},
               {"anon(PM_TYPE_U64)", "(anon PM_TYPE_U64 type=u64)"},
               {"((a))", "a"}});
}

TEST(ParseTest, FiltersKeepTheirTextUnescaped) {  // DER-502, 606
  ExpectTrees({{"a.b[eth0]", "(instance eth0 a.b)"},
               {"a [x y]", "(instance x y a)"},
               {"a[x\\]y\\\\z]", "(instance x]y\\z a)"},
               {"(a + b)[1 minute]", "(instance 1 minute (+ a b))"},
               {"matchinst(/^eth/, a)", "(match ^eth a)"},
               {"matchinst(!/a\\/b/, a)", "(match! a/b a)"},
               {"matchinst(/a\\\\.b/, a)", "(match a\\.b a)"},
               {"matchinst ( a", "error at 12: Unexpected '('"}});
}

TEST(ParseTest, ASlashIsDivisionBehindTheEndOfAFilter) {  // DER-503
  ExpectTrees({{"matchinst(/a0/,x)/2", "(/ (match a0 x) 2)"},
               {"matchinst(/x/, matchinst(/y/, a) / 2)", "(match x (/ (match y a) 2))"},
               {"matchinst(/a0/,x/2)", "error at 16: unterminated pattern"}});
}

TEST(ParseTest, ConstantsHaveParameters) {  // DER-607, 608
  ExpectTrees({{"mkconst(5,type=u64)", "(mkconst 5 type=u64)"},
               {"mkconst(5, type = \"32\", type=FLOAT)", "(mkconst 5 type=float)"},
               {"mkconst(1.5,semantics=COUNTER,units=\"byte/sec\")",
                "(mkconst 1.5 semantics=counter units=byte / sec)"},
               {"mkconst(5,units=Kbyte)", "(mkconst 5 units=Kbyte)"},
               {"mkconst(5,indom=60.1)", "(mkconst 5 indom=60.1)"},
               {"mkconst(5,indom=NULL)", "(mkconst 5 indom=PM_INDOM_NULL)"},
               {"mkconst(5,indom=\"510.4194303\")", "(mkconst 5 indom=510.4194303)"},
               {"mkconst(5,meta=a.b,type=32)", "(mkconst 5 type=32 meta=a.b)"},
               {"mkconst(5,units=\"1000 byte\")", "(mkconst 5 units=byte)"}});
}

TEST(ParseTest, WordsOfFunctionsAreNamesWithoutAParenthesis) {  // DER-502
  ExpectTrees({{"avg + sum", "(+ avg sum)"},
               {"count.x", "count.x"},
               {"avgs", "avgs"},
               {"novalue", "novalue"},
               {"a..b", "a..b"},
               {"a.", "a."},
               {"a_1.B2", "a_1.B2"},
               {"Type", "Type"}});
}

TEST(ParseTest, NumbersHaveNoExponent) {  // DER-502
  ExpectTrees({{".", "."},
               {"1.", "1."},
               {".5", ".5"},
               {"4294967295", "4294967295"},
               {"0000000004294967295", "0000000004294967295"},
               {"1e5", "error at 1: "}});
}

TEST(ParseTest, BlanksSeparate) {  // DER-501
  ExpectTrees({{" a\t+\n b\v*\f\r2 ", "(+ a (* b 2))"},
               {"a . b",
                "error at 2: Arithmetic or "
                "relational or boolean operator "
                "expected to follow NAME"}});
}

TEST(ParseTest, AllReleasesKnowTheseOperators) {  // DER-101
  for (const Dialect* dialect : {&kV60, &kV63, &kV72}) {
    EXPECT_EQ(Tree("a<b&&-c+2.5||!d?mkconst(1,type=u32):x", *dialect),
              "(?: (|| (&& (< a b) (+ (neg c) 2.5)) (! d)) (mkconst 1 type=u32) x)");
  }
}

TEST(ParseTest, WordsBelongToReleases) {  // DER-103, 107, 601
  EXPECT_EQ(Tree("meta", kV60), "meta");
  EXPECT_EQ(Tree("meta", kV63), "error at 0: ");
  EXPECT_EQ(Tree("indom", kV63), "indom");
  EXPECT_EQ(Tree("indom", kV72), "error at 0: ");
  EXPECT_EQ(Tree("novalue(", kV60), "error at 7: Unexpected '('");
  EXPECT_EQ(Tree("delta(a)", kV60), "(delta a)");
  EXPECT_EQ(Tree("delta(a+1)", kV60), "error at 7: Metric name expected to follow delta(");
  EXPECT_EQ(Tree("mkconst(1,units=2.5)", kV63),
            "error at 16: metadata keyword expected to follow mkconst(type");
  EXPECT_EQ(Tree("mkconst(1,units=2.5)", kV72), "(mkconst 1 units=)");
}

TEST(ParseTest, TheSeedHasTheOlderLanguage) {  // DER-1501
  ExpectTrees({{"delta(disk.dev.total_bytes) / delta(disk.dev.total)",
                "(/ (delta disk.dev.total_bytes) (delta disk.dev.total))"},
               {"a+b*c", "(+ a (* b c))"},
               {"(a+b)*3 - avg(x)/count(y)", "(- (* (+ a b) 3) (/ (avg x) (count y)))"},
               {"max(a)-min(a)-sum(b)", "(- (- (max a) (min a)) (sum b))"},
               {"type", "type"},
               {"-3*abc", "error at 1: Unexpected initial '-'"},
               {"-this.number", "error at 1: Unexpected initial '-'"},
               {"a*-b", "error at 2: Arithmetic expression expected to follow STAR"},
               {"a<b", "error at 1: Illegal character"},
               {"1.5", "error at 1: Illegal character"},
               {"a[x]", "error at 1: Illegal character"},
               {"delta(a+b)", "error at 7: Metric name expected to follow delta("},
               {"rate(a)", "error at 5: Unexpected '('"}},
              kSeed);
}

TEST(ParseTest, TheSeedIgnoresBlanksBeforeABracket) {  // DER-1503
  ExpectTrees({{"delta (x)", "(delta x)"},
               {"\tsum \t ( x )*2", "(* (sum x) 2)"},
               {"avg + count (x)", "(+ avg (count x))"},
               {"rate (a)", "error at 6: Unexpected '('"}},
              kSeed);
  ExpectTrees({{"delta (x)", "error at 7: Unexpected '('"}}, kV72);
}

TEST(ParseTest, OperandsOfANodeAreFoundFromItsIndex) {
  const auto parsed = Parse("a+1 ? avg(b) : -c*2", kV72);
  ASSERT_TRUE(parsed);
  const NodeIndex root = parsed->root();
  EXPECT_EQ(parsed->nodes()[root].kind, NodeKind::kTernary);
  EXPECT_EQ(parsed->nodes()[parsed->Guard(root)].kind, NodeKind::kAdd);
  EXPECT_TRUE(IsCallOf(parsed->nodes()[parsed->Left(root)], "avg"));
  EXPECT_EQ(parsed->nodes()[Expression::Right(root)].kind, NodeKind::kNegate);
  EXPECT_EQ(parsed->Text(parsed->Begin(parsed->Left(root))), "b");
  EXPECT_EQ(parsed->Begin(root), 0U);
  EXPECT_EQ(parsed->source(), "a+1 ? avg(b) : -c*2");
}

TEST(ParseTest, NothingIsKeptFromOneTextToTheNext) {  // DER-214, 215
  EXPECT_EQ(Tree("matchinst(/x/, ("),
            "error at 15: <expr>) expected to follow matchinst(<filter>,");
  EXPECT_EQ(Tree("a/2"), "(/ a 2)");
  EXPECT_EQ(Tree("mkconst(1,type=float,units=foo)"),
            "error at 27: Illegal units: 'unrecognized or duplicate base unit'");
  EXPECT_EQ(Tree("mkconst(1,semantics=instant)"), "(mkconst 1 semantics=instant)");
}

}  // namespace
}  // namespace pmproof::derived
