// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/transport/transport.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "reference/pmda/transport/connect.h"
#include "reference/pmda/transport/descriptor_transport.h"
#include "reference/pmda/transport/listen.h"
#include "reference/pmda/transport/memory_transport.h"
#include "reference/pmda/transport/transfer.h"

namespace pmproof::pmda {
namespace {

using std::chrono::milliseconds;
using Outcome = Transfer::Outcome;

Bytes AsBytes(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

Deadline Soon() { return Deadline::After(milliseconds(10000)); }
Deadline Shortly() { return Deadline::After(milliseconds(20)); }

std::string ReadText(Transport& transport, std::size_t size) {
  std::string text(size, '\0');
  const Transfer read =
      ReadExactly(transport, {reinterpret_cast<std::uint8_t*>(text.data()), text.size()}, Soon());
  text.resize(read.size);
  return text;
}

TransportPair InetPair(Address::Kind kind) {
  auto listener = Listener::Open({.kind = kind});
  if (!listener) {
    ADD_FAILURE() << listener.error().ToText();
    return {};
  }
  auto collector = Connect(listener->address(), Soon());
  auto agent = listener->Accept(Soon());
  EXPECT_TRUE(collector) << collector.error().ToText();
  EXPECT_TRUE(agent) << agent.error().ToText();
  return {std::move(*collector), std::move(*agent)};
}

TransportPair InMemory() {
  MemoryPair pair = MakeMemoryPair();
  return {std::move(pair.collector), std::move(pair.agent)};
}

// Pipes as an agent gets them from a parent that knows nothing of O_NONBLOCK.
TransportPair BlockingPipes() {
  int requests[2];
  int replies[2];
  EXPECT_EQ(pipe2(requests, O_CLOEXEC), 0);
  EXPECT_EQ(pipe2(replies, O_CLOEXEC), 0);
  return {MakePipeTransport(Descriptor(replies[0]), Descriptor(requests[1])),
          MakePipeTransport(Descriptor(requests[0]), Descriptor(replies[1]))};
}

struct Kind {
  const char* name;
  std::function<TransportPair()> make;
  bool closes_reading_visibly = true;
  bool waits = true;
};

class EachTransport : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    auto pair = GetParam().make();
    collector = std::move(pair.first);
    agent = std::move(pair.second);
    ASSERT_TRUE(collector && agent);
  }

