// SPDX-License-Identifier: Apache-2.0
// Starts an agent and then ends without any care, for agent_process_test:
//   doomed_driver kill|abort|exit PROGRAM [ARGUMENT...]
// Says "started" when the agent runs; "kill" then waits to be killed.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "reference/pmda/transport/agent_process.h"

int main(int count, char** words) {
  using pmproof::pmda::AgentProcess;
  if (count < 3) return 99;
  const std::string end = words[1];
  auto agent = AgentProcess::Start({.words = {words + 2, words + count}},
                                   pmproof::pmda::Deadline::After(std::chrono::seconds(10)));
  if (!agent) {
    std::fprintf(stderr, "%s\n", agent.error().ToText().c_str());
    return 98;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  [[maybe_unused]] const ssize_t size = write(STDOUT_FILENO, "started", 7);
  if (end == "abort") std::abort();
  if (end == "exit") _exit(0);
  for (;;) pause();
}
