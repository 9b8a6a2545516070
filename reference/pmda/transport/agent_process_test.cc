// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/transport/agent_process.h"

#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "reference/pmda/transport/connect.h"
#include "reference/pmda/transport/leftover_files.h"
#include "reference/pmda/transport/testing/agent_process_fixture.h"
#include "reference/pmda/transport/transfer.h"

namespace pmproof::pmda {
namespace {

using std::chrono::milliseconds;
using By = Ending::By;

// PMD-001
TEST_F(AgentProcessTest, TalksOverPipes) {
  Start({"echo"});
  WriteAll(*agent->transport(), AsBytes("hello"), Soon());
  EXPECT_EQ(ReadText(*agent->transport(), 5), "hello");
  EXPECT_TRUE(agent->running());
  const Ending ending = agent->End();
  EXPECT_EQ(ending.exit, (ExitStatus{false, 0}));
  EXPECT_EQ(ending.by, By::kItself);
  EXPECT_TRUE(ending.all_gone);
  EXPECT_TRUE(ending.left_behind.empty());
  EXPECT_FALSE(ending.guardian_lost);
  EXPECT_FALSE(agent->running());
}

// PMD-001: three descriptors, a session of its own, default signals, whatever this process has.
TEST_F(AgentProcessTest, StartsWithNothingOfOurs) {
  const int ours = open("/dev/null", O_RDONLY);
  ASSERT_EQ(fcntl(ours, F_GETFD), 0) << "inherited by any exec";
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  signal(SIGPIPE, SIG_IGN);
  Start({"describe"});
  signal(SIGPIPE, SIG_DFL);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  close(ours);
  const std::string text = ReadToEnd(*agent->transport());
  const std::string pid = std::to_string(agent->process());
  EXPECT_EQ(text.find("fd 0 pipe\nfd 1 pipe\nfd 2 pipe\ncwd "), 0u) << text;
  EXPECT_NE(text.find("pid " + pid + " " + pid + " " + pid + "\n"), std::string::npos) << text;
  EXPECT_NE(text.find("SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("env MISBEHAVING_AGENT="), std::string::npos) << text;
}

// CKA-162
TEST_F(AgentProcessTest, StartsElsewhereWithAnotherEnvironment) {
  AgentCommand command = Command({"describe"});
  command.directory = "/";
  command.environment = {"PATH=/bin", "A=b"};
  Start(command);
  const std::string text = ReadToEnd(*agent->transport());
  EXPECT_NE(text.find("cwd /\n"), std::string::npos) << text;
  EXPECT_NE(text.find("env PATH=/bin\nenv A=b\nSigBlk"), std::string::npos) << text;
}

// Root can, but for one that is root only in a name space of its own.
bool MayBecomeNobody() {
  const pid_t process = fork();
  if (process == 0) _exit(setgroups(0, nullptr) == 0 && setuid(65534) == 0 ? 0 : 1);
  int status = 0;
  waitpid(process, &status, 0);
  return status == 0;
}

// CKA-162
TEST_F(AgentProcessTest, StartsAsAnotherUserIfItMay) {
  // Where the program lies may be out of reach for the other user.
  auto scratch = ScratchDirectory::Make();
  ASSERT_TRUE(scratch);
  ASSERT_EQ(chmod(scratch->path().c_str(), 0755), 0);
  AgentCommand command = Command({"describe"});
  const std::string copy = scratch->path() + "/agent";
  ASSERT_TRUE(std::filesystem::copy_file(command.words[0], copy));
  command.words[0] = copy;
  command.user = LookUpUser("65534").value();
  EXPECT_EQ(command.user->user, LookUpUser("nobody")->user);
  if (!MayBecomeNobody()) {
    const auto started = AgentProcess::Start(command, Soon());
    ASSERT_FALSE(started);
    EXPECT_EQ(started.error().ToText(),
              "starting " + copy + ": changing the user: Operation not permitted");
    return;
  }
  Start(command);
  const std::string text = ReadToEnd(*agent->transport());
  EXPECT_NE(text.find("user 65534 65534\n"), std::string::npos) << text;
  EXPECT_EQ(agent->WaitForExit(Soon()), (ExitStatus{false, 0}));
}

TEST_F(AgentProcessTest, FindsTheCommandByThePathGiven) {
  auto scratch = ScratchDirectory::Make();
  ASSERT_TRUE(scratch);
  ASSERT_EQ(symlink(Program("MISBEHAVING_AGENT").c_str(), (scratch->path() + "/a-pmda").c_str()),
            0);
  const std::vector<std::string> environment = {"PATH=/bin:" + scratch->path()};
  Start({.words = {"a-pmda", "exit", "7"}, .environment = environment});
  EXPECT_EQ(agent->WaitForExit(Soon()), (ExitStatus{false, 7}));
}

TEST_F(AgentProcessTest, SaysWhyItCouldNotStart) {
  const auto reason = [](const AgentCommand& command) {
    const auto started = AgentProcess::Start(command, Soon());
    return started ? "started" : started.error().ToText();
  };
  EXPECT_EQ(reason({.words = {"no-such-pmda"}}),
            "starting no-such-pmda: No such file or directory");
  EXPECT_EQ(reason({.words = {"/etc"}}), "starting /etc: Permission denied");
  EXPECT_EQ(reason({.words = {"true"}, .directory = "/nowhere"}),
            "starting true: changing to /nowhere: No such file or directory");
  EXPECT_EQ(reason({}), "an agent's command needs a word, and no NUL bytes");
  EXPECT_EQ(reason({.words = {"a", std::string("b\0c", 3)}}),
            "an agent's command needs a word, and no NUL bytes");
  EXPECT_EQ(LookUpUser("no-such-user").error().ToText(), "no user no-such-user on this host");
  EXPECT_TRUE(NothingLeft());
}

// No descriptors left for the pipes, the channel, or what comes later.
TEST_F(AgentProcessTest, SaysThatTheSystemHasNoMore) {
  rlimit before = {};
  getrlimit(RLIMIT_NOFILE, &before);
  const std::size_t used = OwnDescriptors();
  for (std::size_t more = 0; more < 20; ++more) {
    rlimit few = before;
    few.rlim_cur = used + more;
    setrlimit(RLIMIT_NOFILE, &few);
    const auto started = AgentProcess::Start(Command({"exit", "0"}), Soon());
    setrlimit(RLIMIT_NOFILE, &before);
    EXPECT_TRUE(more >= 3 || !started) << more;
    EXPECT_TRUE(more < 19 || started) << started.error().ToText();
    EXPECT_EQ(started ? ErrorCode::kOk : started.error().code,
              started ? ErrorCode::kOk : static_cast<ErrorCode>(-EMFILE))
        << more;
  }
  EXPECT_TRUE(NothingLeft());
  EXPECT_EQ(OwnDescriptors(), used);
}

TEST_F(AgentProcessTest, TellsExitAndSignal) {
  Start({"exit", "3"});
  EXPECT_EQ(agent->WaitForExit(Soon())->ToText(), "exit status 3");
  Start({"die", "11"});
  EXPECT_EQ(agent->WaitForExit(Soon())->ToText(), "signal 11 (SEGV)");
  EXPECT_FALSE(agent->Signal(SIGTERM));
}

// The log is read even while this process does nothing at all.
TEST_F(AgentProcessTest, NeverBlocksAnAgentThatFloodsItsLog) {
  Start({"flood-log"});
  AgentLog log;
  const Deadline deadline = Soon();
  while (log.total < (4u << 20) && !deadline.passed()) {
    std::this_thread::sleep_for(milliseconds(10));
    log = agent->log();
  }
  EXPECT_GE(log.total, 4u << 20);
  const bool is_slow = std::getenv("PMPROOF_SANITIZED") != nullptr;
  EXPECT_GT(log.text.size(), is_slow ? 128u : 65536u / 2);
  EXPECT_LE(log.text.size(), 65536u);
  EXPECT_NE(log.text.find("\n0123456789abcdef"), std::string::npos);
  EXPECT_EQ(agent->End(Little()).by, By::kKill);
}

TEST_F(AgentProcessTest, KeepsTheEndOfTheLog) {
  AgentCommand command = Command({"log", "10000"});  // lines of 13 bytes
  command.log_size = 1300;
  Start(command);
  ASSERT_TRUE(agent->WaitForExit(Soon()));
  const AgentLog log = agent->log();
  EXPECT_EQ(log.total, 130000u);
  EXPECT_EQ(log.text.size(), 1300u);
  EXPECT_EQ(log.text.substr(0, 13), "line 0009900\n");
  EXPECT_EQ(log.text.substr(1287), "line 0009999\n");
}

// CKA-012
TEST_F(AgentProcessTest, ClosesTheReplyChannelFirst) {
  Start({"serve-standard-streams"});
  agent->transport()->CloseReading();
  WriteAll(*agent->transport(), AsBytes("request"), Soon());
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_TRUE(agent->running());
  agent->transport()->CloseWriting();
  EXPECT_EQ(agent->WaitForExit(Soon()), (ExitStatus{false, 0}));
}

// PMD-001
TEST_F(AgentProcessTest, KeepsPrintsOutOfTheReplies) {
  Start({"serve-standard-streams"});
  WriteAll(*agent->transport(), AsBytes("request"), Soon());
  EXPECT_EQ(ReadText(*agent->transport(), 7), "request");
  EXPECT_EQ(agent->End().by, By::kItself);
  EXPECT_EQ(agent->log().text, "a print of the agent's code\n");
}

// Neither agents nor guardians hold what belongs to others, which would keep them from ending.
TEST_F(AgentProcessTest, KeepsAgentsApart) {
  Start({"echo"});
  const auto other = AgentProcess::Start(Command({"echo"}), Soon());
  ASSERT_TRUE(other);
  const auto third = AgentProcess::Start(Command({"echo"}), Soon());
  ASSERT_TRUE(third);
  agent->transport()->CloseWriting();
  EXPECT_EQ(agent->WaitForExit(Soon()), (ExitStatus{false, 0}));
  WriteAll(*other->transport(), AsBytes("still here"), Soon());
  EXPECT_EQ(ReadText(*other->transport(), 10), "still here");
}

// CKA-156
TEST_F(AgentProcessTest, MeasuresDescriptorsAndMemory) {
  StartAndHear({"hold", "0", "0"});
  const auto small = agent->resources();
  ASSERT_TRUE(small) << small.error().ToText();
  EXPECT_EQ(small->descriptors, 3u);
  StartAndHear({"hold", "20", "32"});
  const auto large = agent->resources();
  ASSERT_TRUE(large);
  EXPECT_EQ(large->descriptors, 23u);
  EXPECT_GT(large->resident_bytes, small->resident_bytes + (31u << 20));
  agent->Signal(SIGKILL);
  ASSERT_TRUE(agent->WaitForExit(Soon()));
  EXPECT_FALSE(agent->resources());
}

// PMD-003, PMD-004
TEST_F(AgentProcessTest, TalksOverAUnixSocket) {
  auto scratch = ScratchDirectory::Make();
  ASSERT_TRUE(scratch);
  AgentCommand command = Command({"serve-unix", scratch->path() + "/agent"});
  command.streams = AgentCommand::Streams::kSocket;
  Start(command);
  EXPECT_EQ(agent->transport(), nullptr);
  auto transport = Connect(Address::Unix(scratch->path() + "/agent"), Soon(),
                           [this] { return agent->running(); });
  ASSERT_TRUE(transport) << transport.error().ToText();
  WriteAll(**transport, AsBytes("hello"), Soon());
  EXPECT_EQ(ReadText(**transport, 5), "hello");
  EXPECT_FALSE(Connect(Address::Unix(scratch->path() + "/agent"), Deadline::Passed()));
  (*transport)->CloseWriting();
  EXPECT_EQ(agent->WaitForExit(Soon()), (ExitStatus{false, 0}));
}

// PMD-004
TEST_F(AgentProcessTest, GivesASocketAgentNoInputAndALog) {
  AgentCommand command = Command({"describe"});
  command.streams = AgentCommand::Streams::kSocket;
  Start(command);
  ASSERT_TRUE(agent->WaitForExit(Soon()));
  EXPECT_EQ(agent->log().text.find("fd 1 pipe\nfd 2 pipe\ncwd "), 0u) << agent->log().text;
}

TEST_F(AgentProcessTest, DoesNotWaitForTheSocketOfADeadAgent) {
  AgentCommand command = Command({"exit", "1"});
  command.streams = AgentCommand::Streams::kSocket;
  Start(command);
  EXPECT_FALSE(Connect(Address::Unix("/tmp/pmproof-nobody-listens-here"), Deadline::Never(),
                       [this] { return agent->running(); }));
}

// A command of ours that hangs before it is the agent: the guardian is let go with it.
TEST_F(AgentProcessTest, DoesNotWaitForAStartBeyondTheDeadline) {
  const auto started = AgentProcess::Start(Command({"echo"}), Deadline::Passed());
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().kind, Status::Kind::kBudget);
}

}  // namespace
}  // namespace pmproof::pmda