  std::unique_ptr<Transport> collector;
  std::unique_ptr<Transport> agent;
};

INSTANTIATE_TEST_SUITE_P(
    Kinds, EachTransport,
    testing::Values(Kind{"pipe", [] { return std::move(*MakePipePair()); }},
                    Kind{"blocking_pipe", BlockingPipes},
                    Kind{"unix", [] { return std::move(*MakeSocketPair()); }},
                    Kind{"inet", [] { return InetPair(Address::Kind::kInet); }, false},
                    Kind{"ipv6", [] { return InetPair(Address::Kind::kInet6); }, false},
                    Kind{"memory", InMemory, true, false}),
    [](const auto& test) { return test.param.name; });

TEST_P(EachTransport, CarriesBytesInEitherDirection) {
  EXPECT_EQ(WriteAll(*collector, AsBytes("request"), Soon()), (Transfer{Outcome::kMoved, 7, 0}));
  EXPECT_EQ(ReadText(*agent, 7), "request");
  EXPECT_EQ(WriteAll(*agent, AsBytes("reply"), Soon()), (Transfer{Outcome::kMoved, 5, 0}));
  EXPECT_EQ(ReadText(*collector, 5), "reply");
}

TEST_P(EachTransport, GivesWhatIsThereEvenAfterTheDeadline) {
  WriteAll(*collector, AsBytes("xy"), Soon());
  EXPECT_TRUE(agent->Wait({.read = true}, Soon()).read);
  std::uint8_t into[16];
  EXPECT_EQ(agent->Read(into, Deadline::Passed()), (Transfer{Outcome::kMoved, 2, 0}));
}

TEST_P(EachTransport, StopsWaitingAtTheDeadline) {
  std::uint8_t into[1];
  const auto start = Deadline::Clock::now();
  EXPECT_EQ(collector->Read(into, Shortly()).outcome, Outcome::kTimeout);
  if (GetParam().waits) {
    EXPECT_GE(Deadline::Clock::now() - start, milliseconds(20));
  }
  EXPECT_LT(Deadline::Clock::now() - start, milliseconds(5000));
}

TEST_P(EachTransport, MovesNothingForNothing) {
  EXPECT_EQ(collector->Read({}, Deadline::Passed()), (Transfer{}));
  EXPECT_EQ(collector->Write({}, Deadline::Passed()), (Transfer{}));
}

// PDU-011
TEST_P(EachTransport, ReadsAllBeforeEndOfFile) {
  WriteAll(*collector, AsBytes("last"), Soon());
  collector->CloseWriting();
  std::uint8_t into[8];
  EXPECT_EQ(ReadExactly(*agent, into, Soon()), (Transfer{Outcome::kEndOfFile, 4, 0}));
  EXPECT_EQ(agent->Read(into, Soon()), (Transfer{Outcome::kEndOfFile, 0, 0}));
}

// CKA-009, CKA-010: the reply channel is still there.
TEST_P(EachTransport, ClosesWritingAlone) {
  collector->CloseWriting();
  EXPECT_EQ(collector->Write(AsBytes("x"), Soon()).outcome, Outcome::kClosed);
  EXPECT_EQ(collector->write_descriptor(), -1);
  EXPECT_EQ(WriteAll(*agent, AsBytes("reply"), Soon()).outcome, Outcome::kMoved);
  EXPECT_EQ(ReadText(*collector, 5), "reply");
}

// CKA-012, PDU-013
TEST_P(EachTransport, ClosesReadingAlone) {
  collector->CloseReading();
  std::uint8_t into[1];
  EXPECT_EQ(collector->Read(into, Soon()).outcome, Outcome::kClosed);
  EXPECT_EQ(collector->read_descriptor(), -1);
  EXPECT_EQ(WriteAll(*collector, AsBytes("request"), Soon()).outcome, Outcome::kMoved);
  EXPECT_EQ(ReadText(*agent, 7), "request");
  const Transfer written = agent->Write(AsBytes("reply"), Soon());
  EXPECT_EQ(written.outcome,
            GetParam().closes_reading_visibly ? Outcome::kBroken : Outcome::kMoved);
}

// PDU-013: the test program would die of SIGPIPE, whose disposition is the default.
TEST_P(EachTransport, FindsWritingBrokenWhenTheOtherEndIsGone) {
  struct sigaction action = {};
  ASSERT_EQ(sigaction(SIGPIPE, nullptr, &action), 0);
  ASSERT_EQ(action.sa_handler, SIG_DFL);
  agent.reset();
  Transfer written = collector->Write(AsBytes("x"), Soon());
  // Over TCP it is the answer to the first bytes that tells.
  for (int i = 0; i < 100 && written.moved(); ++i) {
    std::this_thread::sleep_for(milliseconds(1));
    written = collector->Write(AsBytes("x"), Soon());
  }
  EXPECT_EQ(written.outcome, Outcome::kBroken);
  sigset_t pending;
  sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
}

TEST_P(EachTransport, IsReadyForWhatWouldNotBlock) {
  using Readiness = Transport::Readiness;
  EXPECT_EQ(collector->Wait({true, false}, Shortly()), (Readiness{false, false}));
  EXPECT_EQ(collector->Wait({true, true}, Soon()), (Readiness{false, true}));
  WriteAll(*agent, AsBytes("x"), Soon());
  EXPECT_EQ(collector->Wait({true, false}, Soon()), (Readiness{true, false}));
  agent.reset();
  EXPECT_TRUE(collector->Wait({true, false}, Soon()).read);
}

// CKA-153: a driver that does not read never blocks, and nothing is lost.
TEST_P(EachTransport, FillsUntilItStallsAndLosesNothing) {
  const std::string unit = "0123456789abcdef!";  // 17: the channel ends inside of one
  const Transfer filled =
      FillUntilStalled(*collector, AsBytes(unit), milliseconds(50), 64u << 20, Soon());
  ASSERT_EQ(filled.outcome, Outcome::kTimeout);
  ASSERT_GT(filled.size, 4096u);
  std::vector<std::uint8_t> got;
  while (got.size() < filled.size) {
    std::uint8_t into[5000];
    const Transfer read = agent->Read(into, Soon());
    ASSERT_TRUE(read.moved()) << ToText(read);
    got.insert(got.end(), into, into + read.size);
  }
  ASSERT_EQ(got.size(), filled.size);
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], unit[i % unit.size()]) << i;
  EXPECT_TRUE(collector->Write(AsBytes("x"), Soon()).moved());
}

