// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "reference/pmda/transport/testing/agent_process_fixture.h"

namespace pmproof::pmda {
namespace {

using std::chrono::milliseconds;

class DoomedDriverTest : public AgentProcessTest, public testing::WithParamInterface<const char*> {
 protected:
  // A driver that has started this agent; its number.
  static pid_t Drive(const std::string& end, std::vector<std::string> arguments) {
    int output[2];
    EXPECT_EQ(pipe(output), 0);
    const std::string driver = Program("DOOMED_DRIVER");
    arguments.insert(arguments.begin(), {driver, end, Program("MISBEHAVING_AGENT")});
    std::vector<char*> words;
    words.reserve(arguments.size() + 1);
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    const pid_t process = fork();
    if (process == 0) {
      dup2(output[1], STDOUT_FILENO);
      close(output[0]);
      close(output[1]);
      execv(words[0], words.data());
      _exit(99);
    }
    close(output[1]);
    char said[8] = {};
    EXPECT_EQ(read(output[0], said, sizeof said - 1), 7);
    EXPECT_STREQ(said, "started");
    close(output[0]);
    return process;
  }

  // Guardians end by themselves and become children of this process.
  static void ReapUntilNothingIsLeft() {
    const Deadline deadline = Deadline::After(milliseconds(5000));
    while (!deadline.passed()) {
      const pid_t ended = waitpid(-1, nullptr, WNOHANG);
      if (ended < 0) return;
      if (ended == 0) std::this_thread::sleep_for(milliseconds(1));
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Agents, DoomedDriverTest,
                         testing::Values("echo", "deaf", "stubborn", "stopped", "flood-output",
                                         "flood-log", "close-output", "children", "daemon",
                                         "hopper", "zombies", "stop-guardian"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(DoomedDriverTest, LeavesNothingWhenKilled) {
  const pid_t driver = Drive("kill", {GetParam()});
  kill(driver, SIGKILL);
  ReapUntilNothingIsLeft();
}

TEST_P(DoomedDriverTest, LeavesNothingWhenItCrashes) {
  Drive("abort", {GetParam()});
  ReapUntilNothingIsLeft();
}

TEST_P(DoomedDriverTest, LeavesNothingWhenItEndsWithoutCare) {
  Drive("exit", {GetParam()});
  ReapUntilNothingIsLeft();
}

}  // namespace
}  // namespace pmproof::pmda
