// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_TESTING_AGENT_PROCESS_FIXTURE_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_TESTING_AGENT_PROCESS_FIXTURE_H_

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "reference/pmda/transport/agent_process.h"
#include "reference/pmda/transport/orphan_reaper.h"
#include "reference/pmda/transport/transfer.h"

namespace pmproof::pmda {

inline Deadline Soon() { return Deadline::After(std::chrono::seconds(10)); }

inline Bytes AsBytes(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

inline std::string ReadText(Transport& transport, std::size_t size) {
  std::string text(size, '\0');
  text.resize(
      ReadExactly(transport, {reinterpret_cast<std::uint8_t*>(text.data()), size}, Soon()).size);
  return text;
}

inline std::string ReadToEnd(Transport& transport) {
  std::vector<std::uint8_t> got;
  while (ReadUntilQuiet(transport, got, std::chrono::milliseconds(100), 1u << 20, Soon()).moved()) {
  }
  return {got.begin(), got.end()};
}

inline std::string Program(const char* variable) {
  const char* const path = getenv(variable);
  char absolute[4096];
  if (path == nullptr || realpath(path, absolute) == nullptr) return "no-such-program";
  return absolute;
}

inline std::size_t OwnDescriptors() {
  return ProcessHandle::Open(getpid())->Resources()->descriptors;
}

// This test is the subreaper of all that it starts. So what has ended and been waited for is known:
// if there is no child, nothing is left anywhere.
class AgentProcessTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(reaper); }

  void TearDown() override {
    agent.reset();
    EXPECT_TRUE(NothingLeft());
    EXPECT_TRUE(reaper->Sweep(Soon()));  // so that a failure is one test's
  }

  static bool NothingLeft() { return waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

  static AgentCommand Command(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), Program("MISBEHAVING_AGENT"));
    return {.words = std::move(arguments)};
  }

  void Start(const AgentCommand& command) {
    auto started = AgentProcess::Start(command, Soon());
    if (!started) throw std::runtime_error(started.error().ToText());  // fails the test
    agent = std::make_unique<AgentProcess>(std::move(*started));
  }
  void Start(std::vector<std::string> arguments) { Start(Command(std::move(arguments))); }

  // Until it says that it is as bad as it wants to be.
  void StartAndHear(std::vector<std::string> arguments) {
    Start(std::move(arguments));
    ASSERT_EQ(ReadText(*agent->transport(), 5), "ready");
  }

  // Those that are so, once there are as many.
  std::vector<ProcessInfo> DescendantsOnce(
      std::size_t count,
      const std::function<bool(const ProcessInfo&)>& so = [](const ProcessInfo&) { return true; }) {
    const Deadline deadline = Soon();
    for (;;) {
      auto found = agent->descendants();
      std::erase_if(found, [&](const ProcessInfo& info) { return !so(info); });
      if (found.size() >= count || deadline.passed()) return found;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  static Patience Little() {
    return {.by_itself = std::chrono::milliseconds(50),
            .terminated = std::chrono::milliseconds(50),
            .killed = std::chrono::milliseconds(10000),
            .descendants = std::chrono::milliseconds(20)};
  }

  // Enough for whatever obeys SIGTERM.
  static Patience UntilItObeys() {
    Patience patience = Little();
    patience.terminated = std::chrono::milliseconds(10000);
    return patience;
  }

  void WaitForState(char state) const {
    const Deadline deadline = Soon();
    while (!deadline.passed()) {
      const auto all = ListProcesses();
      ASSERT_TRUE(all);
      for (const ProcessInfo& info : *all) {
        if (info.process == agent->process() && info.state == state) return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ADD_FAILURE() << "never in state " << state;
  }

  const Result<OrphanReaper> reaper = OrphanReaper::Become();
  std::unique_ptr<AgentProcess> agent;
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_TESTING_AGENT_PROCESS_FIXTURE_H_
