// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/runtime/serve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "reference/pmda/pdu/testing/wire_words.h"
#include "reference/pmda/runtime/agent_options.h"
#include "reference/pmda/runtime/agent_responder.h"
#include "reference/pmda/runtime/testing/conversation.h"
#include "reference/pmda/transport/memory_transport.h"
#include "reference/pmda/transport/transfer.h"

// The loop between channel and responder (10.1), and the options of an agent (PMD-005).

namespace pmproof::pmda {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t kMetric = 0x64400000;  // 401.0.0
const pdu::Buffer kCreds = pdu::Words({0x14, 0x700c, 1, 1, 0x01020000});
const pdu::Buffer kDescReq = pdu::Words({0x10, 0x7004, 0, kMetric});
const pdu::Buffer kFetch = pdu::Words({0x20, 0x7003, 0, 0, 0, 0, 1, kMetric});
const std::string kDesc =
    "DESC from=0 descriptor={401.0.0 type=0 indom=PM_INDOM_NULL sem=3 units=00000000}";

class ServeTest : public testing::Test {
 protected:
  explicit ServeTest(std::size_t capacity = 65536) : pair_(MakeMemoryPair(capacity)) {
    agent_.AddMetric({}, [](std::int32_t) { return Value::Of(1); });
    pair_.collector->OnStall([this] { return Turn(); });
  }

  bool Turn() {
    if (served_) return false;
    served_ = server_.Turn(Deadline::Never());
    return served_ || !server_.idle();
  }

  // Turns until nothing changes any more.
  void Settle() {
    while (Turn()) {
    }
  }

  void Say(Bytes bytes) {
    ASSERT_TRUE(WriteAll(*pair_.collector, bytes, Deadline::Never()).moved());
  }

  // All that the agent has said.
  std::string Heard() {
    Settle();
    pdu::Buffer bytes;
    std::array<std::uint8_t, 4096> piece{};
    while (true) {
      const Transfer read = pair_.collector->Read(piece, Deadline::Passed());
      bytes.insert(bytes.end(), piece.begin(), piece.begin() + read.size);
      if (!read.moved() || read.size == 0) break;
      Settle();
    }
    return AllToText(bytes);
  }

  void Connect() {
    EXPECT_THAT(Heard(), HasSubstr("CREDS from=1234 "));
    Say(kCreds);
  }

  MemoryPair pair_;
  Agent agent_{{.name = "test", .domain = 401}};
  AgentResponder responder_{agent_, 1234};
  Server server_{*pair_.agent, responder_};
  std::optional<Served> served_;
};

TEST_F(ServeTest, CredsComeWithoutBeingAskedFor) {  // PMD-060, CKA-001, CKA-002
  EXPECT_THAT(Heard(), HasSubstr("CREDS from=1234 "));
  EXPECT_EQ(Heard(), "silent");
}

TEST_F(ServeTest, RequestsThatArriveTogetherAreAllAnsweredInOrder) {  // PMD-061, CKA-152
  Connect();
  pdu::Buffer requests;
  std::string expected;
  for (int i = 0; i < 50; ++i) {
    requests.insert(requests.end(), kDescReq.begin(), kDescReq.end());
    requests.insert(requests.end(), kFetch.begin(), kFetch.end());
    expected += (i == 0 ? "" : "\n") + kDesc +
                "\nRESULT from=0 seconds=0 microseconds=0 sets=[{401.0.0 insitu -1:00000001}]";
  }
  Say(requests);
  EXPECT_EQ(Heard(), expected);
}

TEST_F(ServeTest, ARequestMayComeInPieces) {  // PDU-009, CKA-151
  Connect();
  for (const std::uint8_t byte : kDescReq) {
    EXPECT_EQ(Heard(), "silent");
    Say(std::span(&byte, 1));
  }
  EXPECT_EQ(Heard(), kDesc);
}

TEST_F(ServeTest, EndOfFileEndsIt) {  // PMD-062, PDU-011, CKA-010, CKA-011
  Connect();
  Say(Bytes(kDescReq).first(5));
  EXPECT_EQ(Heard(), "silent");
  pair_.collector->CloseWriting();
  Settle();
  ASSERT_TRUE(served_);
  EXPECT_EQ(served_->end, Served::End::kEndOfFile);
  EXPECT_EQ(served_->ToText(), "end of file");
}

TEST_F(ServeTest, AFramingFailureEndsItAfterTheAnswersBefore) {  // PMD-063, CKA-135
  Connect();
  pdu::Buffer bytes = kDescReq;
  const pdu::Buffer broken = pdu::Words({11, 0x7004, 0});
  bytes.insert(bytes.end(), broken.begin(), broken.end());
  Say(bytes);
  EXPECT_EQ(Heard(), kDesc);
  ASSERT_TRUE(served_);
  EXPECT_EQ(served_->end, Served::End::kFraming);
  EXPECT_THAT(served_->ToText(), HasSubstr("[PDU-003]"));
}

TEST_F(ServeTest, MalformedCredsEndIt) {  // PDU-135
  Say(pdu::Words({0x14, 0x700c, 1, 2, 0x01020000}));
  Settle();
  ASSERT_TRUE(served_);
  EXPECT_EQ(served_->end, Served::End::kResponder);
}

TEST_F(ServeTest, AnswersThatNobodyReadsAreDropped) {  // PDU-013, CKA-012
  Connect();
  pair_.collector->CloseReading();
  Say(kDescReq);
  Settle();
  EXPECT_FALSE(served_);
  Say(kDescReq);
  pair_.collector->CloseWriting();
  Settle();
  ASSERT_TRUE(served_);
  EXPECT_EQ(served_->end, Served::End::kEndOfFile);
  EXPECT_TRUE(served_->muted);
}

TEST_F(ServeTest, NothingIsAnsweredBetweenNotReadyAndReady) {  // PMD-048, CKA-159
  Connect();
  agent_.SetNotReadyUntil(Deadline::Never());
  Say(kFetch);
  Say(kDescReq);
  EXPECT_EQ(Heard(), "ERROR from=0 code=-13394");
  Say(kDescReq);
  EXPECT_EQ(Heard(), "silent");
  agent_.SetNotReadyUntil(Deadline::Passed());
  EXPECT_EQ(Heard(), "ERROR from=0 code=-13393\n" + kDesc + "\n" + kDesc);
}

TEST_F(ServeTest, EndOfFileEndsAnAgentThatIsNotReadyToo) {  // PMD-062
  Connect();
  agent_.SetNotReadyUntil(Deadline::Never());
  Say(kFetch);
  EXPECT_EQ(Heard(), "ERROR from=0 code=-13394");
  pair_.collector->CloseWriting();
  Settle();
  EXPECT_TRUE(served_);
}

class SlowCollectorTest : public ServeTest {
 protected:
  SlowCollectorTest() : ServeTest(64) {}
};

TEST_F(SlowCollectorTest, AnswersWaitUntilThereIsRoom) {  // CKA-153
  Connect();
  std::string expected;
  for (int i = 0; i < 3; ++i) {
    Say(kDescReq);
    Settle();
    expected += (i == 0 ? "" : "\n") + kDesc;
  }
  EXPECT_EQ(Heard(), expected);
}

// A wrapper that says something else in one answer.
class Liar final : public Responder {
 public:
  explicit Liar(Responder& inner) : inner_(inner) {}
  void Begin(pdu::Buffer* out) override { inner_.Begin(out); }
  Next Respond(Bytes request, pdu::Buffer* out) override {
    const std::size_t at = out->size();
    const Next next = inner_.Respond(request, out);
    if (pdu::LoadHeader(request).type == pdu::PduType::kDescReq) out->data()[at + 19] = 5;
    return next;
  }

