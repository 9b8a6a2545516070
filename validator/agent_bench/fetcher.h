// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_BENCH_FETCHER_H_
#define PMPROOF_VALIDATOR_AGENT_BENCH_FETCHER_H_

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "reference/pmda/pdu/encode.h"
#include "reference/pmda/pdu/frame_reader.h"
#include "validator/agent/session.h"
#include "validator/agent_bench/bench_report.h"

namespace pmproof::validator::agent_bench {

// An agent, and pmcd with its clients before it. pmcd asks an agent one thing at a time, so that
// clients do not fetch at once but in turn; each has a context and a profile of its own, and
// whenever another one than before fetches, its PROFILE goes first (PMD-010). Moved, not copied.
class Fetcher {
 public:
  // After the handshake. `subject` outlives this. The error: why it did not get so far.
  static tl::expected<Fetcher, std::string> Start(const agent::Subject& subject);

  // From now on so many clients fetch these metrics. Looks at one answer closely, and tells of it.
  struct Answer {
    std::size_t values = 0;
    std::size_t no_values = 0;
    std::size_t request_bytes = 0;
    std::size_t answer_bytes = 0;
  };
  tl::expected<Answer, std::string> Prepare(const std::vector<Pmid>& pmids, std::size_t clients);

  // One fetch of the client whose turn it is. Returns how long it took: from before the first
  // octet is written until the last octet of the RESULT has been read. The error: what there is in
  // place of a RESULT with as many value sets. `stop`, if it becomes true, ends the waiting with an
  // error.
  tl::expected<Duration, std::string> Fetch(const std::function<bool()>& stop);

  // After the last fetch. Returns what is wrong where more comes than was asked for: each answer
  // of an agent that gives two was then that to an earlier request.
  std::string Settle();

  pid_t process() const { return session_->process(); }

 private:
  // What one client sends.
  struct Client {
    pdu::Buffer profile{};
    pdu::Buffer fetch{};
  };

  Fetcher() = default;
  std::string Write(Bytes bytes, pmda::Deadline deadline);
  tl::expected<Bytes, std::string> Read(pmda::Deadline deadline, const std::function<bool()>& stop);
  std::string WrongAnswer(Bytes frame) const;
  // "FETCH of 253.0.0 and 4 more: ", then what.
  std::string InFetch(const std::string& what) const;

  std::unique_ptr<agent::ExchangeLog> log_{};
  std::unique_ptr<agent::Session> session_{};
  std::unique_ptr<pdu::FrameReader> frames_{};
  std::vector<Pmid> pmids_{};
  std::vector<Client> clients_{};
  std::size_t introduced_ = 1;  // of the handshake
  std::size_t next_ = 0;        // client
};

}  // namespace pmproof::validator::agent_bench

#endif  // PMPROOF_VALIDATOR_AGENT_BENCH_FETCHER_H_
