// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include "reference/pmda/transport/connect.h"
#include "reference/pmda/transport/listen.h"
#include "reference/pmda/transport/transfer.h"

namespace pmproof::pmda {
namespace {

using std::chrono::milliseconds;

Deadline Soon() { return Deadline::After(milliseconds(10000)); }

// The negated errno number of a refusal, 0 for none.
template <typename T>
int ErrorOf(const Result<T>& result) {
  return result ? 0 : -static_cast<int>(result.error().code);
}

class UnixSocketTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/pmproof-socket-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    directory = name;
    path = directory + "/agent";
  }
  void TearDown() override {
    unlink(path.c_str());
    rmdir(directory.c_str());
  }

  std::string directory;
  std::string path;
};

mode_t ModeOf(const std::string& path) {
  struct stat state = {};
  return lstat(path.c_str(), &state) == 0 ? state.st_mode : 0;
}

// PMD-003, whatever the umask is.
TEST_F(UnixSocketTest, HasModeRwRw) {
  for (const mode_t mask : {mode_t{0}, mode_t{022}, mode_t{077}}) {
    const mode_t before = umask(mask);
    const auto listener = Listener::Open(Address::Unix(path));
    umask(before);
    ASSERT_TRUE(listener) << listener.error().ToText();
    EXPECT_EQ(ModeOf(path), S_IFSOCK | 0660u) << std::oct << mask;
  }
}

// PMD-003, CKA-017
TEST_F(UnixSocketTest, ReplacesAStaleSocketFile) {
  ASSERT_TRUE(Listener::Open(Address::Unix(path)));
  ASSERT_NE(ModeOf(path), 0u);
  auto listener = Listener::Open(Address::Unix(path));
  ASSERT_TRUE(listener) << listener.error().ToText();
  EXPECT_TRUE(Connect(Address::Unix(path), Soon()));
}

TEST_F(UnixSocketTest, LeavesOtherFilesAlone) {
  std::ofstream(path) << "somebody's";
  const auto listener = Listener::Open(Address::Unix(path));
  EXPECT_EQ(ErrorOf(listener), EADDRINUSE);
  EXPECT_EQ(listener.error().ToText(), "listening on unix " + path + ": Address already in use");
  EXPECT_FALSE(RemoveSocketFile(path));
  EXPECT_EQ(ModeOf(path) & S_IFMT, static_cast<mode_t>(S_IFREG));
}

// PMD-003: it is the collector that removes the file.
TEST_F(UnixSocketTest, KeepsItsFileAfterTheConnection) {
  {
    auto listener = Listener::Open(Address::Unix(path));
    ASSERT_TRUE(listener);
    const auto collector = Connect(Address::Unix(path), Soon());
    ASSERT_TRUE(listener->Accept(Soon()));
  }
  EXPECT_NE(ModeOf(path), 0u);
  EXPECT_TRUE(RemoveSocketFile(path));
  EXPECT_EQ(ModeOf(path), 0u);
  EXPECT_FALSE(RemoveSocketFile(path));
}

// PMD-002, PMD-003, CKA-015: {kind, errno of the second connect}
TEST_F(UnixSocketTest, AcceptsOneConnectionOnly) {
  for (const Address& asked : {Address::Unix(path), Address::Inet(0), Address::Inet6(0)}) {
    auto listener = Listener::Open(asked);
    ASSERT_TRUE(listener) << listener.error().ToText();
    const Address address = listener->address();
    const auto first = Connect(address, Soon());
    ASSERT_TRUE(first) << first.error().ToText();
    ASSERT_TRUE(listener->Accept(Soon()));
    EXPECT_EQ(ErrorOf(Connect(address, Deadline::Passed())), ECONNREFUSED) << address.ToText();
    EXPECT_EQ(ErrorOf(listener->Accept(Soon())), EBADF);
  }
}

TEST_F(UnixSocketTest, IsWaitedFor) {
  std::thread agent([&] {
    std::this_thread::sleep_for(milliseconds(50));
    auto listener = Listener::Open(Address::Unix(path));
    ASSERT_TRUE(listener);
    const auto transport = listener->Accept(Soon());
    ASSERT_TRUE(transport);
    const std::uint8_t byte[1] = {7};
    WriteAll(**transport, byte, Soon());
  });
  const auto transport = Connect(Address::Unix(path), Soon());
  ASSERT_TRUE(transport) << transport.error().ToText();
  std::uint8_t byte[1];
  EXPECT_TRUE((*transport)->Read(byte, Soon()).moved());
  agent.join();
}

