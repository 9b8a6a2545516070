// SPDX-License-Identifier: Apache-2.0
// Adapters that are right, wrong, silent or dead.

#include "validator/testee/client/adapter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>

#include "reference/pmda/transport/process_info.h"

namespace pmproof::validator {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

AdapterCommand Wrong(const std::string& how, const std::string& from = "1") {
  AdapterCommand command;
  command.words = {std::getenv("WRONG_ADAPTER"), how, from};
  command.answer = std::chrono::milliseconds(20'000);
  return command;
}

std::string Request(int number, const std::string& metric = "m.1") {
  return R"({"cmd":"run","seq":"k)" + std::to_string(number) +
         R"(","op":"replay.interp","input":{"path":"/a"},"args":{"metrics":[")" + metric +
         R"("],"start":"0","interval":"1","count":2}})" + "\n";
}

// "" of an answer.
std::string Problem(Adapter& adapter) {
  const auto line = adapter.Receive();
  return line ? "" : line.error().text;
}

std::string ProblemOfStart(AdapterCommand command) {
  Adapter adapter(std::move(command));
  const auto started = adapter.Start();
  return started ? "" : started.error().text;
}

TEST(Adapter, SaysWhoItIsAndAnswers) {
  Adapter adapter(Wrong(""));
  ASSERT_TRUE(adapter.Start());
  EXPECT_EQ(adapter.hello().name, "wrong");
  EXPECT_EQ(adapter.hello().version, "0.1");
  EXPECT_TRUE(adapter.hello().Has("replay.interp"));
  EXPECT_FALSE(adapter.hello().Has("replay.raw"));
  for (int i = 0; i < 3; ++i) {
    adapter.Send(Request(i));
    const auto line = adapter.Receive();
    ASSERT_TRUE(line) << line.error().text;
    EXPECT_THAT(*line, HasSubstr("\"seq\":\"k" + std::to_string(i) + "\""));
  }
}

TEST(Adapter, HasACleanEnvironment) {
  setenv("PCP_DERIVED_CONFIG", "/somewhere", 1);
  AdapterCommand command;
  command.variables = {"PMPROOF=/x"};
  command.words = {"/bin/sh", "-c",
                   "echo '{\"ok\":true,\"protocol\":1,\"implementation\":{\"name\":\"'"
                   "$(env | grep -v -e PWD -e SHLVL -e _= | sort | tr '\\n' ,)"
                   "'\"},\"capabilities\":[]}'; read x"};
  Adapter adapter(command);
  ASSERT_TRUE(adapter.Start());
  EXPECT_EQ(adapter.hello().name,
            "HOME=/nonexistent,LC_ALL=C,PATH=/bin:/usr/bin,PMPROOF=/x,TZ=UTC,");
}

TEST(Adapter, ThatDoesNotStartIsGivenUp) {  // TST-101..103
  AdapterCommand missing;
  missing.words = {"/no/such/adapter"};
  EXPECT_THAT(ProblemOfStart(missing), StartsWith("does not start: starting /no/such/adapter"));
  EXPECT_EQ(ProblemOfStart(Wrong("dies_at_start")),
            "does not start: ended with exit status 1: no library");
  AdapterCommand silent = Wrong("silent_at_start");
  silent.start = std::chrono::milliseconds(300);
  EXPECT_EQ(ProblemOfStart(silent), "does not start: silent for 0.3 s");
  EXPECT_THAT(ProblemOfStart(Wrong("refusing")), HasSubstr("does not say that it speaks protocol"));
  AdapterCommand chatter;
  chatter.words = {"/bin/echo", "good morning"};
  EXPECT_EQ(ProblemOfStart(chatter), "does not start: the answer to hello is no JSON object");
}

TEST(Adapter, ThatDidNotStartSaysSoToEachRequest) {
  Adapter adapter(Wrong("dies_at_start"));
  for (int i = 0; i < 2; ++i) {
    adapter.Send(Request(i));
    EXPECT_THAT(Problem(adapter), HasSubstr("no library"));
  }
}

TEST(Adapter, ThatDiesIsStartedAgain) {
  Adapter adapter(Wrong("dies", "2"));
  for (int round = 0; round < 2; ++round) {
    adapter.Send(Request(0));
    EXPECT_EQ(Problem(adapter), "");
    adapter.Send(Request(1));
    EXPECT_EQ(Problem(adapter), "ended with exit status 3: NameError: no such thing");
  }
}

TEST(Adapter, SaysHowItEnded) {
  Adapter killed(Wrong("crashes"));
  killed.Send(Request(0));
  EXPECT_THAT(Problem(killed), StartsWith("ended with signal 9 (KILL)"));
  Adapter half(Wrong("half_then_dies"));
  half.Send(Request(0));
  EXPECT_EQ(Problem(half), "ended with exit status 0 after half a line");
}

TEST(Adapter, IsWaitedForNoLongerThanItMay) {
  for (const auto& [how, said] :
       {std::pair("silent", "silent for 1.5 s"),
        std::pair("half", "no whole line within 1.5 s, only 7 bytes of one")}) {
    AdapterCommand command = Wrong(how);
    command.answer = std::chrono::milliseconds(1500);
    Adapter adapter(command);
    adapter.Send(Request(0));
    EXPECT_EQ(Problem(adapter), said);
  }
}

TEST(Adapter, ThatFloodsIsEnded) {
  AdapterCommand command = Wrong("floods");
  command.longest_line = 1 << 20;
  Adapter adapter(command);
  adapter.Send(Request(0));
  EXPECT_EQ(Problem(adapter), "a line is longer than 1.0 MB");
}

TEST(Adapter, LeavesNothingBehind) {
  const auto left = [] {
    const auto all = pmda::ListProcesses();
    EXPECT_TRUE(all);
    return std::ranges::count_if(*all, [](const pmda::ProcessInfo& info) {
      return info.name.starts_with("wrong_adapter") && !info.zombie();
    });
  };
  const auto before = left();
  {
    Adapter adapter(Wrong("leaves_a_child"));
    adapter.Send(Request(0));
    EXPECT_EQ(Problem(adapter), "");
    EXPECT_EQ(left(), before + 2);
  }
  EXPECT_EQ(left(), before);
}

TEST(Adapter, TakesALongRequest) {
  Adapter adapter(Wrong(""));
  adapter.Send(Request(0, "m." + std::string(1 << 20, '7')));
  EXPECT_EQ(Problem(adapter), "");
}

}  // namespace
}  // namespace pmproof::validator
