// SPDX-License-Identifier: Apache-2.0
// Faults that only a process can have, or only a socket: agents are started, nothing is timed. What
// has to be waited for by its nature (a descriptor that leaks, an answer that comes too late) has
// amounts and limits of its own.

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "generators/agent/faults/faults.h"
#include "reference/pmda/transport/address.h"
#include "reference/pmda/transport/leftover_files.h"
#include "validator/agent/testing/memory_subject.h"

namespace pmproof::validator::agent {
namespace {

using generators::AgentModel;
using generators::Fault;
using std::chrono::milliseconds;
using Clauses = std::set<Clause>;

constexpr std::uint64_t kSeed = 4;

// A directory that everybody may enter, for the program: CKA-162 runs it as somebody else.
pmda::ScratchDirectory MakeScratch() {
  unsetenv("TMPDIR");
  return *pmda::ScratchDirectory::Make();
}

class FaultProcess : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* const program = std::getenv("FAULTY_AGENT");
    ASSERT_NE(program, nullptr);
    program_ = scratch_.path() + "/faulty_agent";
    ASSERT_EQ(chmod(scratch_.path().c_str(), 0755), 0);
    std::filesystem::copy_file(program, program_);
    ASSERT_EQ(chmod(program_.c_str(), 0755), 0);
  }

  Subject Start(const std::string& id) {
    fault_ = generators::FindFault(faults_, id);
    Subject subject;
    subject.command.words = {program_, "--seed", std::to_string(kSeed)};
    if (!id.empty()) subject.command.words.insert(subject.command.words.end(), {"--fault", id});
    subject.command.environment = {"PATH=/usr/bin:/bin", "HOME=/", "TMPDIR=" + scratch_.path()};
    subject.limits = testing::SmallLimits();
    const milliseconds patient(60000);
    subject.limits.creds = subject.limits.answer = subject.limits.end = patient;
    // What is to be silent is silent at once, or never.
    subject.limits.quiet = subject.limits.silent = milliseconds(1);
    subject.limits.piece = milliseconds(1);
    return subject;
  }

  Clauses Due() const {
    Clauses due(fault_->together.begin(), fault_->together.end());
    due.insert(fault_->check);
    return due;
  }

  static Clauses Failed(const AgentReport& report) {
    Clauses failed;
    for (const auto& [id, because] : testing::Those(report, Outcome::kFail)) {
      failed.insert(id);
      std::printf("%s: %s\n", id.ToString().c_str(), because.c_str());
    }
    return failed;
  }

  // With all checks.
  void IsCaught(const std::string& id, const std::function<void(Limits&)>& change = {},
                const std::vector<Clause>& only = {}) {
    Subject subject = Start(id);
    ASSERT_NE(fault_, nullptr);
    if (change) change(subject.limits);
    const std::vector<Clause> without = {"CKA-008"_clause};
    Clauses failed =
        Failed(testing::CheckModel(subject, FaultyModel(*fault_, kSeed), only, without));
    for (const Clause may : fault_->perhaps) failed.erase(may);
    EXPECT_EQ(failed, Due());
  }

  // One that listens; only checks that say something of that.
  void IsCaughtAt(const pmda::Address& address, const std::string& id,
                  const std::vector<Clause>& only = {
                      "CKA-001"_clause, "CKA-005"_clause, "CKA-010"_clause, "CKA-015"_clause,
                      "CKA-016"_clause, "CKA-017"_clause, "CKA-030"_clause, "CKA-034"_clause}) {
    Subject subject = Start(id);
    ASSERT_NE(fault_, nullptr);
    subject.address = address;
    subject.command.streams = pmda::AgentCommand::Streams::kSocket;
    const bool unix_socket = address.kind == pmda::Address::Kind::kUnix;
    subject.command.words.insert(
        subject.command.words.end(),
        {unix_socket ? "-u" : "-i", unix_socket ? address.path : std::to_string(address.port)});
    EXPECT_EQ(Failed(testing::CheckModel(subject, FaultyModel(*fault_, kSeed), only)), Due());
  }
  pmda::Address UnixAddress() const {
    return pmda::Address::Unix(scratch_.path() + "/agent.socket");
  }

  pmda::ScratchDirectory scratch_ = MakeScratch();
  std::string program_;
  std::vector<Fault> faults_ = generators::AllFaults();
  const Fault* fault_ = nullptr;
};

// A port that is free now, as the kernel says.
std::uint16_t FreePort() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof name;
  EXPECT_EQ(bind(socket, reinterpret_cast<sockaddr*>(&name), size), 0);
  EXPECT_EQ(getsockname(socket, reinterpret_cast<sockaddr*>(&name), &size), 0);
  close(socket);
  return ntohs(name.sin_port);
}

TEST_F(FaultProcess, NoneIsReportedOfASoundAgent) {
  Subject subject = Start("");
  generators::Random random(kSeed);
  const AgentModel model = RandomAgent(random, {.complete = true});
  EXPECT_EQ(Failed(testing::CheckModel(subject, model, {}, {"CKA-008"_clause})), Clauses());
}

TEST_F(FaultProcess, AChildIsLeft) { IsCaught("leaves-a-child"); }
TEST_F(FaultProcess, AFileIsLeft) { IsCaught("leaves-a-file"); }
TEST_F(FaultProcess, HeadersAreReadOnce) { IsCaught("reads-once"); }
TEST_F(FaultProcess, AHomeIsNeeded) { IsCaught("needs-a-home"); }
TEST_F(FaultProcess, DescriptorsLeak) {
  IsCaught("leaks-descriptors", [](Limits& limits) { limits.requests = 1000; });
}
TEST_F(FaultProcess, MemoryLeaks) {
  IsCaught("leaks-memory", [](Limits& limits) { limits.requests = 2000; });
}
TEST_F(FaultProcess, AnAnswerComesTooLate) {
  IsCaught("slow", [](Limits& limits) { limits.answer = milliseconds(2000); },
           {"CKA-001"_clause, "CKA-005"_clause, "CKA-030"_clause, "CKA-157"_clause});
}
TEST_F(FaultProcess, AnswersAreSlowNowAndThen) {
  IsCaught("slow-now-and-then", {},
           {"CKA-001"_clause, "CKA-005"_clause, "CKA-030"_clause, "CKA-168"_clause});
}
TEST_F(FaultProcess, ASecondConnectionIsTaken) {
  IsCaughtAt(UnixAddress(), "takes-a-second-connection");
}
TEST_F(FaultProcess, AStaleSocketIsMinded) { IsCaughtAt(UnixAddress(), "minds-a-stale-socket"); }
TEST_F(FaultProcess, ThePortIsKept) {
  // Whether another start on that port fails is a matter of who closed first.
  IsCaughtAt(pmda::Address::Inet(FreePort()), "keeps-its-port", {"CKA-016"_clause});
}

}  // namespace
}  // namespace pmproof::validator::agent
