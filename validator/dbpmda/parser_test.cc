// SPDX-License-Identifier: Apache-2.0
#include "validator/dbpmda/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "reference/pmda/names/pmns_source.h"

namespace pmproof::agent_script {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

pmda::NameTree Names() {
  return pmda::ReadPmns("root { a 1:2:3 b }\nb { c 1:2:4 d 9:*:* }\n", "names")->names;
}

struct Parsed {
  std::vector<Command> commands{};
  std::vector<Diagnostic> diagnostics{};
  bool failed = false;
};

Parsed Parse(std::string_view script) {
  Parsed parsed;
  const pmda::NameTree names = Names();
  Parser parser(
      script, [&](const Diagnostic& diagnostic) { parsed.diagnostics.push_back(diagnostic); }, {});
  while (auto command = parser.Next(names)) parsed.commands.push_back(std::move(*command));
  parsed.failed = parser.failed();
  return parsed;
}

template <typename T>
T Only(std::string_view script) {
  Parsed parsed = Parse(script);
  EXPECT_EQ(parsed.commands.size(), 1U) << script;
  const T* command = parsed.commands.empty() ? nullptr : std::get_if<T>(&parsed.commands[0]);
  EXPECT_NE(command, nullptr) << script;
  return command != nullptr ? *command : T{};
}

// "column: message" of each error, and the message of each warning.
std::vector<std::string> DiagnosticsOf(std::string_view script) {
  std::vector<std::string> texts;
  for (const Diagnostic& one : Parse(script).diagnostics) {
    const std::size_t caret = one.caret.find('^');
    texts.push_back((one.caret.empty() ? "" : std::to_string(caret) + ": ") + one.message);
  }
  return texts;
}

TEST(Parser, TakesMetricsInEveryForm) {  // PMD-404
  EXPECT_EQ(Only<Describe>("desc 1.2.3\n").pmid, Pmid::Of(1, 2, 3));
  EXPECT_EQ(Only<Describe>("desc b.c # the metric\n").pmid, Pmid::Of(1, 2, 4));
  EXPECT_EQ(Only<Describe>("desc 121634826\n").pmid, Pmid::Of(29, 0, 10));
  EXPECT_EQ(Only<Describe>("desc 2.3\n").pmid, Pmid::Of(0, 2, 3));
  EXPECT_EQ(Only<Describe>("desc 0x100\n").pmid, Pmid::Of(0, 0, 256));
  EXPECT_EQ(Only<Describe>("desc 600.5000.1\n").pmid, Pmid::Of(88, 904, 1));
  EXPECT_EQ(Only<Describe>("desc 99999999999\n").pmid, Pmid::Of(289, 3513, 1023));
  EXPECT_THAT(DiagnosticsOf("desc 1.2.3\n"), IsEmpty());
  EXPECT_THAT(DiagnosticsOf("desc 1.2.9\n"),
              ElementsAre("Warning: PMID (1.2.9) is not defined in the PMNS"));
}

TEST(Parser, ReadsEveryCommand) {  // PMD-400..413
  EXPECT_THAT(Only<OpenPipe>("open pipe /x/agent -d 29 \"a b\" c#d\n").words,
              ElementsAre("/x/agent", "-d", "29", "a b", "c#d"));
  EXPECT_THAT(Only<OpenPipe>("open pipe agent\n").words, ElementsAre("./agent"));
  EXPECT_EQ(Only<OpenDso>("open dso a.so a_init 29\n").domain, 29U);
  EXPECT_EQ(Only<OpenSocket>("open socket unix /s\n").path, "/s");
  EXPECT_EQ(Only<OpenSocket>("open socket inet 4321\n").port, 4321);
  EXPECT_THAT(Only<Fetch>("fetch a, b.c 1.2.3\n").pmids,
              ElementsAre(Pmid::Of(1, 2, 3), Pmid::Of(1, 2, 4), Pmid::Of(1, 2, 3)));
  EXPECT_EQ(Only<ChangeProfile>("profile 1.2 delete 7\n").instance, 7);
  EXPECT_EQ(Only<ListInstances>("instance 1.2 'a b'\n").name, "a b");
  EXPECT_EQ(Only<ListInstances>("instance -1\n").indom, Indom::Null());
  EXPECT_EQ(std::get<Indom>(Only<ShowText>("text indom 1.2\n").of), Indom::Of(1, 2));
  EXPECT_EQ(Only<Store>("store a \"-5\"\n").value, "-5");
  EXPECT_EQ(Only<LookUpName>("children x-y\n").name, "x-y");
  EXPECT_EQ(Only<LookUpPmid>("name 1.2.9\n").pmid, Pmid::Of(1, 2, 9));
  EXPECT_EQ(Only<ShowLabels>("label cluster 1.2\n").identifier, Pmid::Of(1, 2, 0).value);
  EXPECT_EQ(Only<SendAttribute>("attr \"userid\" \"7\"\n").attribute, pdu::Attribute::kUserId);
  EXPECT_THAT(Only<Debug>("debug pdu -fetch\n").flags, ElementsAre("pdu", "-fetch"));
  EXPECT_EQ(Only<Wait>("wait 3\n").seconds, 3U);
  EXPECT_EQ(Only<Help>("? desc\n").command, "desc");
  EXPECT_TRUE(Only<Help>("fetch\n").usage);
}

TEST(Parser, SaysWhereAnErrorIs) {  // PMD-414, each as dbpmda does
  EXPECT_THAT(
      DiagnosticsOf("desc 29.0.10 29.0.11\n"),
      ElementsAre("Warning: PMID (29.0.10) is not defined in the PMNS", "27: Error: syntax error"));
  EXPECT_THAT(DiagnosticsOf("bogus a b\n"), ElementsAre("13: Error: Unrecognized command"));
  EXPECT_THAT(DiagnosticsOf("bogus\n"), ElementsAre("12: Error: Unrecognized command"));
  EXPECT_THAT(DiagnosticsOf("desc nothing x\n"), ElementsAre("20: Error: Unknown metric name"));
  EXPECT_THAT(DiagnosticsOf("desc b\n"),
              ElementsAre("13: Error: Metric name is not a leaf in PMNS"));
  EXPECT_THAT(DiagnosticsOf("desc b.d\n"), ElementsAre("15: Error: Unknown metric name"));
  EXPECT_THAT(DiagnosticsOf("store a \"\"\n"),
              ElementsAre("17: Error: Illegal character", "7: Error: Illegal character",
                          "7: Error: syntax error"));
  EXPECT_THAT(DiagnosticsOf("profile -1 add 5\n"),
              ElementsAre("23: Error: NULL pmInDom with non-NULL instlist"));
  EXPECT_THAT(DiagnosticsOf("attr 99 'x'\n"),
              ElementsAre("15: Error: Attribute (99) is not recognised"));
  EXPECT_EQ(Parse("\tdesc\ta\tx\n").diagnostics.at(0).caret,
            "       \t    \t \t ^ at or near here");
  EXPECT_EQ(Parse("\n\nbogus\n").diagnostics.at(0).line, 3U);
}

TEST(Parser, GoesOnBehindErrors) {  // PMD-414
  EXPECT_EQ(Only<Describe>("bogus x y\ndesc a\n").pmid, Pmid::Of(1, 2, 3));
  // A character that begins nothing takes its line along, not the command.
  EXPECT_EQ(Only<Describe>("desc @ b.c\na\n").pmid, Pmid::Of(1, 2, 3));
  EXPECT_THAT(Parse("desc a").commands, IsEmpty());  // without newline
  EXPECT_TRUE(Parse("desc a").failed);
  EXPECT_FALSE(Parse("desc 1.2.9\n").failed);
}

TEST(Parser, SurvivesEveryTextInLinearTime) {
  std::mt19937 random(5);  // NOLINT: the same each time
  const std::string_view parts[] = {
      "desc", "fetch", "open", "pipe",  " ",     "\n",   "\"",
      "'",    "#",     "1.2",  "0x",    "@",     ",",    "-",
      "?",    "b",     "\t",   "label", "debug", "attr", std::string_view("\0", 1),
      "\xff"};
  for (int round = 0; round < 2000; ++round) {
    std::string script;
    for (int i = 0; i < 40; ++i) script += parts[random() % std::size(parts)];
    Parse(script);
  }
  const std::string quote(1 << 20, '"');
  std::string words = "\"";  // no text, for it does not end: each word is read again
  for (int i = 0; i < 1 << 19; ++i) words += "a ";
  EXPECT_LT(Parse(words).diagnostics.size(), 1002U);
  EXPECT_TRUE(Parse(quote).failed);
  EXPECT_TRUE(Parse(std::string(1 << 20, '1') + "\n").failed);
}

}  // namespace
}  // namespace pmproof::agent_script
