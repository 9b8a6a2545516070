// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_COLLECTOR_TESTING_FAKE_COLLECTOR_H_
#define PMPROOF_VALIDATOR_COLLECTOR_TESTING_FAKE_COLLECTOR_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/pmda/pdu/decoder.h"
#include "reference/pmda/pdu/frame_reader.h"
#include "reference/pmda/transport/memory_transport.h"
#include "validator/collector/collector_under_test.h"
#include "validator/collector/requests.h"
#include "validator/collector/stub_roles.h"
#include "validator/collector/testing/fake_values.h"

// A collector in memory, with agents, for the tests of the checks: it does what section 17 wants of
// it, but for one fault. Time passes in it only when it waits for somebody who says nothing.

namespace pmproof::validator::collector {

// What it answers to one PDU of a client.
struct FakeReply {
  std::vector<Octets> pdus{};
  bool close = false;

  static FakeReply Of(Octets pdu) { return {.pdus = {std::move(pdu)}}; }
};

// Where it goes wrong. The functions are called with what is right.
struct FakeFault {
  // The answer to a client's PDU; of no bytes: to its connecting (the challenge).
  std::function<void(Bytes request, FakeReply* reply)> answer{};

  // What it does with agents.
  bool profile_by_context_only = false;   // as if all clients were one
  bool profile_by_client_only = false;    // as if all contexts were one
  bool tells_asked_agents_only = false;   // that a client has gone
  bool zero_is_no_error = false;          // ERROR 0 for a FETCH: numval 0
  bool keeps_after_timeout_code = false;  // ERROR -12353 for a FETCH
  bool keeps_after_text_ipc = false;
  std::int32_t numval_of_silence = -12353;
  std::int32_t numval_of_half = -12353;
  std::int32_t numval_of_wrong_type = -12366;
  bool fails_stale = false;  // a RESULT that was there before the FETCH
  bool corrects_pmids = false;
  bool tells_asker_only = false;     // state changes of agents
  std::int32_t visible_bits = 0x18;  // of an agent's seconds
  bool asks_unready = false;
  std::uint16_t flags_to_agents = pdu::kFeatureAuth;
  bool restarts = true;
  bool takes_unpadded_text = false;
};

class FakeCollector final : public StubAgents {
 public:
  // `old`: 6.0.3, else 7.2.2.
  FakeCollector(bool old, FakeFault fault);
  ~FakeCollector() override;

  // With all there is, and the version that it has.
  CollectorUnderTest MakeCollectorUnderTest();

  StubAgent* Find(std::string_view role, unsigned generation, pmda::Deadline deadline) override;

 private:
  struct FakeClient;
  struct FakeAgent;
  struct Waiting;
  enum class Access : std::uint8_t { kAll, kDenied, kLimited, kReadOnly };

  Result<std::unique_ptr<pmda::Transport>> Open(Access access);
  void StartAgent(const Role& role);
  FakeAgent* AgentOf(std::uint32_t domain);

  // `client_waits`: whoever waits for the collector is a client. True: something was done.
  bool Work(bool client_waits);
  bool WorkOn(FakeClient& client);
  void End(FakeClient& client);
  void TimePasses();

  void Handle(FakeClient& client, Bytes request);
  void Deliver(FakeClient& client, Bytes request, FakeReply reply);
  FakeReply Reply(FakeClient& client, Bytes request, const pdu::Pdu& pdu);
  FakeReply Setup(FakeClient& client, Bytes request);
  std::optional<FakeReply> AskAgent(FakeClient& client, Bytes request, const pdu::Pdu& pdu);

  FakeReply Fetch(FakeClient& client, Bytes request, std::int32_t context,
                  const std::vector<Pmid>& pmids, bool highres);
  void SendProfile(FakeClient& client, FakeAgent& agent, std::int32_t context);
  // The agent's answer has come, or will not: `answer` is empty at the end of its channel.
  void Finish(Bytes answer, std::optional<std::int32_t> failure);
  bool FinishWithAnswer();
  void FinishFetch(Bytes answer, std::optional<std::int32_t> failure);
  FakeReply ResultReply(FakeClient& client, const std::vector<Pmid>& pmids, std::int32_t context,
                        bool highres, std::optional<std::int32_t> agent_numval,
                        const pdu::Result* agent_result);
  void Drop(FakeAgent& agent);
  void Tell(std::int32_t bits, const FakeClient* only = nullptr);

  bool old_;
  FakeFault fault_;
  std::chrono::steady_clock::time_point clock_{std::chrono::steady_clock::now()};
  std::list<FakeClient> clients_;
  std::list<FakeAgent> agents_;
  std::list<StubAgent> stubs_{};
  std::unique_ptr<Waiting> waiting_;
  pdu::Decoder decoder_;
  FakeValues values_;
  bool restarted_ = false;
};

}  // namespace pmproof::validator::collector

#endif  // PMPROOF_VALIDATOR_COLLECTOR_TESTING_FAKE_COLLECTOR_H_
