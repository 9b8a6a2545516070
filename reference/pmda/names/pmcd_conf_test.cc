// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/names/pmcd_conf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace pmproof::pmda {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

PmcdConf Read(std::string_view text) { return ReadPmcdConf(text, "conf"); }

// Labels with their domains.
std::string Agents(const PmcdConf& conf) {
  std::string text;
  for (const ConfAgent& agent : conf.agents) {
    text += (text.empty() ? "" : " ") + agent.label + "=" + std::to_string(agent.domain);
  }
  return text;
}

std::string Problems(const PmcdConf& conf) {
  std::string text;
  for (const Diagnosis& problem : conf.problems) text += problem.ToText() + "\n";
  return text;
}

std::string Problems(std::string_view text) { return Problems(Read(text)); }

// The arguments of an agent whose line goes on like this.
std::vector<std::string> Command(const std::string& words) {
  const PmcdConf conf = Read("a 1 pipe binary cmd " + words + "\n");
  EXPECT_EQ(Problems(conf), "");
  if (conf.agents.empty()) return {};
  auto command = std::get<PipeAgent>(conf.agents[0].kind).command;
  command.erase(command.begin());
  return command;
}

TEST(PmcdConf, HasAgentsOfThreeKinds) {  // PMD-320
  const PmcdConf conf = Read(
      "# comment\nsample 30 dso sample_init /usr/lib/pmda_sample.so # DSO\n\n"
      "\tsimple\t253 PIPE Binary /usr/lib/pmdasimple -d 253\n"
      "b 4 pipe binary NOTREADY cmd\n"
      "c 5 socket inet 1234 cmd x\nd 6 socket IPV6 port\ne 7 socket unix /run/e");
  EXPECT_EQ(Problems(conf), "");
  ASSERT_EQ(Agents(conf), "sample=30 simple=253 b=4 c=5 d=6 e=7");
  using Family = SocketAgent::Family;
  EXPECT_EQ(std::get<DsoAgent>(conf.agents[0].kind),
            (DsoAgent{"sample_init", "/usr/lib/pmda_sample.so"}));
  EXPECT_EQ(std::get<PipeAgent>(conf.agents[1].kind),
            (PipeAgent{false, {"/usr/lib/pmdasimple", "-d", "253"}}));
  EXPECT_EQ(std::get<PipeAgent>(conf.agents[2].kind), (PipeAgent{true, {"cmd"}}));
  EXPECT_EQ(std::get<SocketAgent>(conf.agents[3].kind),
            (SocketAgent{Family::kInet, "1234", {"cmd", "x"}}));
  EXPECT_EQ(std::get<SocketAgent>(conf.agents[4].kind), (SocketAgent{Family::kIpv6, "port", {}}));
  EXPECT_EQ(std::get<SocketAgent>(conf.agents[5].kind), (SocketAgent{Family::kUnix, "/run/e", {}}));
  EXPECT_EQ(conf.agents[1].line, 4U);
  EXPECT_FALSE(conf.access);
}

TEST(PmcdConf, HasWordsInQuotes) {  // PMD-320
  EXPECT_THAT(Command(R"("two words" \"q\" "in \"q\" x" "")"),
              ElementsAre("two words", "\"q\"", "in \"q\" x", ""));
  EXPECT_THAT(Command(R"("a b"c d"e f")"), ElementsAre("a b", "c", "d\"e", "f\""));
  EXPECT_THAT(Command("'single q' $HOME a,b:c;d [e]"),
              ElementsAre("'single", "q'", "$HOME", "a,b:c;d", "[e]"));
  const PmcdConf conf = Read("\"a b\" \"5\" \"pipe\" \"binary\" \"notready\" \"cmd\"\n");
  EXPECT_EQ(Agents(conf), "a b=5");
  EXPECT_TRUE(std::get<PipeAgent>(conf.agents[0].kind).not_ready);
}