TEST_F(UnixSocketTest, IsNotWaitedForBeyondTheDeadline) {
  const auto start = Deadline::Clock::now();
  const auto transport = Connect(Address::Unix(path), Deadline::After(milliseconds(50)));
  ASSERT_FALSE(transport);
  EXPECT_EQ(transport.error().kind, Status::Kind::kNotFound);
  EXPECT_EQ(transport.error().ToText(),
            "connecting to unix " + path + ": No such file or directory");
  EXPECT_GE(Deadline::Clock::now() - start, milliseconds(50));
  EXPECT_LT(Deadline::Clock::now() - start, milliseconds(5000));
}

TEST_F(UnixSocketTest, IsNotWaitedForOnceTheAgentIsGone) {
  int asked = 0;
  EXPECT_EQ(ErrorOf(Connect(Address::Unix(path), Deadline::Never(), [&] { return ++asked < 3; })),
            ENOENT);
  EXPECT_EQ(asked, 3);
}

TEST_F(UnixSocketTest, NeedsAPathThatFits) {
  EXPECT_EQ(Listener::Open(Address::Unix("")).error().kind, Status::Kind::kUsage);
  EXPECT_EQ(Connect(Address::Unix(std::string("a\0b", 3)), Soon()).error().kind,
            Status::Kind::kUsage);
  const std::string longest = directory + "/" + std::string(107 - directory.size() - 1, 'x');
  EXPECT_TRUE(Listener::Open(Address::Unix(longest)));
  EXPECT_TRUE(RemoveSocketFile(longest));
  EXPECT_EQ(Listener::Open(Address::Unix(longest + "x")).error().kind, Status::Kind::kUsage);
}

TEST(InetSocketTest, ListensOnTheLoopbackAddressOnly) {
  const auto listener = Listener::Open(Address::Inet(0));
  ASSERT_TRUE(listener);
  EXPECT_NE(listener->address().port, 0);
  Address elsewhere = listener->address();
  elsewhere.host = "127.0.0.2";  // as good as any other address of this host
  EXPECT_EQ(ErrorOf(Connect(elsewhere, Deadline::Passed())), ECONNREFUSED);
}

// CKA-016
TEST(InetSocketTest, TakesThePortAgainAtOnce) {
  std::uint16_t port = 0;
  for (int i = 0; i < 3; ++i) {
    auto listener = Listener::Open(Address::Inet(port));
    ASSERT_TRUE(listener) << listener.error().ToText();
    port = listener->address().port;
    auto collector = Connect(listener->address(), Soon());
    auto agent = listener->Accept(Soon());
    ASSERT_TRUE(agent);
    agent->reset();  // the side that closes first holds the port in TIME_WAIT
  }
}

TEST(InetSocketTest, DoesNotAcceptForEver) {
  auto listener = Listener::Open(Address::Inet(0));
  ASSERT_TRUE(listener);
  const auto agent = listener->Accept(Deadline::After(milliseconds(20)));
  ASSERT_FALSE(agent);
  EXPECT_EQ(agent.error().kind, Status::Kind::kBudget);
  const auto collector = Connect(listener->address(), Soon());
  EXPECT_TRUE(listener->Accept(Soon()));
}

TEST(InetSocketTest, SaysWhichHostIsUnknown) {
  const auto transport =
      Connect({.kind = Address::Kind::kInet, .host = "300.0.0.1.invalid", .port = 1}, Soon());
  ASSERT_FALSE(transport);
  EXPECT_EQ(transport.error().kind, Status::Kind::kNotFound);
  EXPECT_EQ(transport.error().ToText().find("host 300.0.0.1.invalid: "), 0u);
}

// A port where nobody listens, out of those that Linux gives to sockets that connect (the even ones
// first): after some ten thousand tries it gives that very port, and TCP connects the socket to
// itself.
TEST(InetSocketTest, DoesNotTakeItselfForTheAgent) {
  std::uint16_t port = 0;
  do {
    const auto listener = Listener::Open(Address::Inet(0));
    ASSERT_TRUE(listener);
    port = static_cast<std::uint16_t>(listener->address().port & ~1);
  } while (ErrorOf(Connect(Address::Inet(port), Deadline::Passed())) != ECONNREFUSED);
  for (int i = 0; i < 40000; ++i)
    ASSERT_EQ(ErrorOf(Connect(Address::Inet(port), Deadline::Passed())), ECONNREFUSED) << i;
}

TEST(AddressTest, IsWrittenForPeople) {
  EXPECT_EQ(Address::Unix("/run/a").ToText(), "unix /run/a");
  EXPECT_EQ(Address::Inet(4321).ToText(), "inet 127.0.0.1:4321");
  EXPECT_EQ(Address::Inet6(4321).ToText(), "ipv6 [::1]:4321");
}

}  // namespace
}  // namespace pmproof::pmda
