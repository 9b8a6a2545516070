// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/names/pmns_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace pmproof::pmda {
namespace {

// "a.b 1.2.3" for each name in order, "a 29.*.*" for a dynamic root.
std::string NamesIn(const NameTree& tree) {
  std::string text;
  const auto leaves = *tree.Traverse("");
  for (const NameTree::Leaf& leaf : leaves) {
    text += (text.empty() ? "" : ", ") + leaf.name + " " + ToText(leaf.pmid);
  }
  return text;
}

// The names, or the diagnosis; then the warnings.
std::string Read(std::string_view text, const IncludeReader& includes = NoIncludes(),
                 PmidNames allowed = PmidNames::kMany) {
  const auto source = ReadPmns(text, "pmns", includes, allowed);
  if (!source) return source.error().ToText();
  std::string answer = NamesIn(source->names);
  for (const Diagnosis& warning : source->warnings) answer += "\n" + warning.ToText();
  return answer;
}

std::string ReadUnique(std::string_view text) { return Read(text, NoIncludes(), PmidNames::kOne); }

IncludeReader Files(std::map<std::string, std::string> files) {
  return [files =
              std::move(files)](const std::string& name) -> tl::expected<std::string, std::string> {
    const auto found = files.find(name);
    if (found == files.end()) return tl::unexpected(std::string("No such file or directory"));
    return found->second;
  };
}

TEST(Pmns, IsATreeOfNodesInAnyOrder) {  // PMD-300, PMD-301
  EXPECT_EQ(Read("root {\n a 1:2:3\n b\n}\nb {\n c 1:2:4\n d\n}\nb.d { e 1:2:5 }\n"),
            "a 1.2.3, b.c 1.2.4, b.d.e 1.2.5");
  EXPECT_EQ(Read("c.d { e 1:2:5 }\nc { d\n f 1:2:6 }\nroot { c z 1:2:9 b 1:2:8 }\n"),
            "c.d.e 1.2.5, c.f 1.2.6, z 1.2.9, b 1.2.8");
  EXPECT_EQ(Read("root { root 1:2:3 }\n"), "root 1.2.3");
}

TEST(Pmns, HasOneRoot) {  // PMD-300
  EXPECT_EQ(Read("root { a 1:2:3 }\nroot { b 1:2:4 }\n"), "pmns:2: a second node root [PMD-300]");
  EXPECT_EQ(Read("a { b 1:2:3 }\n"), "pmns: there is no node root [PMD-300]");
  EXPECT_EQ(Read(""), "pmns: there is no node root [PMD-300]");
  EXPECT_EQ(Read("root { root }\n"), "pmns:1: non-leaf root has no node [PMD-301]");
  EXPECT_EQ(Read("root { a }\nroot.a { b 1:2:3 }\n"), "pmns:1: non-leaf a has no node [PMD-301]");
}

TEST(Pmns, HasNoNodeWithoutItsPlaceAndNoPlaceWithoutItsNode) {  // PMD-301
  EXPECT_EQ(Read("root { a 1:2:3 }\nb { c 1:2:4 }\n"),
            "pmns:2: node b is not below root [PMD-301]");
  EXPECT_EQ(Read("root {\n a 1:2:3\n b\n}\n"), "pmns:3: non-leaf b has no node [PMD-301]");
  EXPECT_EQ(Read("root { b }\nb { c 1:2:3 }\nb { d 1:2:4 }\n"),
            "pmns:3: node b is there twice [PMD-301]");
  EXPECT_EQ(Read("root { a 1:2:3 }\na { b 1:2:4 }\n"),
            "pmns:2: node a is not below root [PMD-301]");
  EXPECT_EQ(Read("root { a 29:*:* }\na { b 1:2:4 }\n"),
            "pmns:2: node a is not below root [PMD-301]");
}

TEST(Pmns, NeedsItsBracesAsWords) {  // PMD-302
  EXPECT_EQ(Read("root{ a 1:2:3 }\n"),
            "pmns:1: the path of a node expected, not root{ [PMD-305]");  // T45
  EXPECT_EQ(Read("root a { b 1:2:3 }\n"), "pmns:1: { expected, not a [PMD-302]");
  EXPECT_EQ(Read("root { { a 1:2:3 }\n"), "pmns:1: a name or } expected, not { [PMD-302]");
  EXPECT_EQ(Read("root { a 1:2:3 } }\n"), "pmns:1: the path of a node expected, not } [PMD-302]");
  EXPECT_EQ(Read("root { a 1:2:3}\n"),
            "pmns:1: a name, a PMID or } expected, not 1:2:3} [PMD-305]");
  EXPECT_EQ(Read("root { 1:2:3 }\n"), "pmns:1: a name or } expected, not 1:2:3 [PMD-302]");
}

TEST(Pmns, MayHaveEntriesAnywhereOnLines) {  // PMD-302
  EXPECT_EQ(Read("root { a 1:2:3 b 1:2:4 c }\nc { d 1:2:5 }\n"), "a 1.2.3, b 1.2.4, c.d 1.2.5");
  EXPECT_EQ(Read("root\n{\na\n1:2:3\n}\n"), "a 1.2.3");
  EXPECT_EQ(Read("root { a 1 : 2 : 3\n b 1: 2 :4 }\n"), "a 1.2.3, b 1.2.4");
  EXPECT_EQ(Read("root {\r\n\f a\v 1:2:3\r\n}\r\n"), "a 1.2.3");
}

TEST(Pmns, LosesItsEmptyNodes) {  // PMD-302
  EXPECT_EQ(Read("root { a 1:2:3 b }\nb { }\n"),
            "a 1.2.3\npmns:2: warning: node b is empty and left out [PMD-302]");
  EXPECT_EQ(Read("root { a 1:2:3 b }\nb { c }\nb.c { }\n"),
            "a 1.2.3\npmns:3: warning: node b.c is empty and left out [PMD-302]");
  EXPECT_EQ(Read("root { }\n"), "");
}

TEST(Pmns, MayEndAnywhere) {  // PMD-302
  EXPECT_EQ(Read("root { a 1:2:3\n"), "a 1.2.3");
  EXPECT_EQ(Read("root\n"), "");
  EXPECT_EQ(Read("root { a 1:2:3 b }\nb {\n").substr(0, 7), "a 1.2.3");
}

TEST(Pmns, DoesNotHaveALastLineWithoutNewline) {  // PMD-302, PMD-306
  EXPECT_EQ(Read("root {\n a 1:2:3\n b 1:2:4 }"),
            "a 1.2.3\npmns:3: warning: the last line has no newline and is not read [PMD-306]");
}

TEST(Pmns, HasPmidsInTheirRanges) {  // PMD-303, T45
  EXPECT_EQ(Read("root { a 510:4095:1023 b 0:0:0 c 010:2:3 }\n"),
            "a 510.4095.1023, b 0.0.0, c 10.2.3");
  EXPECT_EQ(Read("root { a 511:0:0 }\n"),
            "pmns:1: PMID 511:0:0: the domain is above 510 [PMD-303]");
  EXPECT_EQ(Read("root { a 1:4096:0 }\n"),
            "pmns:1: PMID 1:4096:0: the cluster is above 4095 [PMD-303]");
  EXPECT_EQ(Read("root { a 1:1:1024 }\n"),
            "pmns:1: PMID 1:1:1024: the item is above 1023 [PMD-303]");
  EXPECT_EQ(Read("root { a 1:99999999999:0 }\n"),
            "pmns:1: PMID 1:99999999999:0: the cluster is above 4095 [PMD-303]");
  for (const char* spec : {"1:2", "1::3", "29:3:*", "29:*:3", "29:*:*:*", "*:*:*", "511:*:*",
                           "29:*", "1:2:3:4:5", "600", "*"}) {
    EXPECT_THAT(Read(std::string("root { a ") + spec + " }\n"), testing::HasSubstr("[PMD-303]"))
        << spec;
  }
  for (const char* spec : {"-1:2:3", "+1:2:3", "0x1:2:3", "1:2:3:x", "1:2:3b", "1:2:"}) {
    EXPECT_THAT(Read(std::string("root { a ") + spec + " }\n"),
                testing::HasSubstr("a name, a PMID or } expected"))
        << spec;
  }
}

TEST(Pmns, HasDynamicSubtrees) {  // PMD-303, T45
  EXPECT_EQ(Read("root { a 29:*:* b }\nb { c 30 : * : * d 1:1:1 e 29:*:* }\n"),
            "a 29.*.*, b.c 30.*.*, b.d 1.1.1, b.e 29.*.*");
  EXPECT_EQ(
      Read("root { a 510 }\n"),
      "a 510.*.*\npmns:1: warning: PMID 510: a lone number is taken for a dynamic subtree, as "
      "510:*:* [PMD-303]");
}

TEST(Pmns, IgnoresAFourthPart) {  // PMD-303, T45
  EXPECT_EQ(Read("root { a 1:2:3:99999999999 b 1:2:5 }\n"),
            "a 1.2.3, b 1.2.5\npmns:1: warning: PMID 1:2:3:99999999999: the fourth part is ignored "
            "[PMD-303]");
}

TEST(Pmns, HasANameOnceInANode) {  // PMD-304
  EXPECT_EQ(Read("root { a 1:2:3\n a 1:2:4 }\n"),
            "pmns:2: name a is in node root already [PMD-304]");
  EXPECT_EQ(Read("root { b }\nb { c 1:2:4 c 1:2:4 }\n"),
            "pmns:2: name c is in node b already [PMD-304]");
  EXPECT_EQ(Read("root { b c }\nb { x 1:2:3 }\nc { x 1:2:4 }\n"), "b.x 1.2.3, c.x 1.2.4");
}

TEST(Pmns, HasAPmidUnderTwoNamesOnlyWhereThatIsAllowed) {  // PMD-304
  EXPECT_EQ(Read("root { a 1:2:3 b 1:2:3 }\n"), "a 1.2.3, b 1.2.3");
  EXPECT_EQ(ReadUnique("root { a 1:2:3\n b 1:2:3 }\n"),
            "pmns:2: PMID 1.2.3 of b is that of a already [PMD-304]");
  EXPECT_EQ(ReadUnique("root { a 29:*:* b 29:*:* }\n"), "a 29.*.*, b 29.*.*");
}

TEST(Pmns, HasNamesOfLettersDigitsAndUnderscores) {  // PMD-305
  EXPECT_EQ(Read("root { a_B1_ 1:2:3 A_b1_ 1:2:4 }\n"), "a_B1_ 1.2.3, A_b1_ 1.2.4");
  for (const char* name : {"a-b", "1a", "_a", "a.b", "\xc3\xa4", "a:b"}) {
    EXPECT_THAT(Read(std::string("root { ") + name + " 1:2:3 }\n"),
                testing::HasSubstr("a name or } expected, not "))
        << name;
  }
  EXPECT_THAT(Read("root { a-b 1:2:3 }\n"), testing::HasSubstr("[PMD-305]"));
  EXPECT_THAT(Read("root { \x1b[31m 1:2:3 }\n"), testing::HasSubstr("not \\x1b[31m"));
}

TEST(Pmns, HasLinesOfUpTo254Characters) {  // PMD-305
  const std::string begin = "root { a 1:2:3";
  const auto padded = [&](std::size_t size) {
    return begin + std::string(size - begin.size() - 2, ' ') + " }\n";
  };
  EXPECT_EQ(Read(padded(254)), "a 1.2.3");
  EXPECT_EQ(Read(padded(255)), "pmns:1: a line longer than 254 characters [PMD-305]");
  EXPECT_EQ(Read("/*" + std::string(300, 'x') + "*/\n"),
            "pmns:1: a line longer than 254 characters [PMD-305]");
  EXPECT_EQ(Read("#define N " + std::string(300, 'x') + "\nroot { a 1:2:3 }\n"), "a 1.2.3");
  EXPECT_EQ(Read("#define N " + std::string(200, 'x') + "\nroot { N N }\n"),
            "pmns:2: a line longer than 254 characters [PMD-305]");
}

TEST(Preprocessor, MakesBlanksOfComments) {  // PMD-306
  EXPECT_EQ(Read("root { /* x */ a 1:2:3 /* 1 *//* 2\n3 */ b/**/1:2:4 /*/ c */ }\n"),
            "a 1.2.3, b 1.2.4");
  EXPECT_EQ(Read("root { a 1:2:3 }\n/* never\nclosed\n"),
            "pmns:2: a comment that is not closed [PMD-306]");
  EXPECT_THAT(Read("root { a 1:2:3 } // no comment\n"), testing::HasSubstr("not // [PMD-305]"));
}

TEST(Preprocessor, ReplacesMacrosOnce) {  // PMD-306
  EXPECT_EQ(Read("#define SIMPLE 253\nroot { s }\ns { n SIMPLE:0:0 d SIMPLE:*:* SIMPLE_ 1:2:3 }\n"),
            "s.n 253.0.0, s.d 253.*.*, s.SIMPLE_ 1.2.3");
  EXPECT_EQ(Read("#define A B\n#define B A\nroot { A 1:2:3 B 1:2:4 }\n"), "B 1.2.3, A 1.2.4");
  EXPECT_EQ(Read("#define A \"b 1:2:3\"\n#define Q 'c 1:2:4'\nroot { A Q }\n"), "b 1.2.3, c 1.2.4");
  EXPECT_EQ(Read("#define A\nroot { A b 1:2:3 }\n#undef A\n#undef X\n"), "b 1.2.3");
  EXPECT_EQ(Read("#define A /* c */ 5 /* d */\nroot { b A:2:3 }\n"), "b 5.2.3");
}

TEST(Preprocessor, RefusesWhatIsNoDefinition) {  // PMD-306
  EXPECT_EQ(Read("#define A 1\n#define A 1\n"), "pmns:2: macro A is defined already [PMD-306]");
  EXPECT_EQ(Read("#define A one two\n"), "pmns:1: text after the value of A [PMD-306]");
  EXPECT_EQ(Read("#define A \"one\n"), "pmns:1: the value's closing quote is missing [PMD-306]");
  EXPECT_EQ(Read("#define F(x) x\n"), "pmns:1: not a macro name: F(x) [PMD-306]");
  EXPECT_EQ(Read("#define 1A x\n"), "pmns:1: not a macro name: 1A [PMD-306]");
  EXPECT_EQ(Read("#define\n"), "pmns:1: a macro name is missing [PMD-306]");
  EXPECT_EQ(Read("#undef\n"), "pmns:1: a macro name is missing [PMD-306]");
}

TEST(Preprocessor, LeavesOutByConditions) {  // PMD-306
  EXPECT_EQ(Read("#define A\n#ifdef A\nroot { a 1:2:3 }\n#else\nx\n#endif\n"
                 "#ifndef A\nx\n#else\n#endif\n#ifdef B\n#define C\n#include \"none\"\n#endif\n"
                 "#ifdef C\nx\n#endif\n"),
            "a 1.2.3");
  EXPECT_EQ(Read("#ifdef A\n#ifdef B\n"), "pmns:2: #ifdef and #ifndef cannot be nested [PMD-306]");
  EXPECT_EQ(Read("root { }\n#ifdef A\n"), "pmns:2: a condition without #endif [PMD-306]");
  EXPECT_EQ(Read("#endif\n"), "pmns:1: #endif without #ifdef or #ifndef [PMD-306]");
  EXPECT_EQ(Read("#else\n"), "pmns:1: #else without #ifdef or #ifndef [PMD-306]");
  EXPECT_EQ(Read("#ifdef A B\n"), "pmns:1: text after the macro name A [PMD-306]");
  EXPECT_EQ(Read("#ifdef A\n#else x\n"), "pmns:2: text after #else [PMD-306]");
  EXPECT_EQ(Read("#ifdef A\n#endif x\n"), "pmns:2: text after #endif [PMD-306]");
}

TEST(Preprocessor, IncludesFilesUpToADepth) {  // PMD-306
  const IncludeReader files = Files({{"f", "X 1:2:3\n"},
                                     {"1", "#include \"2\"\n"},
                                     {"2", "#include \"3\"\n"},
                                     {"3", "#include \"4\"\n"},
                                     {"4", "root { a 1:2:3 }\n"},
                                     {"0", "#include \"1\"\n"},
                                     {"self", "#include <self>\n"},
                                     {"open", "#ifdef A\n"},
                                     {"bad", "\nroot { a b-c }\n"}});
  EXPECT_EQ(Read("#define X y\nroot {\n#include <f>\n}\n", files), "y 1.2.3");
  EXPECT_EQ(Read("#include \"1\"\n", files), "a 1.2.3");
  EXPECT_EQ(Read("#include \"0\"\n", files), "3:1: #include deeper than 5 files [PMD-306]");
  EXPECT_EQ(Read("#include <self>\n", files), "self:1: #include deeper than 5 files [PMD-306]");
  EXPECT_EQ(Read("#include \"none\"\n", files),
            "pmns:1: cannot include none: No such file or directory [PMD-306]");
  EXPECT_EQ(Read("#include \"open\"\n", files), "open:1: a condition without #endif [PMD-306]");
  EXPECT_EQ(Read("#include \"bad\"\n", files),
            "bad:2: a name, a PMID or } expected, not b-c [PMD-305]");
  EXPECT_EQ(Read("#include f\n", files), "pmns:1: \" or < expected after #include [PMD-306]");
  EXPECT_EQ(Read("#include \"f\n", files), "pmns:1: \" expected after the file's name [PMD-306]");
  EXPECT_EQ(Read("#include <f> x\n", files), "pmns:1: text after the file's name [PMD-306]");
}

TEST(Preprocessor, RefusesOtherLinesWithANumberSign) {  // PMD-306
  EXPECT_EQ(Read("#pragma x\nroot { a 1:2:3 }\n"), "pmns:1: not a directive: #pragma x [PMD-306]");
  EXPECT_EQ(Read("root {\n #define A\n}\n"), "pmns:2: not a directive: #define A [PMD-306]");
  EXPECT_EQ(Read("#ifdef A\n#x\n#endif\n"), "pmns:2: not a directive: #x [PMD-306]");
  EXPECT_EQ(Read("# 12\n"), "pmns:1: not a directive: # 12 [PMD-306]");
  EXPECT_EQ(Read("#shell \"echo\"\n"), "pmns:1: #shell is not supported [PMD-306]");
}

TEST(Preprocessor, ObeysLineMarkers) {  // PMD-306
  EXPECT_EQ(Read("# 12 \"foo\"\nroot {\n a-b\n"),
            "foo:13: a name or } expected, not a-b [PMD-305]");
  EXPECT_EQ(Read("root { a 1:2:3\n# 44 \"foo\"\n b 1:2:4 }\n"), "a 1.2.3, b 1.2.4");
}

TEST(Preprocessor, RefusesNulBytes) {
  EXPECT_EQ(Read(std::string_view("root { \0 }\n", 11)), "pmns:1: a NUL byte [PMD-306]");
}

TEST(Preprocessor, DoesNotGrowWithoutBounds) {
  std::string wide;
  for (int i = 0; i < 1000; ++i) wide += "#include \"b\"\n";
  EXPECT_THAT(Read("#include \"a\"\n#include \"a\"\n",
                   Files({{"a", wide}, {"b", std::string(2000, '\n')}})),
              testing::HasSubstr("with all that is included"));
  std::string macros = "#define A " + std::string(100000, 'a') + "\n";
  for (int i = 0; i < 1000; ++i)
    macros += "A A A A A A A A A A A A A A A A A A A A A A A A A A A\n";
  EXPECT_THAT(Read(macros), testing::HasSubstr("[PMD-305]"));
}

TEST(WritePmns, WritesWhatReadsBack) {
  const std::string source =
      "root {\n    a\t1:2:3\n    b\n    c\t29:*:*\n    e\n}\n\n"
      "b {\n    x\t510:4095:1023\n    d\n}\n\nb.d {\n    y\t0:0:0\n}\n\ne {\n    z\t1:2:3\n}\n";
  const auto read = ReadPmns(source, "pmns");
  ASSERT_TRUE(read);
  EXPECT_EQ(*WritePmns(read->names), source);
  EXPECT_EQ(*WritePmns(NameTree()), "root {\n}\n");
}

TEST(WritePmns, RefusesWhatNoSourceCanSay) {  // PMD-300, PMD-305
  NameTree long_name;
  long_name.Add(std::string(300, 'a'), Pmid::Of(1, 2, 3));
  EXPECT_EQ(WritePmns(long_name).error().clause, "PMD-305"_clause);
  NameTree deep;
  std::string name = "a";
  for (int i = 0; i < 100000; ++i) name += ".a";
  deep.Add(name, Pmid::Of(1, 2, 3));
  EXPECT_EQ(WritePmns(deep).error().clause, "PMD-305"_clause);
  NameTree root;
  root.Add("root.a", Pmid::Of(1, 2, 3));
  EXPECT_EQ(WritePmns(root).error().clause, "PMD-300"_clause);
}

std::string ArbitraryName() {
  const auto component = rc::gen::map(
      rc::gen::pair(rc::gen::element('a', 'b', 'Z'),
                    rc::gen::container<std::string>(rc::gen::element('a', '_', '7', 'Q'))),
      [](const std::pair<char, std::string>& parts) {
        return parts.first + parts.second.substr(0, 8);
      });
  const auto components =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(component));
  std::string name;
  for (std::size_t i = 0; i < components.size() && i < 12; ++i) {
    name += (i == 0 ? "" : ".") + components[i];
  }
  return name;
}

