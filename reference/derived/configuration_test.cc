// SPDX-License-Identifier: Apache-2.0
// DER sections 3 and 4. What PCP says was observed of 6.0.3, 6.3.8 and 7.2.2;
// qa/beside_pcp/configuration compares more.

#include "reference/derived/configuration.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace pmproof::derived {
namespace {

// What was loaded, and all that is said of it.
class Loaded final : public ConfigurationListener {
 public:
  explicit Loaded(const Dialect& dialect) : registry(Registry::Scope::kGlobal, dialect) {}

  void OnDefinition(const Definition& definition, std::string_view file,
                    std::uint64_t line) override {
    names += names.empty() ? "" : " ";
    names += definition.name;
    lines += lines.empty() ? "" : " ";
    lines += std::string(file) + ":" + std::to_string(line);
  }
  void OnProblem(const ConfigurationProblem& problem) override {
    said += ToText(problem);
    problems.push_back(problem);
  }

  Registry registry;
  Controls controls;
  std::string names;
  std::string lines;
  std::string said;
  std::vector<ConfigurationProblem> problems;
  std::uint64_t count = 0;
};

Loaded Load(std::string_view text, const Dialect& dialect = kV72) {
  Loaded loaded(dialect);
  loaded.count = LoadConfiguration(text, "f", {&loaded.registry, &loaded.controls}, loaded);
  return loaded;
}

std::string Said(std::string_view text, const Dialect& dialect = kV72) {
  return Load(text, dialect).said;
}

std::string OneLine(const Loaded& loaded, std::string_view name) {
  const DefinitionPointer definition = loaded.registry.Find(name);
  return definition ? definition->oneline.value_or("none") : "no metric";
}

std::string Error(std::string_view what, std::string_view line) {
  return "[f:1] Error: pmLoadDerivedConfig: " + std::string(what) + "\n" + std::string(line) + "\n";
}

TEST(ConfigurationTest, ALineIsADefinition) {  // DER-302, 304, 307
  const Loaded loaded = Load("a.b = 1 + 2\n  c\t=3\n");
  EXPECT_EQ(loaded.count, 2U);
  EXPECT_EQ(loaded.names, "a.b c");
  EXPECT_EQ(loaded.lines, "f:1 f:2");
  EXPECT_EQ(loaded.registry.Find("a.b")->expression->source(), "1 + 2");
  EXPECT_EQ(loaded.said, "");
}

TEST(ConfigurationTest, ALastLineWithoutNewlineIsIgnored) {  // DER-304
  EXPECT_EQ(Load("a = 1\nb = 2").names, "a");
  EXPECT_EQ(Said("no equals"), "");
  EXPECT_EQ(Load("a = 1\na(oneline) = \"x\"").names, "a");
  EXPECT_EQ(Load("a = 1 \\\n").names, "");
}

TEST(ConfigurationTest, BackslashAndNewlineJoinLines) {  // DER-305
  const Loaded loaded = Load("a = 1 + \\\n 2\nb = 1 1\n# no \\\nc = 1\nd = \\\\\n");
  EXPECT_EQ(loaded.registry.Find("a")->expression->source(), "1 +  2");
  EXPECT_EQ(loaded.names, "a");
  EXPECT_EQ(loaded.problems.at(0).line, 3U);
  EXPECT_EQ(loaded.problems.size(), 1U);
  const Loaded v60 = Load("a = 1 + \\\n", kV60);
  EXPECT_EQ(v60.said,
            "[f:1] Error: pmRegisterDerived(a, ...) syntax error\n 1 + \\\n     ^\n"
            "Illegal character\n");
}

TEST(ConfigurationTest, CommentsBeginLinesAndBlanksAreNoEmptyLine) {  // DER-306
  const Loaded loaded = Load("# = =\n\n   \n # no\na = 1 # no\n");
  ASSERT_EQ(loaded.problems.size(), 3U);
  EXPECT_EQ(loaded.problems[0].line, 3U);
  EXPECT_EQ(loaded.problems[0].clause, "DER-321"_clause);
  EXPECT_EQ(loaded.problems[0].shown, "   \n");
  EXPECT_EQ(loaded.problems[1].clause, "DER-321"_clause);
  EXPECT_EQ(loaded.problems[2].refused->message, "Illegal character");
}

TEST(ConfigurationTest, WhatIsNoDefinitionIsSaid) {
  EXPECT_EQ(Said("a.b 1\n"), Error("missing ``='' after derived metric name", "a.b 1"));  // DER-321
  EXPECT_EQ(Said(" = 1\n"), Error("derived metric name missing", " = 1"));                // DER-322
  EXPECT_EQ(Said("1a = \n"),
            "[f:1] Error: pmLoadDerivedConfig: illegal derived metric name (1a)\n");  // DER-323
  EXPECT_EQ(Said("a =  \n"), Error("expression missing", "a =  "));                   // DER-324
  EXPECT_EQ(Said("a. = 1\n"), "");                                                    // DER-202
}

TEST(ConfigurationTest, TheCaretIsUnderThePlace) {  // DER-325
  EXPECT_EQ(Said("d.syn = \ta b c\n"),
            "[f:1] Error: pmRegisterDerived(d.syn, ...) syntax error\n \ta b c\n \t  ^  \n"
            "Arithmetic or relational or boolean operator expected to follow NAME\n");
  EXPECT_EQ(Said("x = 1 2\n"), "[f:1] Error: pmRegisterDerived(x, ...) syntax error\n 1 2\n   ^\n");
  EXPECT_EQ(Load("x =  1 2\n").problems.at(0).refused->position, 2);
  EXPECT_EQ(Load("x =  1 2\n").problems.at(0).expression, "1 2");
}

TEST(ConfigurationTest, ANameIsTakenOnce) {  // DER-203, 325
  EXPECT_EQ(Said("x = 1\nx = 2\n"),
            "[f:2] Error: pmRegisterDerived(x, ...) syntax error\n 2\n ^\n"
            "Duplicate global derived metric name\n");
}

TEST(ConfigurationTest, ParenthesesBelongTogether) {  // DER-326
  EXPECT_EQ(Said("a(oneline = x\n"), Error("missing ')' after attribute", "a(oneline = x"));
  EXPECT_EQ(Said("a oneline) = x\n"),
            "[f:1] Error: pmLoadDerivedConfig: illegal derived metric name (a oneline))\n");
  EXPECT_EQ(Said("a)one( = x\n"),
            "[f:1] Error: pmLoadDerivedConfig: illegal derived metric name (a)one)\n");
  EXPECT_EQ(Said("a = avg(b)\n"), "");
}

TEST(ConfigurationTest, AnAttributeHasANameAndAValue) {  // DER-327
  EXPECT_EQ(Said("a( ) = x\n"), Error("attribute name missing", "a( ) = x"));
  EXPECT_EQ(Said("a(oneline) =  \n"), Error("attribute value missing", "a(oneline) =  "));
  EXPECT_EQ(Said("a(oneline) = \"\n"), Error("attribute value missing", "a(oneline) = \""));
}

TEST(ConfigurationTest, TheChecksOfALineHaveAnOrder) {  // DER-311
  const auto clause = [](std::string_view line) {
    return Load(std::string(line) + "\n").problems.at(0).clause;
  };
  EXPECT_EQ(clause("1b(x)"), "DER-321"_clause);
  EXPECT_EQ(clause("(x = y"), "DER-322"_clause);
  EXPECT_EQ(clause("1b(x = y"), "DER-323"_clause);
  EXPECT_EQ(clause("1b ="), "DER-323"_clause);
  EXPECT_EQ(clause("a( ="), "DER-326"_clause);
  EXPECT_EQ(Load("a() =\n").problems.at(0).message, "pmLoadDerivedConfig: attribute name missing");
  EXPECT_EQ(clause("a(foo) ="), "DER-327"_clause);
  EXPECT_EQ(clause("a(foo) = \"x\" y"), "DER-308"_clause);
  EXPECT_EQ(clause("a(foo) = x"), "DER-329"_clause);
}

TEST(ConfigurationTest, ValuesAreTheRestOfTheLineOrQuoted) {  // DER-308
  const auto value = [](const std::string& text) {
    return OneLine(Load("a = 1\na(oneline) = " + text + "\n"), "a");
  };
  EXPECT_EQ(value("\t short text  "), "short text  ");
  EXPECT_EQ(value("'it\\'s \"q\" \\n'"), "it's \"q\" n");
  EXPECT_EQ(value("\"two\nlines\""), "two\nlines");
  EXPECT_EQ(value("\"\""), "");
  EXPECT_EQ(value("\"a\nb\\\\\nc\\\nd\""), "a\nb\\\ncd");
  EXPECT_EQ(value("\"a\\\nb\\\\\nc\""), "abc");
  EXPECT_EQ(OneLine(Load("a = 1\na(oneline)=\"a\\\nb\\\\\nc\"\n", kV60), "a"), "ab\\\nc");
}

TEST(ConfigurationTest, TextBehindAQuoteIsIgnoredWithAWarning) {  // DER-308
  const Loaded loaded = Load("a = 1\na(oneline) = \"x\" y \nb = 2\n");
  EXPECT_EQ(loaded.said,
            "[f:2] Warning: pmLoadDerivedConfig: extra text (y ) after attribute value will be "
            "ignored\n");
  EXPECT_EQ(OneLine(loaded, "a"), "x");
  EXPECT_EQ(loaded.names, "a b");
  EXPECT_EQ(Said("a = 1\na(oneline) = \"x\"  \n"), "");
}

TEST(ConfigurationTest, BehindAValueOverLinesOneCharacterIsPassedOver) {  // DER-312
  const auto said = [](const std::string& behind, const Dialect& dialect = kV72) {
    return Said("a = 1\na(oneline) = \"x\ny\"" + behind + "\n", dialect);
  };
  const auto extra = [](const std::string& text) {
    return "[f:2] Warning: pmLoadDerivedConfig: extra text (" + text +
           ") after attribute value will be ignored\n";
  };
  for (const Dialect* dialect : {&kV60, &kV63, &kV72}) {
    EXPECT_EQ(said("one", *dialect), extra("ne"));
    EXPECT_EQ(said("\"\" z", *dialect), extra("\" z"));
    EXPECT_EQ(said("z", *dialect), "");
    EXPECT_EQ(said("z two", *dialect), extra("two"));
    EXPECT_EQ(said(" two", *dialect), extra("two"));
    EXPECT_EQ(said("", *dialect), "");
    EXPECT_EQ(said(std::string("\0two", 4), *dialect), extra("two"));
    EXPECT_EQ(said(std::string("z\0two", 5), *dialect), "");
  }
  EXPECT_EQ(Load("a = 1\na(oneline) = \"x\ny\"\nb = 2\n").names, "a b");
  // A joined line is one line.
  EXPECT_EQ(Said("a = 1\na(oneline) = \"x\\\ny\"one\n"), extra("one"));
  EXPECT_EQ(Said("a = 1\na(oneline) = \"x\\\ny\"one\n", kV60), extra("ne"));
}

TEST(ConfigurationTest, BeforeTheyAreContinuedLinesOfAValueCountOneTooLittle) {  // section 3
  const std::string text = "a = 1\na(oneline) = \"x\n\ny\" z\nb\n";
  const Loaded v72 = Load(text);
  EXPECT_EQ(v72.problems.at(0).line, 2U);
  EXPECT_EQ(v72.problems.at(1).line, 5U);
  const Loaded v60 = Load(text, kV60);
  EXPECT_EQ(v60.problems.at(0).line, 3U);
  EXPECT_EQ(v60.problems.at(1).line, 4U);
}

TEST(ConfigurationTest, AnOpenQuoteEndsTheFile) {  // DER-328
  const std::string text = "a = 1\na(oneline) = 'x\nb = 2\nc = 3\n";
  EXPECT_EQ(Said(text), "[f:2] Error: pmLoadDerivedConfig: missing termination (') for value\n");
  EXPECT_EQ(Load(text).names, "a");
  EXPECT_EQ(Said(text, kV60),
            "[f:4] Error: pmLoadDerivedConfig: missing termination (') for value\n");
}

TEST(ConfigurationTest, AttributesAreSetOnceOfMetricsThatAreThere) {  // DER-309, 329
  EXPECT_EQ(Said("a(foo) = x\n"),
            Error("cannot set attribute, derived metric (a) not defined", "a(foo) = x"));
  const Loaded loaded = Load("a = 1\na(oneline) = x\na(ONELINE) = y\na(oneline) = \"z\n\"\n");
  EXPECT_EQ(loaded.said,
            "[f:3] Error: pmLoadDerivedConfig: attribute (ONELINE) is unknown for metric (a)\n"
            "a(ONELINE) = y\n"
            "[f:4] Error: pmLoadDerivedConfig: duplicate value for attribute (oneline) of metric "
            "(a)\na(oneline) = \"z\n");
  EXPECT_EQ(OneLine(loaded, "a"), "x");
}

TEST(ConfigurationTest, EventMetricsHaveTheirHelp) {  // DER-208, 329
  for (const Dialect* dialect : {&kV60, &kV63, &kV72}) {
    EXPECT_NE(Said("event.flags(oneline) = x\n", *dialect).find("duplicate value"),
              std::string::npos);
    EXPECT_NE(Said("event.missed(helptext) = x\n", *dialect).find("duplicate value"),
              std::string::npos);
  }
}

TEST(ConfigurationTest, AControlLineWithoutTextTakesNoneOfAnEarlierLine) {  // DER-408
  EXPECT_EQ(Said("#control\n"), "[f:1] Error: missing '=' in derived metric control ()\n");
  EXPECT_EQ(Said("#23456789o=1\n#Control\n"),
            "[f:2] Error: missing '=' in derived metric control ()\n");
  EXPECT_FALSE(Load("#23456789o=1\n#Control\n").controls.option_novalue());
}

TEST(ConfigurationTest, ControlLinesHoldFromWhereTheyStand) {  // DER-402, 405
  const Loaded loaded = Load("a = 1\n#Control:g=1,o=1\nb = 2\n#CONTROL g=-1\nc = 3\n#con o=0\n");
  EXPECT_EQ(loaded.names, "a c");
  EXPECT_TRUE(loaded.controls.option_novalue());
  EXPECT_EQ(loaded.problems.at(0).refused->message, "Too many global derived metrics");
  EXPECT_EQ(Said("#control novalue=1\n"),
            "[f:1] Warning: unknown derived metric control (novalue)\n");
  EXPECT_EQ(Said(" #control o=1\n"),
            "[f:1] Error: pmLoadDerivedConfig: illegal derived metric name (#control o)\n");
}

TEST(ConfigurationTest, BeforeControlsTheirLinesAreComments) {  // DER-108
  const Loaded loaded = Load("#control g=1,novalue\na = 1\nb = 2\n", kV63);
  EXPECT_EQ(loaded.names, "a b");
  EXPECT_EQ(loaded.said, "");
}

TEST(ConfigurationTest, CarriageReturnsAreBlanks) {
  EXPECT_EQ(Load("# x\r\na = 1\r\n").names, "a");
  EXPECT_EQ(Said("a =\r\n"), Error("expression missing", "a =\r"));
}

TEST(ConfigurationTest, HostileTextTakesItsTimeOnce) {
  // NOLINTNEXTLINE(bugprone-string-constructor): the length is what is tested
  Loaded loaded = Load("a = 1 " + std::string(20'000'000, '\\') + " \n");
  EXPECT_EQ(loaded.problems.size(), 1U);
  std::string joined = "a = 1";
  for (int i = 0; i < 2'000'000; ++i) joined += "\\\n";
  EXPECT_EQ(Load(joined + "\n").names, "a");
  // NOLINTNEXTLINE(bugprone-string-constructor): the length is what is tested
  EXPECT_EQ(Said("a = 1\na(oneline) = \"x" + std::string(20'000'000, '\n')),
            "[f:2] Error: pmLoadDerivedConfig: missing termination (\") for value\n");
  EXPECT_EQ(Load(std::string(1'000'000, '(') + "=\n").problems.size(), 1U);
  EXPECT_EQ(Load(std::string("a\0b = 1\0 2\n", 11)).names, "a");
}

class ConfigurationPathTest : public testing::Test {
 protected:
  void Add(const std::string& path, std::string_view text) {
    storage_.files[path].assign(text.begin(), text.end());
  }
  Result<std::uint64_t> LoadPath(std::string_view path) {
    return LoadConfigurationPath(storage_, path, {&loaded_.registry, &loaded_.controls}, loaded_);
  }

