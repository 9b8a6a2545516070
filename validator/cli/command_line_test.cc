// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "validator/check/report/testing/sample_report.h"
#include "validator/cli/command_table.h"
#include "validator/cli/help.h"
#include "validator/cli/parse.h"

namespace pmproof::validator {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using Words = std::vector<std::string>;

class CommandLineTest : public ::testing::Test {
 protected:
  tl::expected<CommandLine, NothingToRun> Parse(const Words& words) const {
    return ParseCommandLine(words, table_, catalogue_, {});
  }

  // "" if the words are taken, else the message; the status is 2.
  std::string Refusal(const Words& words) const {
    const auto parsed = Parse(words);
    if (parsed) return "";
    EXPECT_EQ(parsed.error().status, ExitStatus::kUsage);
    return parsed.error().text;
  }

  // The page that the words print; the status is 0.
  std::string Page(const Words& words) const {
    const auto parsed = Parse(words);
    if (parsed) return "";
    EXPECT_EQ(parsed.error().status, ExitStatus::kOk) << parsed.error().text;
    return parsed.error().text;
  }

  const CommandTable table_ = AllCommands();
  const Catalogue catalogue_ = testing::SmallCatalogue();
};

Options DeclarationOf(Command& command) {
  Options options;
  command.Declare(options);
  return options;
}

// As a shell takes an example apart; it has no more than blanks and single quotes.
Words WordsOf(const std::string& line) {
  Words words = {""};
  bool quoted = false;
  for (const char c : line) {
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

TEST_F(CommandLineTest, EachCommandHasASummaryExamplesAndExitStatuses) {
  for (const CommandEntry& entry : table_.commands) {
    SCOPED_TRACE(entry.name);
    EXPECT_THAT(std::string(entry.summary), Not(IsEmpty()));
    const auto command = entry.make();
    const Options options = DeclarationOf(*command);
    EXPECT_THAT(options.examples(), Not(IsEmpty()));
    EXPECT_THAT(options.exit_statuses(), HasSubstr("0"));
    for (const Option& option : options.all()) {
      EXPECT_FALSE(option.help.empty() && option.choices.empty()) << option.name();
    }
    EXPECT_THAT(Page({"help", entry.name}), HasSubstr("Exit status: "));
  }
}

TEST_F(CommandLineTest, EachExampleIsACommandLineOfItsCommand) {
  for (const CommandEntry& entry : table_.commands) {
    const auto command = entry.make();
    const Options options = DeclarationOf(*command);
    for (const std::string& example : options.examples()) {
      EXPECT_TRUE(example.starts_with(std::string("pmproof ") + entry.name)) << example;
      Words words = WordsOf(example);
      words.erase(words.begin());
      EXPECT_EQ(Refusal(words), "") << example;
    }
  }
}

TEST_F(CommandLineTest, NoTwoOptionsOfACommandHaveOneName) {
  CommonArguments common;
  for (const CommandEntry& entry : table_.commands) {
    const auto command = entry.make();
    Options options = DeclarationOf(*command);
    DeclareCommon(options, &common);
    std::set<std::string> names = {"-h", "--help", "-V", "--version"};
    for (const Option& option : options.all()) {
      for (const std::string& name : option.names) {
        EXPECT_TRUE(names.insert(name).second) << entry.name << " " << name;
      }
    }
    for (const Option& option : options.all()) {
      for (const std::string& other : option.excludes) EXPECT_TRUE(names.contains(other)) << other;
    }
  }
}

TEST_F(CommandLineTest, EachCommandThatReadsLargeInputsHasOneBudget) {
  const std::set<std::string> inputs = {"ARCHIVE", "CERT", "IN", "ACTUAL", "--archive"};
  for (const CommandEntry& entry : table_.commands) {
    SCOPED_TRACE(entry.name);
    const auto command = entry.make();
    const Options options = DeclarationOf(*command);
    bool reads = std::string(entry.name) == "testee";
    const Option* memory = nullptr;
    for (const Option& option : options.all()) {
      reads = reads || inputs.contains(option.name());
      if (option.name() == "--memory") memory = &option;
    }
    EXPECT_EQ(command->memory() != nullptr, reads);
    ASSERT_EQ(memory != nullptr, reads);
    if (memory == nullptr) continue;
    EXPECT_THAT(memory->help, HasSubstr("may take"));
    EXPECT_THAT(memory->help, HasSubstr("the exit status is 6"));
    EXPECT_EQ(memory->default_value, command->memory()->Text());
    EXPECT_EQ(memory->take("3M"), "");
    EXPECT_EQ(command->memory()->budget().bytes(), std::size_t{3} << 20);
  }
}

TEST_F(CommandLineTest, EachGroupHasCommandsAndAPage) {
  for (const CommandGroup& group : table_.groups) {
    EXPECT_THAT(Page({group.name, "--help"}), HasSubstr(std::string("  ") + group.name + " "));
    EXPECT_THAT(Refusal({group.name}), HasSubstr("no command of"));
  }
}

TEST_F(CommandLineTest, OnlyOneFormatGoesToStandardOutput) {
  EXPECT_THAT(Refusal({"check", "a", "--format", "json", "--format", "text"}),
              HasSubstr("only one --format"));
  EXPECT_THAT(Refusal({"check", "a", "--output", "x", "--output", "y"}),
              HasSubstr("more --output"));
  EXPECT_THAT(Refusal({"check", "a", "--format", "json", "--output", "x", "--format", "text",
                       "--output", "x"}),
              HasSubstr("two --output name one file: x"));
}

TEST_F(CommandLineTest, AnUnknownRuleIsRefusedWithTheNearest) {
  EXPECT_THAT(Refusal({"check", "a", "--rule", "-ARC-1103"}), HasSubstr("nearest: ARC-1102"));
  EXPECT_THAT(Refusal({"check", "a", "--rule", "everything"}), HasSubstr("no rule everything"));
}

TEST_F(CommandLineTest, ASelectionThatLeavesNothingIsRefused) {
  EXPECT_THAT(Refusal({"check", "a", "--rule", "+ARC-1003", "--profile", "live"}),
              HasSubstr("leave no rule"));
}

TEST_F(CommandLineTest, OnlyTakesAListOfParts) {
  EXPECT_EQ(Refusal({"check", "--only", "label,index", "a"}), "");
  EXPECT_THAT(Refusal({"check", "--only", "label,foo", "a"}), HasSubstr("foo"));
}

TEST_F(CommandLineTest, WrongValuesAreRefused) {
  EXPECT_THAT(Refusal({"check", "a", "--format", "xml"}), HasSubstr("xml"));
  EXPECT_THAT(Refusal({"check", "a", "--fail-on", "fatal"}), HasSubstr("fatal"));
  EXPECT_THAT(Refusal({"check", "a", "--profile", "dead"}), HasSubstr("dead"));
  EXPECT_THAT(Refusal({"check", "a", "--jobs", "0"}), HasSubstr("0 is not from 1 to 4096"));
  EXPECT_THAT(Refusal({"check", "a", "--max-findings", "-1"}), HasSubstr("-1 is less than 0"));
  EXPECT_THAT(Refusal({"check", "a", "--max-findings", "18446744073709551616"}),
              HasSubstr("more than 64 bits"));
  EXPECT_THAT(Refusal({"check", "a", "--memory", "-1"}), HasSubstr("-1 is not a size"));
  EXPECT_THAT(Refusal({"check", "a", "--quiet=5"}), HasSubstr("takes no value"));
  EXPECT_THAT(Refusal({"check", "a", "--memory"}), HasSubstr("--memory: a value is missing: SIZE"));
  EXPECT_THAT(Refusal({"check", "a", "--colour", "auto"}),
              HasSubstr("there is no option --colour; nearest: --color"));
}

TEST_F(CommandLineTest, AWrongColourIsSaidInPlainText) {
  const std::string refusal = Refusal({"check", "a", "--color=blah"});
  EXPECT_THAT(refusal, HasSubstr("--color: blah is not one of auto, always, never"));
  EXPECT_EQ(refusal.find_first_of("\x1b\x01"), std::string::npos);
}

TEST_F(CommandLineTest, TheLastValueOfARepeatedOptionWins) {
  const auto parsed = Parse({"--jobs", "7", "check", "a", "--jobs", "2", "--jobs=3", "--fail-on",
                             "info", "--fail-on", "error"});
  ASSERT_TRUE(parsed) << parsed.error().text;
  EXPECT_EQ(parsed->common.jobs, 3U);
}

TEST_F(CommandLineTest, WithoutArchiveThereIsNothingToCheck) {
  EXPECT_THAT(Refusal({"check"}), HasSubstr("no ARCHIVE"));
  EXPECT_EQ(Refusal({"check", "--schema"}), "");
}

TEST_F(CommandLineTest, AnUnknownCommandIsNamedWithTheNearest) {
  EXPECT_THAT(Refusal({"chekc", "a"}), HasSubstr("there is no command chekc; nearest: check"));
  EXPECT_THAT(Refusal({"agent", "serv"}),
              HasSubstr("there is no command agent serv; nearest: serve"));
  EXPECT_THAT(Refusal({"help", "chekc"}), HasSubstr("nearest: check"));
  EXPECT_THAT(Refusal({}), HasSubstr("no command given"));
  EXPECT_THAT(Refusal({"--quiet"}), HasSubstr("no command given"));
  EXPECT_THAT(Refusal({"--quite", "check"}), HasSubstr("nearest: --quiet"));
}

TEST_F(CommandLineTest, CommonOptionsStandBeforeOrAfterTheCommand) {
  for (const Words& words : {Words{"--quiet", "--jobs", "3", "check", "a"},
                             Words{"check", "a", "--quiet", "--jobs", "3"}}) {
    const auto parsed = Parse(words);
    ASSERT_TRUE(parsed) << parsed.error().text;
    EXPECT_TRUE(parsed->common.quiet);
    EXPECT_EQ(parsed->common.jobs, 3U);
  }
  EXPECT_GE(Parse({"list"})->common.jobs, 1U);
}

TEST_F(CommandLineTest, WordsAfterTwoHyphensAreOperands) {
  EXPECT_EQ(Refusal({"agent", "check", "--", "program", "--help", "-x"}), "");
  EXPECT_EQ(Refusal({"check", "--", "-archive"}), "");
  EXPECT_THAT(Refusal({"rewrite", "a", "b", "c"}), HasSubstr("c: one operand too many"));
  EXPECT_THAT(Refusal({"rewrite", "a"}), HasSubstr("OUT is required"));
}

TEST_F(CommandLineTest, HelpAndVersionAreNotErrors) {
  for (const Words& words : {Words{"--help"}, Words{"-h"}, Words{"help"}, Words{"check", "--help"},
                             Words{"help", "check"}, Words{"help", "rules", "diff"},
                             Words{"list", "--help"}, Words{"explain", "--help"}}) {
    EXPECT_THAT(Page(words), HasSubstr("Usage: pmproof"));
  }
  EXPECT_EQ(Page({"help", "check"}), Page({"check", "--help"}));
  for (const char* word : {"--version", "-V", "version"}) {
    EXPECT_THAT(Page({word}), HasSubstr("pmproof 0."));
  }
}

TEST_F(CommandLineTest, TheProgramsPageNamesEachCommandOrItsGroup) {
  const std::string page = Page({"help"});
  for (const CommandEntry& entry : table_.commands) {
    const std::string name = entry.name;
    EXPECT_THAT(page, HasSubstr("\n  " + name.substr(0, name.find(' ')) + " "));
  }
}

TEST_F(CommandLineTest, NoLineOfHelpIsLongerThan100Columns) {
  std::string pages = Page({"help"});
  for (const CommandEntry& entry : table_.commands) pages += Page({"help", entry.name});
  std::size_t begin = 0;
  for (std::size_t end = pages.find('\n'); end != std::string::npos;
       end = pages.find('\n', begin)) {
    EXPECT_LE(end - begin, 100U) << pages.substr(begin, end - begin);
    begin = end + 1;
  }
}

}  // namespace
}  // namespace pmproof::validator