TEST(PmcdConf, HasFewEscapes) {  // PMD-320
  EXPECT_THAT(Command(R"(\# \\ \x a\ b)"), ElementsAre("#", R"(\\)", R"(\x)", R"(a\)", "b"));
  EXPECT_THAT(Command(R"("\#" "\\" "\x")"), ElementsAre("#", R"(\" )", R"(\x")"));
  EXPECT_EQ(Agents(Read("\\# 12 pipe binary x\n")), "#=12");
}

TEST(PmcdConf, HasComments) {  // PMD-320
  EXPECT_THAT(Command("x # y"), ElementsAre("x"));
  EXPECT_THAT(Command("x#y z"), ElementsAre("x"));
  EXPECT_THAT(Command("\"x # y\" z"), ElementsAre("x # y", "z"));
}

TEST(PmcdConf, HasLinesThatGoOn) {  // PMD-320
  EXPECT_THAT(Command("a \\\n  b co\\\nnt \"in\\\nner\""),
              ElementsAre("a", "b", "co", "nt", "in ner"));
  const PmcdConf conf = Read(
      "# comment \\\na 1 pipe binary x\nb 2 pipe binary x # comment \\\nc 3 pipe binary x\n"
      "d 4 pipe binary x\\\n");
  EXPECT_EQ(Agents(conf), "b=2 d=4");
  EXPECT_EQ(conf.agents[1].line, 5U);
}

TEST(PmcdConf, MayHaveCarriageReturns) {
  EXPECT_EQ(Problems("a 3 pipe binary x\r\n[access]\r\nallow * : all;\r\n"), "");
  EXPECT_THAT(Command("x\r"), ElementsAre("x"));
}

TEST(PmcdConf, HasLinesOfUpTo2198Bytes) {  // PMD-320
  const auto with_line = [](std::size_t size) {
    const std::string begin = "a 3 pipe binary x ";
    return begin + std::string(size - begin.size(), 'y') + "\nb 4 pipe binary x\n";
  };
  EXPECT_EQ(Agents(Read(with_line(2198))), "a=3 b=4");
  EXPECT_EQ(Agents(Read(with_line(2199))), "");
  EXPECT_EQ(Problems(with_line(2199)),
            "conf:1: a line longer than 2198 bytes, with those that continue it; the rest is not "
            "read [PMD-320]\n");
  std::string continued = "a 3 pipe binary x";
  for (int i = 0; i < 1000; ++i) continued += " \\\n y";
  EXPECT_THAT(Problems(continued), HasSubstr("conf:1: a line longer"));
  EXPECT_THAT(Problems("# " + std::string(3000, 'y') + "\n"), HasSubstr("[PMD-320]"));
}

TEST(PmcdConf, EndsAtAQuoteThatIsNotClosed) {  // PMD-320
  const PmcdConf conf = Read("a 3 pipe binary x\nb 4 pipe binary \"x\nc 5 pipe binary x\n");
  EXPECT_EQ(Agents(conf), "a=3");
  EXPECT_EQ(Problems(conf), "conf:2: a quote that is not closed; the rest is not read [PMD-320]\n");
  EXPECT_EQ(Problems(std::string_view("a 3 pipe binary x\0\n", 19)),
            "conf:1: a NUL byte; the rest is not read [PMD-320]\n");
}

TEST(PmcdConf, HasDomainsOnce) {  // PMD-321
  const PmcdConf conf = Read(
      "a 0 pipe binary x\nb 510 pipe binary x\nc 511 pipe binary x\nd -1 pipe binary x\n"
      "e x pipe binary x\nf 010 pipe binary x\ng 10 pipe binary x\na 3 pipe binary x\n"
      "h 99999999999 pipe binary x\ni 0x1 pipe binary x\nj +4 pipe binary x\nk\n");
  EXPECT_EQ(Agents(conf), "a=0 b=510 f=10 a=3");
  EXPECT_EQ(Problems(conf),
            "conf:3: agent c: the domain number is above 510: 511 [PMD-321]\n"
            "conf:4: agent d: not a domain number: -1 [PMD-321]\n"
            "conf:5: agent e: not a domain number: x [PMD-321]\n"
            "conf:7: agent g: domain 10 is that of f already [PMD-321]\n"
            "conf:9: agent h: the domain number is above 510: 99999999999 [PMD-321]\n"
            "conf:10: agent i: not a domain number: 0x1 [PMD-321]\n"
            "conf:11: agent j: not a domain number: +4 [PMD-321]\n"
            "conf:12: agent k: a domain number expected after the label [PMD-321]\n");
}

TEST(PmcdConf, RefusesWhatIsNoAgent) {  // PMD-322
  const PmcdConf conf = Read(
      "a 1 pipe text x\nb 2 dso f rel.so\nc 3 dso f /a.so extra\nd 4 dso f\ne 5 dso\nf 6 pipe\n"
      "g 7 pipe binary\nh 8 pipe binary notready\ni 9 pipe notready x\nj 10 socket\n"
      "k 11 socket inet6 1\nl 12 socket unix\nm 13 shm x\nn 14\no 15 pipe binary x\n");
  EXPECT_EQ(Agents(conf), "o=15");
  EXPECT_EQ(Problems(conf),
            "conf:1: agent a: pipe: \"binary\" expected [PMD-322]\n"
            "conf:2: agent b: dso: the path is not absolute: rel.so [PMD-322]\n"
            "conf:3: agent c: dso: words after the path of the DSO [PMD-322]\n"
            "conf:4: agent d: dso: the path of the DSO expected [PMD-322]\n"
            "conf:5: agent e: dso: the init function's name expected [PMD-322]\n"
            "conf:6: agent f: pipe: \"binary\" expected [PMD-322]\n"
            "conf:7: agent g: pipe: a command expected [PMD-322]\n"
            "conf:8: agent h: pipe: a command expected [PMD-322]\n"
            "conf:9: agent i: pipe: \"binary\" expected [PMD-322]\n"
            "conf:10: agent j: socket: \"inet\", \"ipv6\" or \"unix\" expected [PMD-322]\n"
            "conf:11: agent k: socket: \"inet\", \"ipv6\" or \"unix\" expected [PMD-322]\n"
            "conf:12: agent l: socket: a port or path expected [PMD-322]\n"
            "conf:13: agent m: \"dso\", \"pipe\" or \"socket\" expected [PMD-322]\n"
            "conf:14: agent n: \"dso\", \"pipe\" or \"socket\" expected [PMD-322]\n");
}

using Subject = AccessRule::Subject;

TEST(PmcdConf, HasAnAccessSection) {  // PMD-323
  const PmcdConf conf = Read(
      "a 1 pipe binary x\n[ ACCESS ]\nallow *, 127.* : all;\ndisallow user bob : STORE\n;\n"
      "Allow groups staff,wheel:fetch,maximum 3 connections;allow 10.0.0.1 : all except store;\n"
      "disallow hosts 10.0.0.2 : all except fetch; disallow .* : fetch; # comment\n");
  EXPECT_EQ(Problems(conf), "conf:7: .*: contradicts an earlier statement [PMD-323]\n");
  ASSERT_TRUE(conf.access);
  EXPECT_THAT(*conf.access,
              ElementsAre(AccessRule{Subject::kHost, {"*", "127.*"}, true, true, {}, 3},
                          AccessRule{Subject::kUser, {"bob"}, {}, false, {}, 4},
                          AccessRule{Subject::kGroup, {"staff", "wheel"}, true, {}, 3, 6},
                          AccessRule{Subject::kHost, {"10.0.0.1"}, true, false, {}, 6},
                          AccessRule{Subject::kHost, {"10.0.0.2"}, true, false, {}, 7}));
}

TEST(PmcdConf, HasItsAccessSectionLast) {  // PMD-323, PMD-324
  const PmcdConf conf = Read("a 1 pipe binary x\n[access]\nallow * : all;\nb 4 pipe binary y\n");
  EXPECT_EQ(Agents(conf), "a=1");
  EXPECT_EQ(Problems(conf), "conf:4: \"allow\" or \"disallow\" expected [PMD-323]\n");
  EXPECT_EQ(conf.access->size(), 1U);
  EXPECT_EQ(Problems("[access]\nallow * : all;\n[access]\nallow * : fetch;\n"),
            "conf:3: \"allow\" or \"disallow\" expected [PMD-323]\n");
  EXPECT_EQ(Problems("[acc]\nallow * : all;\n"),
            "conf:1: \"[access]\" expected; the rest is not read [PMD-323]\n");
  EXPECT_EQ(Problems("[access\nallow * : all;\n"),
            "conf:1: \"[access]\" expected; the rest is not read [PMD-323]\n");
  EXPECT_EQ(Problems("[access]\n"), "conf:1: the access section has no good statement [PMD-323]\n");
  EXPECT_EQ(Problems("[access] allow * : all;\n"), "");
  EXPECT_EQ(Problems("[\naccess\n]\nallow * : all;\n"), "");
}

// The problem of one statement, which is followed by a good one.
std::string Wrong(const std::string& statement) {
  const PmcdConf conf = Read("[access]\n" + statement + "\nallow 10.9.8.7 : all;\n");
  EXPECT_TRUE(conf.access && !conf.access->empty()) << statement;
  std::string problems = Problems(conf);
  if (problems.starts_with("conf:2: ")) problems.erase(0, 8);
  if (problems.ends_with(" [PMD-323]\n")) problems.resize(problems.size() - 11);
  return problems;
}

TEST(PmcdConf, RefusesWhatIsNoAccessStatement) {  // PMD-323
  EXPECT_EQ(Wrong("foo * : all;"), "\"allow\" or \"disallow\" expected");
  EXPECT_EQ(Wrong(";"), "\"allow\" or \"disallow\" expected");
  EXPECT_EQ(Wrong("allow * all;"), "\",\" or \":\" expected after *");
  EXPECT_EQ(Wrong("allow : all;"), "a name expected; one with \":\" needs quotes");
  EXPECT_EQ(Wrong("allow host : all;"), "a name expected; one with \":\" needs quotes");
  EXPECT_EQ(Wrong("allow ::1 : all;"), "a name expected; one with \":\" needs quotes");
  EXPECT_EQ(Wrong("allow a, : all;"), "a name expected after \",\"");
  EXPECT_EQ(Wrong("allow * : foo;"), "not an operation: foo");
  EXPECT_EQ(Wrong("allow local:* : fetch;"), "not an operation: *");
  EXPECT_EQ(Wrong("allow * : ;"), "an operation expected");
  EXPECT_EQ(Wrong("allow * : fetch store;"), "\",\" or \";\" expected in the list of operations");
  EXPECT_EQ(Wrong("allow * : all, fetch;"), "\"all\" beside other operations");
  EXPECT_EQ(Wrong("allow * : fetch, all except store;"), "\"all\" beside other operations");
  EXPECT_EQ(Wrong("allow * : all except all;"), "\"all\" within \"all except\"");
  EXPECT_EQ(Wrong("allow * : all except maximum 3 connections;"),
            "a connection limit just after \"all except\"");
  EXPECT_EQ(Wrong("disallow * : maximum 3 connections;"),
            "a connection limit in a disallow statement");
  EXPECT_EQ(Wrong("allow * : maximum 0 connections;"),
            "the connection limit is not a positive number");
  EXPECT_EQ(Wrong("allow * : maximum x connections;"),
            "the connection limit is not a positive number");
  EXPECT_EQ(Wrong("allow * : maximum 99999999999 connections;"),
            "the connection limit is not a positive number");
  EXPECT_EQ(Wrong("allow * : maximum 3;"), "\"connections\" expected");
  EXPECT_EQ(Wrong("allow * : maximum 3 connections, maximum 3 connections;"),
            "a second connection limit");
  EXPECT_EQ(Wrong("allow * : unlimited connections;"), "not an operation: unlimited");
  for (const char* good :
       {"allow * : fetch, maximum 3 connections;", "allow * : all except store, fetch;",
        "allow * : all except store, maximum 3 connections;", "allow \"*\" : \"all\";",
        "allow * : fetch, fetch;", "allow * : all; allow * : fetch;"}) {
    EXPECT_EQ(Wrong(good), "") << good;
  }
  EXPECT_EQ(Problems("[access]\nallow 10.9.8.7 : all;\nallow * : all"),
            "conf:3: \",\" or \";\" expected in the list of operations [PMD-323]\n");
}

TEST(PmcdConf, KnowsGoodHostPatterns) {  // PMD-323
  for (const char* host : {"*", ".*", "\":*\"", "\"local:*\"", "\"unix:\"", "127.*", "127.0.0.*",
                           "\"fe80::*\"", "\"::1\"", "host.name", "1.2.3.4.5"}) {
    EXPECT_EQ(Wrong(std::string("allow ") + host + " : fetch;"), "") << host;
  }
  EXPECT_EQ(Wrong("allow 127.*.1 : all;"), "127.*.1: the wild card is not at the end");
  EXPECT_EQ(Wrong("allow 127.0.0.0.* : all;"), "127.0.0.0.*: too many dots in the wild card");
  EXPECT_EQ(Wrong("allow 300.1.* : all;"), "300.1.*: not a wild card of IPv4 addresses");
  EXPECT_EQ(Wrong("allow 12* : all;"), "12*: not a wild card of IPv4 addresses");
  EXPECT_EQ(Wrong("allow \"xyz:*\" : all;"), "xyz:*: not a wild card of IPv6 addresses");
}

TEST(PmcdConf, FindsContradictions) {  // PMD-323
  EXPECT_EQ(Wrong("allow h : all; disallow h : store;"), "h: contradicts an earlier statement");
  EXPECT_EQ(Wrong("allow * : fetch; disallow \"local:*\" : fetch;"),
            "local:*: contradicts an earlier statement");
  EXPECT_EQ(Wrong("allow h : maximum 3 connections; allow h : maximum 4 connections;"),
            "h: contradicts an earlier statement");
  EXPECT_EQ(Wrong("disallow h : all except fetch; allow h : fetch;"),
            "h: contradicts an earlier statement");
  EXPECT_EQ(Wrong("disallow h : all except fetch; disallow h : store; allow h : maximum 3 "
                  "connections;"),
            "");
  EXPECT_EQ(Wrong("allow h : fetch; disallow h : store; disallow user h : fetch;"), "");
}

// Words as a line of pmcd.conf would have them, in quotes.
std::string Quoted(const std::string& word) {
  std::string text = "\"";
  for (const char c : word) text += (c == '"' ? "\\" : "") + std::string(1, c);
  return text + "\"";
}

RC_GTEST_PROP(PmcdConfProperty, ArgumentsAreReadAsTheyWereQuoted, ()) {
  auto words = *rc::gen::container<std::vector<std::string>>(
      rc::gen::container<std::string>(rc::gen::element('a', ' ', '"', '#', ',', '[', '\xff')));
  words.resize(std::min<std::size_t>(words.size(), 10));
  std::string text = "a 1 pipe binary cmd";
  for (std::string& word : words) {
    word.resize(std::min<std::size_t>(word.size(), 50));
    text += " " + Quoted(word);
  }
  const PmcdConf conf = Read(text + "\n");
  RC_ASSERT(conf.problems.empty());
  auto expected = words;
  expected.insert(expected.begin(), "cmd");
  RC_ASSERT(std::get<PipeAgent>(conf.agents.at(0).kind).command == expected);
}

// What is in the result has been checked, whatever the text.
RC_GTEST_PROP(PmcdConfProperty, AnyTextGivesAgentsOrReasons, ()) {
  const auto words = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "a", "1", "510", "pipe", "binary", "socket", "inet", "dso", "/x", "\"", "\\", "#", "\n", "\n",
      "[access]", "allow", "disallow", "*", ":", ";", ",", "all", "except", "fetch", "store",
      "maximum", "3", "connections", "user", " ", " ", " "));
  std::string text;
  for (const std::string& word : words) text += word + " ";
  const PmcdConf conf = Read(text);
  for (const ConfAgent& agent : conf.agents) RC_ASSERT(agent.domain <= 510U);
  for (const AccessRule& rule : conf.access.value_or(std::vector<AccessRule>())) {
    RC_ASSERT(!rule.names.empty());
    RC_ASSERT(rule.fetch || rule.store || rule.connections);
  }
  for (const Diagnosis& problem : conf.problems) RC_ASSERT(!problem.clause.empty());
}

}  // namespace
}  // namespace pmproof::pmda
