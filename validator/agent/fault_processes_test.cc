// Faults that only a process can have, or only a socket: agents are started, nothing is timed. What
// has to be waited for by its nature (a descriptor that leaks, an answer that comes too late) has
// amounts and limits of its own.

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generators/agent/faults/faults.h"
#include "reference/pmda/transport/leftover_files.h"
#include "validator/agent/testing/memory_subject.h"

namespace pmproof::validator::agent {
namespace {

using generators::AgentModel;
using generators::Fault;
using std::chrono::milliseconds;
using Clauses = std::set<Clause>;

constexpr std::uint64_t kSeed = 4;

// A directory that everybody may enter, with the program in it: CKA-162 runs it as somebody else.
class FaultProcess : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* const program = std::getenv("FAULTY_AGENT");
    ASSERT_NE(program, nullptr);
    program_ = scratch_->path() + "/faulty_agent";
    ASSERT_EQ(chmod(scratch_->path().c_str(), 0755), 0);
    std::filesystem::copy_file(program, program_);
    ASSERT_EQ(chmod(program_.c_str(), 0755), 0);
    fault_ = generators::FindFault(faults_, "");
  }

  Subject Start(const std::string& id) {
    fault_ = generators::FindFault(faults_, id);
    Subject subject;
    subject.command.words = {program_, "--seed", std::to_string(kSeed)};
    if (!id.empty()) subject.command.words.insert(subject.command.words.end(), {"--fault", id});
    subject.command.environment = {"PATH=/usr/bin:/bin", "HOME=/"};
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
    EXPECT_EQ(Failed(testing::CheckModel(subject, FaultyModel(*fault_, kSeed), only)), Due());
  }

  pmda::ScratchDirectory scratch_ = *pmda::ScratchDirectory::Make();
  std::string program_;
  std::vector<Fault> faults_ = generators::AllFaults();
  const Fault* fault_ = nullptr;
};

}  // namespace
}  // namespace pmproof::validator::agent
