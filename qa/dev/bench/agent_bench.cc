// SPDX-License-Identifier: Apache-2.0
// How fast fetches of ten metrics go to and fro: through the codec in memory, and to an agent of
// the runtime over a unix socket beside a bare echo of the same bytes. One thread is both ends, so
// that no figure has the scheduler in it. A program of Google Benchmark: its options, its reports.

#include <benchmark/benchmark.h>
#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "reference/pmda/pdu/testing/round_trip.h"
#include "reference/pmda/runtime/agent_responder.h"
#include "reference/pmda/runtime/serve.h"
#include "reference/pmda/transport/descriptor_transport.h"
#include "reference/pmda/transport/transfer.h"

namespace {

using namespace pmproof;  // NOLINT(google-build-using-namespace): nobody includes this

constexpr std::uint32_t kMetrics = 10;
constexpr std::uint32_t kDomain = 400;

void CodecInMemory(benchmark::State& state) {
  pdu::RoundTrip round_trip;
  std::size_t values = 0;
  for (auto _ : state) values += round_trip.Run();
  if (values != kMetrics * static_cast<std::size_t>(state.iterations())) {
    state.SkipWithError("values are missing");
  }
  state.SetItemsProcessed(state.iterations());
}

// Half of the values are in situ, the others DOUBLE, as in CodecInMemory.
void Define(pmda::Agent& agent) {
  for (std::uint32_t item = 0; item < kMetrics; ++item) {
    const bool whole = item % 2 == 0;
    agent.AddMetric(
        {.item = item, .type = whole ? MetricType::kU32 : MetricType::kDouble},
        [item, whole](std::int32_t) { return whole ? Value::Of(item) : Value::Of(0.5 * item); });
  }
}

// A collector and an agent on the ends of a unix socket.
class Session {
 public:
  explicit Session(pmda::TransportPair ends)
      : collector_(std::move(ends.first)), agent_end_(std::move(ends.second)) {
    Define(agent_);
    for (std::uint32_t item = 0; item < kMetrics; ++item) {
      pmids_.at(item) = Pmid::Of(kDomain, 0, item);
    }
    (void)server_.Turn(pmda::Deadline::Passed());  // CREDS
    const std::array version = {pdu::Credential::Version(pdu::kProtocolVersion, 0)};
    out_.clear();
    (void)pdu::Encode({1, pdu::Creds{version}}, &out_);
    (void)pmda::WriteAll(*collector_, out_, pmda::Deadline::Never());
    (void)server_.Turn(pmda::Deadline::Never());
    (void)Receive();
  }

  // The number of values that came back.
  std::size_t Fetch() {
    out_.clear();
    if (!pdu::Encode({0, pdu::Fetch{0, pmids_}}, &out_)) return 0;
    if (!pmda::WriteAll(*collector_, out_, pmda::Deadline::Never()).moved()) return 0;
    if (server_.Turn(pmda::Deadline::Never())) return 0;
    const Bytes answer = Receive();
    answer_size_ = answer.size();
    const auto result = decoder_.Decode(answer);
    if (!result) return 0;
    const auto* body = std::get_if<pdu::Result>(&result->body);
    return body == nullptr ? 0 : body->sets.size();
  }

  std::size_t request_size() const { return out_.size(); }
  std::size_t answer_size() const { return answer_size_; }

 private:
  Bytes Receive() {
    while (true) {
      const auto frame = frames_.Next();
      if (!frame) return {};
      if (*frame) return **frame;
      const pmda::Transfer read = collector_->Read(frames_.Space(), pmda::Deadline::Never());
      if (!read.moved()) return {};
      frames_.Commit(read.size);
    }
  }

  std::unique_ptr<pmda::Transport> collector_;
  std::unique_ptr<pmda::Transport> agent_end_;
  pmda::Agent agent_{{.name = "bench", .domain = kDomain}};
  pmda::AgentResponder responder_{agent_, 1};
  pmda::Server server_{*agent_end_, responder_};
  std::array<Pmid, kMetrics> pmids_;
  pdu::Buffer out_;
  pdu::FrameReader frames_;
  pdu::Decoder decoder_;
  std::size_t answer_size_ = 0;
};

void AgentOverUnixSocket(benchmark::State& state) {
  auto ends = pmda::MakeSocketPair();
  if (!ends) return state.SkipWithError("no sockets");
  Session session(*std::move(ends));
  std::size_t values = 0;
  for (auto _ : state) values += session.Fetch();
  if (values != kMetrics * static_cast<std::size_t>(state.iterations())) {
    state.SkipWithError("values are missing");
  }
  state.SetItemsProcessed(state.iterations());
}

// As many bytes either way, and nothing but the system calls that move them.
void EchoOverUnixSocket(benchmark::State& state) {
  auto ends = pmda::MakeSocketPair();
  if (!ends) return state.SkipWithError("no sockets");
  Session session(*std::move(ends));
  if (session.Fetch() != kMetrics) return state.SkipWithError("values are missing");
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return state.SkipWithError("no sockets");
  const std::vector<std::uint8_t> request(session.request_size());
  const std::vector<std::uint8_t> answer(session.answer_size());
  std::vector<std::uint8_t> into(65536);
  const auto move = [&into](int from, int to, const std::vector<std::uint8_t>& bytes) {
    const auto size = static_cast<ssize_t>(bytes.size());
    return send(from, bytes.data(), bytes.size(), MSG_NOSIGNAL) == size &&
           recv(to, into.data(), into.size(), 0) == size;
  };
  for (auto _ : state) {
    if (!move(sockets[0], sockets[1], request) || !move(sockets[1], sockets[0], answer)) {
      state.SkipWithError("bytes are missing");
      break;
    }
  }
  pmda::Descriptor(sockets[0]).Reset();
  pmda::Descriptor(sockets[1]).Reset();
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(CodecInMemory);
BENCHMARK(AgentOverUnixSocket);
BENCHMARK(EchoOverUnixSocket);

}  // namespace

BENCHMARK_MAIN();