  archive::MemoryStorage storage_;
  Loaded loaded_{kV72};
};

TEST_F(ConfigurationPathTest, AComponentWithoutNameIsNotThere) {  // DER-301
  Add("one", "a = 1\n");
  Add("two", "b = 1\n");
  for (const char* path : {":", ":one", "::"}) {
    EXPECT_EQ(LoadPath(path).error().kind, Status::Kind::kNotFound) << path;
  }
  EXPECT_EQ(loaded_.names, "");
  EXPECT_EQ(LoadPath("one::two").error().kind, Status::Kind::kNotFound);
  EXPECT_EQ(loaded_.names, "a");
}

TEST_F(ConfigurationPathTest, ComponentsAndDirectoriesAreLoaded) {  // DER-301, 302
  Add("one", "a = 1\n");
  Add("d/z", "z = 1\n");
  Add("d/.hidden", "h = 1\n");
  Add("d/sub/deep/x", "x = 1\nx\n");
  EXPECT_EQ(*LoadPath("one:d:"), 4U);
  EXPECT_EQ(loaded_.names, "a h x z");
  EXPECT_EQ(loaded_.lines, "one:1 d/.hidden:1 d/sub/deep/x:1 d/z:1");
  EXPECT_EQ(loaded_.problems.at(0).file, "d/sub/deep/x");
  EXPECT_EQ(*LoadPath(""), 0U);
}

TEST_F(ConfigurationPathTest, TheFirstMissingComponentEndsIt) {  // DER-302
  Add("one", "a = 1\n");
  Add("two", "b = 1\n");
  const auto loaded = LoadPath("one:missing:two");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().kind, Status::Kind::kNotFound);
  EXPECT_EQ(loaded_.names, "a");
}

}  // namespace
}  // namespace pmproof::derived