TEST_P(EachTransport, StopsFillingAtTheLimit) {
  const Transfer filled =
      FillUntilStalled(*collector, AsBytes("abc"), milliseconds(50), 100, Soon());
  EXPECT_EQ(filled, (Transfer{Outcome::kMoved, 100, 0}));
  EXPECT_EQ(ReadText(*agent, 100).substr(96), "abca");
}

// PDU-009, CKA-151
TEST_P(EachTransport, CutsMessagesIntoPieces) {
  const std::string message = "a message of some length";
  EXPECT_EQ(WriteInPieces(*collector, AsBytes(message), {.sizes = {1, 2, 0, 3}}, Soon()),
            (Transfer{Outcome::kMoved, message.size(), 0}));
  EXPECT_EQ(ReadText(*agent, message.size()), message);
}

TEST_P(EachTransport, PausesBetweenPieces) {
  const auto start = Deadline::Clock::now();
  WriteInPieces(*collector, AsBytes("0123456789"), {.sizes = {1}, .pause = milliseconds(2)},
                Soon());
  EXPECT_GE(Deadline::Clock::now() - start, milliseconds(18));
  EXPECT_EQ(ReadText(*agent, 10), "0123456789");
}

TEST_P(EachTransport, HearsThatTheOtherEndIsSilent) {
  std::vector<std::uint8_t> got;
  EXPECT_EQ(ReadUntilQuiet(*collector, got, milliseconds(20), 1000, Soon()),
            (Transfer{Outcome::kMoved, 0, 0}));
  WriteAll(*agent, AsBytes("noise"), Soon());
  EXPECT_EQ(ReadUntilQuiet(*collector, got, milliseconds(20), 1000, Soon()),
            (Transfer{Outcome::kMoved, 5, 0}));
  WriteAll(*agent, AsBytes("more noise"), Soon());
  EXPECT_EQ(ReadUntilQuiet(*collector, got, milliseconds(20), 4, Soon()),
            (Transfer{Outcome::kMoved, 4, 0}));
  EXPECT_EQ(std::string(got.begin(), got.end()), "noisemore");
  agent.reset();
  EXPECT_EQ(ReadUntilQuiet(*collector, got, milliseconds(20), 1000, Soon()).size, 6u);
}

// Both ends write more than any channel holds.
TEST(ExchangeTest, ReadsWhileItWrites) {
  auto pair = MakeSocketPair();
  ASSERT_TRUE(pair);
  const std::string much(4u << 20, 'm');
  std::thread echo([&agent = *pair->second] {
    std::vector<std::uint8_t> buffer(65536);
    for (;;) {
      const Transfer read = agent.Read(buffer, Soon());
      if (!read.moved()) return;
      WriteAll(agent, Bytes(buffer).first(read.size), Soon());
    }
  });
  std::size_t got = 0;
  const Exchanged exchanged = Exchange(
      *pair->first, AsBytes(much),
      [&](Bytes bytes) {
        got += bytes.size();
        return got < much.size();
      },
      Soon());
  EXPECT_EQ(exchanged.written, (Transfer{Outcome::kMoved, much.size(), 0}));
  EXPECT_EQ(exchanged.read, (Transfer{Outcome::kMoved, much.size(), 0}));
  pair->first.reset();
  echo.join();
}

TEST(ExchangeTest, HearsTheLastReplyOfAnEndThatReadsNoMore) {
  auto pair = MakePipePair();
  ASSERT_TRUE(pair);
  WriteAll(*pair->second, AsBytes("goodbye"), Soon());
  pair->second.reset();
  std::string got;
  const Exchanged exchanged = Exchange(
      *pair->first, AsBytes("request"),
      [&](Bytes bytes) {
        got.append(bytes.begin(), bytes.end());
        return true;
      },
      Soon());
  EXPECT_EQ(exchanged.written.outcome, Outcome::kBroken);
  EXPECT_EQ(exchanged.read, (Transfer{Outcome::kEndOfFile, 7, 0}));
  EXPECT_EQ(got, "goodbye");
}

TEST(ExchangeTest, EndsAtTheDeadlineWithoutAnAnswer) {
  auto pair = MakePipePair();
  ASSERT_TRUE(pair);
  const Exchanged exchanged = Exchange(
      *pair->first, AsBytes("request"), [](Bytes) { return false; }, Shortly());
  EXPECT_EQ(exchanged.written, (Transfer{Outcome::kMoved, 7, 0}));
  EXPECT_EQ(exchanged.read, (Transfer{Outcome::kTimeout, 0, 0}));
}