 private:
  Responder& inner_;
};

TEST_F(ServeTest, SingleAnswersCanBeReplaced) {
  Liar liar(responder_);
  Server server(*pair_.agent, liar);
  (void)server.Turn(Deadline::Never());
  Say(kCreds);
  Say(kDescReq);
  (void)server.Turn(Deadline::Never());
  served_ = Served{};  // the honest one rests
  EXPECT_THAT(Heard(), HasSubstr("descriptor={401.0.0 type=5 "));
}

// --- Options.

AgentOptions Parsed(const std::vector<std::string>& words) {
  const auto options = ParseAgentOptions(words);
  EXPECT_TRUE(options) << options.error();
  return options.value_or(AgentOptions());
}

std::string Wrong(const std::vector<std::string>& words) {
  const auto options = ParseAgentOptions(words);
  return options ? "taken" : options.error();
}

TEST(AgentOptionsTest, AreReadAsGetoptReadsThem) {  // PMD-005
  EXPECT_EQ(Parsed({}), AgentOptions());
  EXPECT_EQ(Parsed({"-p"}), AgentOptions());
  EXPECT_EQ(Parsed({"-pd253"}), (AgentOptions{.domain = 253}));
  EXPECT_EQ(Parsed({"-d", "0", "-l", "x.log", "-h", "help", "-U", "pcp", "-D", "libpmda", "--"}),
            (AgentOptions{
                .domain = 0, .log = "x.log", .help = "help", .user = "pcp", .debug = "libpmda"}));
  EXPECT_EQ(Parsed({"-i", "4321"}).listen, Address::Inet(4321));
  EXPECT_EQ(Parsed({"-6", "4321"}).listen, Address::Inet6(4321));
  EXPECT_EQ(Parsed({"-u", "/run/x"}).listen, Address::Unix("/run/x"));
}

TEST(AgentOptionsTest, WhatIsWrongIsSaid) {
  EXPECT_EQ(Wrong({"-x"}), "no such option: -x");
  EXPECT_EQ(Wrong({"-d"}), "-d needs an argument");
  EXPECT_EQ(Wrong({"-d", "511"}), "-d: out of range: 511");
  EXPECT_EQ(Wrong({"-d", "-1"}), "-d: out of range: -1");
  EXPECT_EQ(Wrong({"-i", "65536"}), "-i: out of range: 65536");
  EXPECT_EQ(Wrong({"-p", "-u", "x"}), "more than one of -i -6 -p -u");
  EXPECT_EQ(Wrong({"word"}), "not an option: word");
  EXPECT_EQ(Wrong({"--", "word"}), "not an option: word");
  EXPECT_EQ(Wrong({"-"}), "not an option: -");
}

}  // namespace
}  // namespace pmproof::pmda
