// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "reference/pmda/transport/agent_process.h"
#include "reference/pmda/transport/leftover_files.h"
#include "reference/pmda/transport/orphan_reaper.h"
#include "reference/pmda/transport/testing/agent_process_fixture.h"
#include "reference/pmda/transport/transfer.h"

namespace pmproof::pmda {
namespace {

using std::chrono::milliseconds;
using By = Ending::By;

// CKA-010
TEST_F(AgentProcessTest, EndsAnAgentThatDoesNotHearEndOfFile) {
  Start({"deaf"});
  const Ending ending = agent->End(UntilItObeys());
  EXPECT_EQ(ending.exit, (ExitStatus{true, SIGTERM}));
  EXPECT_EQ(ending.by, By::kTerminate);
  EXPECT_TRUE(ending.all_gone);
}

TEST_F(AgentProcessTest, EndsAnAgentThatIgnoresSignals) {
  StartAndHear({"stubborn"});
  const Ending ending = agent->End(Little());
  EXPECT_EQ(ending.exit, (ExitStatus{true, SIGKILL}));
  EXPECT_EQ(ending.by, By::kKill);
  EXPECT_TRUE(ending.all_gone);
  EXPECT_EQ(agent->End().exit, ending.exit);  // asked again
}

TEST_F(AgentProcessTest, EndsAnAgentThatIsStopped) {
  Start({"stopped"});
  WaitForState('T');
  const Ending ending = agent->End(UntilItObeys());
  EXPECT_TRUE(ending.exit);
  EXPECT_EQ(ending.by, By::kTerminate);
  EXPECT_TRUE(ending.all_gone);
}

TEST_F(AgentProcessTest, EndsAnAgentThatFloodsItsOutput) {
  Start({"flood-output"});
  EXPECT_EQ(ReadText(*agent->transport(), 1u << 20).size(), 1u << 20);
  EXPECT_EQ(agent->End(Little()).by, By::kKill);
}

TEST_F(AgentProcessTest, EndsAnAgentThatClosedItsOutput) {
  Start({"close-output"});
  std::uint8_t byte[1];
  EXPECT_EQ(agent->transport()->Read(byte, Soon()).outcome, Transfer::Outcome::kEndOfFile);
  EXPECT_TRUE(agent->running());
  EXPECT_EQ(agent->End().by, By::kItself);
}

TEST_F(AgentProcessTest, EndsAllBelow) {
  StartAndHear({"children"});
  EXPECT_EQ(DescendantsOnce(62).size(), 62u);
  const Ending ending = agent->End(Little());
  EXPECT_EQ(ending.by, By::kItself);
  EXPECT_EQ(ending.left_behind.size(), 62u);
  EXPECT_TRUE(ending.all_gone);
}

TEST_F(AgentProcessTest, EndsADaemon) {
  Start({"daemon"});
  ASSERT_TRUE(agent->WaitForExit(Soon()));
  const Ending ending = agent->End();
  EXPECT_EQ(ending.by, By::kItself);
  ASSERT_EQ(ending.left_behind.size(), 1u);
  EXPECT_NE(ending.left_behind[0].ToText().find(" (misbehaving_age)"), std::string::npos);
  EXPECT_TRUE(ending.all_gone);
}

TEST_F(AgentProcessTest, EndsWhatForksAndEndsOverAndOver) {
  Start({"hopper"});
  ASSERT_TRUE(agent->WaitForExit(Soon()));
  EXPECT_TRUE(agent->End().all_gone);
}

// CKA-014
TEST_F(AgentProcessTest, SeesZombies) {
  StartAndHear({"zombies"});
  const auto below = DescendantsOnce(3, [](const ProcessInfo& info) { return info.zombie(); });
  ASSERT_EQ(below.size(), 3u);
  EXPECT_EQ(below[0].ToText(), std::to_string(below[0].process) + " (misbehaving_age), zombie");
  EXPECT_TRUE(agent->End().left_behind.empty());
}

// CKA-014
TEST_F(AgentProcessTest, SeesFilesLeftBehind) {
  auto scratch = ScratchDirectory::Make();
  ASSERT_TRUE(scratch);
  const auto before = DirectorySnapshot::Take({scratch->path(), "/nowhere"});
  Start({"leave-files", scratch->path()});
  EXPECT_EQ(agent->WaitForExit(Soon()), (ExitStatus{false, 0}));
  const auto after = DirectorySnapshot::Take({scratch->path(), "/nowhere"});
  EXPECT_EQ(after.NewSince(before),
            (std::vector<std::string>{scratch->path() + "/lock", scratch->path() + "/socket"}));
  EXPECT_TRUE(before.NewSince(after).empty());
  const std::string path = scratch->path();
  { const ScratchDirectory gone = std::move(*scratch); }
  EXPECT_NE(access(path.c_str(), F_OK), 0);
}

// CKA-014
TEST_F(AgentProcessTest, StartsAndStopsFiftyTimes) {
  const std::size_t descriptors = OwnDescriptors();
  for (int i = 0; i < 50; ++i) {
    Start({"echo"});
    const Ending ending = agent->End();
    ASSERT_EQ(ending.exit, (ExitStatus{false, 0}));
    ASSERT_TRUE(ending.all_gone);
    ASSERT_TRUE(NothingLeft());
  }
  agent.reset();
  EXPECT_EQ(OwnDescriptors(), descriptors);
}

TEST_F(AgentProcessTest, DoesNotDependOnHowThisProcessHandlesItsChildren) {
  signal(SIGCHLD, SIG_IGN);
  Start({"exit", "4"});
  EXPECT_EQ(agent->WaitForExit(Soon()), (ExitStatus{false, 4}));
  EXPECT_TRUE(agent->End().all_gone);
  signal(SIGCHLD, SIG_DFL);
}

TEST_F(AgentProcessTest, EndsAtOnceWithItsObject) {
  StartAndHear({"children"});
  const auto start = Deadline::Clock::now();
  agent.reset();
  EXPECT_LT(Deadline::Clock::now() - start, milliseconds(4000));
  EXPECT_TRUE(NothingLeft());
}

// The daemon escapes into this process, where the last net is; all else is gone.
TEST_F(AgentProcessTest, OutlivesAnAgentThatKillsItsGuardian) {
  StartAndHear({"kill-guardian"});
  ASSERT_EQ(agent->descendants().size(), 2u);
  EXPECT_FALSE(agent->guardian_lost());
  WriteAll(*agent->transport(), AsBytes("x"), Soon());
  EXPECT_EQ(agent->WaitForExit(Soon()), std::nullopt);
  EXPECT_TRUE(agent->guardian_lost());
  EXPECT_FALSE(agent->running());
  EXPECT_FALSE(agent->Signal(SIGTERM));
  // It died with its guardian, by the kernel's hand; a child of this process by now.
  int status = 0;
  const Deadline deadline = Soon();
  while (waitpid(agent->process(), &status, WNOHANG) == 0 && !deadline.passed())
    std::this_thread::sleep_for(milliseconds(1));
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  const Ending ending = agent->End(Little());
  EXPECT_TRUE(ending.guardian_lost);
  EXPECT_EQ(ending.exit, std::nullopt);
  EXPECT_TRUE(ending.all_gone);
  EXPECT_EQ(reaper->Orphans().size(), 1u);
  EXPECT_TRUE(reaper->Sweep(Soon()));
  EXPECT_TRUE(NothingLeft());
}

TEST_F(AgentProcessTest, WakesItsGuardian) {
  StartAndHear({"stop-guardian"});
  const Ending ending = agent->End();
  EXPECT_EQ(ending.exit, (ExitStatus{false, 0}));
  EXPECT_TRUE(ending.all_gone);
}

TEST_F(AgentProcessTest, EndsAnAgentThatKeepsItsGuardianStopped) {
  StartAndHear({"keep-guardian-stopped"});
  Patience patience = Little();
  patience.killed = milliseconds(1000);
  EXPECT_TRUE(agent->End(patience).all_gone);
}

}  // namespace
}  // namespace pmproof::pmda