NameTree ArbitraryTree() {
  NameTree tree;
  const std::size_t count = *rc::gen::inRange<std::size_t>(0, 40);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t domain = *rc::gen::inRange<std::uint32_t>(0, 511);
    const Pmid pmid = *rc::gen::weightedOneOf<Pmid>(
        {{4, rc::gen::map(rc::gen::arbitrary<std::uint32_t>(),
                          [=](std::uint32_t low) { return Pmid::Of(domain, low >> 10, low); })},
         {1, rc::gen::just(DynamicRoot(domain))}});
    tree.Add(ArbitraryName(), pmid);
  }
  return tree;
}

RC_GTEST_PROP(PmnsProperty, ATreeIsReadAsItWasWritten, ()) {
  const NameTree tree = ArbitraryTree();
  const auto text = WritePmns(tree);
  RC_ASSERT(text.has_value());
  const auto read = ReadPmns(*text, "pmns");
  RC_ASSERT(read.has_value());
  RC_ASSERT(read->warnings.empty());
  RC_ASSERT(read->names == tree);
}

RC_GTEST_PROP(PmnsProperty, EveryNameIsFoundByItsNodesAndItsPmid, ()) {
  const NameTree tree = ArbitraryTree();
  const auto leaves = *tree.Traverse("");
  RC_ASSERT(leaves.size() == tree.size());
  for (const NameTree::Leaf& leaf : leaves) {
    RC_ASSERT(*tree.Find(leaf.name) == leaf.pmid);
    const auto names = tree.NamesOf(leaf.pmid);
    RC_ASSERT(IsDynamicRoot(leaf.pmid) ||
              std::find(names.begin(), names.end(), leaf.name) != names.end());
    RC_ASSERT(*tree.Traverse(leaf.name) == std::vector<NameTree::Leaf>{leaf});
  }
}

// What is read is a tree that can be written and read again; what is refused says where and why.
RC_GTEST_PROP(PmnsProperty, AnyTextIsReadOrRefusedWithAReason, ()) {
  const auto words = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "root", "{", "}", "a", "b", "a.b", "1:2:3", "29:*:*", ":", "1", "#", "#define", "#ifdef",
      "#else", "#endif", "#include", "#undef", "\"a\"", "/*", "*/", "\n", "\n", "\n", "x-y", "\\"));
  std::string text = *rc::gen::element<std::string>("", "root {\n");
  for (const std::string& word : words) text += word + *rc::gen::element<std::string>(" ", "");
  text += "\n";
  const auto read = ReadPmns(text, "pmns", Files({{"a", text}}));
  if (!read) {
    RC_ASSERT(!read.error().clause.empty());
    RC_ASSERT(!read.error().file.empty());
    return;
  }
  const auto written = WritePmns(read->names);
  RC_ASSERT(written.has_value());
  RC_ASSERT(ReadPmns(*written, "pmns")->names == read->names);
}

}  // namespace
}  // namespace pmproof::pmda