// PDU-013: neither the disposition nor the mask of the process is touched, and a SIGPIPE that was
// pending for somebody else stays pending.
TEST(BrokenPipeTest, LeavesTheSignalsOfTheProcessAlone) {
  auto pair = MakePipePair();
  ASSERT_TRUE(pair);
  sigset_t only_pipe;
  sigset_t before;
  sigemptyset(&only_pipe);
  sigaddset(&only_pipe, SIGPIPE);
  pair->second.reset();

  EXPECT_EQ(pair->first->Write(AsBytes("x"), Soon()).outcome, Outcome::kBroken);
  pthread_sigmask(SIG_BLOCK, &only_pipe, &before);
  EXPECT_EQ(sigismember(&before, SIGPIPE), 0);
  raise(SIGPIPE);
  EXPECT_EQ(pair->first->Write(AsBytes("x"), Soon()).outcome, Outcome::kBroken);
  const timespec none = {};
  EXPECT_EQ(sigtimedwait(&only_pipe, nullptr, &none), SIGPIPE);
  EXPECT_EQ(sigtimedwait(&only_pipe, nullptr, &none), -1);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST(DescriptorTransportTest, DoesNotWaitOnAFile) {
  char name[] = "/tmp/pmproof-transport-XXXXXX";
  Descriptor file(mkostemp(name, O_CLOEXEC));
  ASSERT_TRUE(file.open());
  Descriptor again(open(name, O_RDONLY | O_CLOEXEC));
  unlink(name);
  auto transport = MakePipeTransport(std::move(again), std::move(file));
  EXPECT_EQ(WriteAll(*transport, AsBytes("recorded"), Soon()).outcome, Outcome::kMoved);
  EXPECT_EQ(ReadText(*transport, 8), "recorded");
  std::uint8_t into[1];
  EXPECT_EQ(transport->Read(into, Soon()).outcome, Outcome::kEndOfFile);
}

TEST(DescriptorTransportTest, TellsWhyTheSystemRefused) {
  auto transport = MakePipeTransport(Descriptor(open("/", O_RDONLY | O_CLOEXEC)), Descriptor());
  std::uint8_t into[1];
  const Transfer read = transport->Read(into, Soon());
  EXPECT_EQ(read.outcome, Outcome::kFailed);
  EXPECT_EQ(ToText(read), "failed: Is a directory");
  EXPECT_EQ(transport->Write(AsBytes("x"), Soon()).outcome, Outcome::kClosed);
}

TEST(MemoryTransportTest, LetsTheOtherEndWorkWhereItWouldWait) {
  MemoryPair pair = MakeMemoryPair(8);
  pair.collector->OnStall([&agent = *pair.agent] {
    std::uint8_t buffer[4];
    const Transfer read = agent.Read(buffer, Deadline::Passed());
    return read.moved() && agent.Write(Bytes(buffer).first(read.size), Deadline::Passed()).moved();
  });
  EXPECT_EQ(WriteAll(*pair.collector, AsBytes("echo me"), Deadline::Never()).outcome,
            Outcome::kMoved);
  EXPECT_EQ(ReadText(*pair.collector, 7), "echo me");
  std::uint8_t into[1];
  EXPECT_EQ(pair.collector->Read(into, Deadline::Never()).outcome, Outcome::kTimeout);
}

TEST(TransferTest, SaysWhatHappened) {
  EXPECT_EQ(ToText(Transfer{Outcome::kMoved, 12, 0}), "moved 12 bytes");
  EXPECT_EQ(ToText(Transfer{Outcome::kMoved, 1, 0}), "moved 1 byte");
  EXPECT_EQ(ToText(Transfer{Outcome::kTimeout, 0, 0}), "no more in time");
  EXPECT_EQ(ToText(Transfer{Outcome::kTimeout, 3, 0}), "no more in time after 3 bytes");
  EXPECT_EQ(ToText(Transfer{Outcome::kEndOfFile, 5, 0}), "end of file after 5 bytes");
  EXPECT_EQ(ToText(Transfer{Outcome::kBroken, 0, EPIPE}), "broken: Broken pipe");
}

}  // namespace
}  // namespace pmproof::pmda
