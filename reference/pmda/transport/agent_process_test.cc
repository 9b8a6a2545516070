#include "reference/pmda/transport/agent_process.h"

#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "reference/pmda/transport/connect.h"
#include "reference/pmda/transport/leftover_files.h"
#include "reference/pmda/transport/orphan_reaper.h"
#include "reference/pmda/transport/transfer.h"

namespace pmproof::pmda {
namespace {

using std::chrono::milliseconds;
using By = Ending::By;

Deadline Soon() { return Deadline::After(std::chrono::seconds(10)); }

Bytes AsBytes(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string ReadText(Transport& transport, std::size_t size) {
  std::string text(size, '\0');
  text.resize(
      ReadExactly(transport, {reinterpret_cast<std::uint8_t*>(text.data()), size}, Soon()).size);
  return text;
}

std::string ReadToEnd(Transport& transport) {
  std::vector<std::uint8_t> got;
  while (ReadUntilQuiet(transport, got, milliseconds(100), 1u << 20, Soon()).moved()) {
  }
  return {got.begin(), got.end()};
}

std::string Program(const char* variable) {
  const char* const path = getenv(variable);
  char absolute[4096];
  if (path == nullptr || realpath(path, absolute) == nullptr) return "no-such-program";
  return absolute;
}

std::size_t OwnDescriptors() { return ProcessHandle::Open(getpid())->Resources()->descriptors; }

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
      std::this_thread::sleep_for(milliseconds(1));
    }
  }

  static Patience Little() {
    return {.by_itself = milliseconds(50),
            .terminated = milliseconds(50),
            .killed = milliseconds(10000),
            .descendants = milliseconds(20)};
  }

  // Enough for whatever obeys SIGTERM.
  static Patience UntilItObeys() {
    Patience patience = Little();
    patience.terminated = milliseconds(10000);
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
      std::this_thread::sleep_for(milliseconds(1));
    }
    ADD_FAILURE() << "never in state " << state;
  }

  const Result<OrphanReaper> reaper = OrphanReaper::Become();
  std::unique_ptr<AgentProcess> agent;
};

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
  EXPECT_GT(log.text.size(), 65536u / 2);
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

TEST_F(AgentProcessTest, EndsAnAgentThatClosedItsOutput) {
  Start({"close-output"});
  std::uint8_t byte[1];
  EXPECT_EQ(agent->transport()->Read(byte, Soon()).outcome, Transfer::Outcome::kEndOfFile);
  EXPECT_TRUE(agent->running());
  EXPECT_EQ(agent->End().by, By::kItself);
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

TEST_F(AgentProcessTest, DoesNotDependOnHowThisProcessHandlesItsChildren) {
  signal(SIGCHLD, SIG_IGN);
  Start({"exit", "4"});
  EXPECT_EQ(agent->WaitForExit(Soon()), (ExitStatus{false, 4}));
  EXPECT_TRUE(agent->End().all_gone);
  signal(SIGCHLD, SIG_DFL);
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

class DoomedDriverTest : public AgentProcessTest, public testing::WithParamInterface<const char*> {
 protected:
  // A driver that has started this agent; its number.
  static pid_t Drive(const std::string& end, std::vector<std::string> arguments) {
    int output[2];
    EXPECT_EQ(pipe(output), 0);
    const std::string driver = Program("DOOMED_DRIVER");
    arguments.insert(arguments.begin(), {driver, end, Program("MISBEHAVING_AGENT")});
    std::vector<char*> words;
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

TEST(ProcessInfoTest, ReadsNamesThatLookLikeSomethingElse) {
  const auto info = ParseProcessStat("12 (a) R 1 (b)) S 34 56 78 0 -1");
  ASSERT_TRUE(info);
  EXPECT_EQ(info->name, "a) R 1 (b)");
  EXPECT_EQ(info->state, 'S');
  EXPECT_EQ(info->parent, 34);
  EXPECT_EQ(info->group, 56);
  EXPECT_EQ(info->session, 78);
  for (const char* const text : {"", "x", "12", "12 (a", "12 a) S 1 2 3 ", "12 (a) S 1 2"})
    EXPECT_FALSE(ParseProcessStat(text)) << text;
}

TEST(ProcessInfoTest, FindsDescendantsInAnyOrder) {
  const std::vector<ProcessInfo> all = {{.process = 5, .parent = 4}, {.process = 4, .parent = 2},
                                        {.process = 3, .parent = 2}, {.process = 2, .parent = 1},
                                        {.process = 6, .parent = 1}, {.process = 7, .parent = 7}};
  std::vector<pid_t> found;
  for (const ProcessInfo& info : DescendantsOf(2, all)) found.push_back(info.process);
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, (std::vector<pid_t>{3, 4, 5}));
}

}  // namespace
}  // namespace pmproof::pmda
