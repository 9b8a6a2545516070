// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_COLLECTOR_TESTING_FAKE_PARTIES_H_
#define PMPROOF_VALIDATOR_COLLECTOR_TESTING_FAKE_PARTIES_H_

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "reference/pmda/pdu/stored_profile.h"
#include "reference/pmda/transport/transfer.h"
#include "validator/collector/testing/fake_collector.h"

// Who a FakeCollector deals with.

namespace pmproof::validator::collector {

struct FakeCollector::FakeClient {
  std::unique_ptr<pmda::MemoryTransport> transport;
  std::int32_t slot = 0;
  Access access = Access::kAll;
  pdu::FrameReader frames{pdu::kClientCeiling};
  bool versioned = false;
  bool wants_container = false;
  bool ended = false;
  std::int32_t untold = 0;  // state changes
  std::map<std::int32_t, std::pair<Octets, std::unique_ptr<pdu::StoredProfile>>> profiles{};
};

struct FakeCollector::FakeAgent {
  const Role* role;
  std::unique_ptr<pmda::MemoryTransport> transport;
  pdu::FrameReader frames{};
  bool dropped = false;
  bool ready = true;
  const FakeClient* profile_client = nullptr;  // whose profile it has
  std::int32_t profile_context = -1;
  Octets profile{};
  std::vector<std::int32_t> asked_by{};
};

// A client's request that an agent has not answered yet.
struct FakeCollector::Waiting {
  FakeClient* client;
  FakeAgent* agent;
  Octets request;
  pdu::PduType type;
  std::vector<Pmid> pmids{};  // of a fetch
  std::int32_t context = 0;
  bool highres = false;
  bool was_there = false;  // something had come from the agent before it was asked
};

inline void Write(pmda::Transport& transport, Bytes bytes) {
  (void)pmda::WriteAll(transport, bytes, pmda::Deadline::Passed());
}

// All that has come.
inline bool Pull(pmda::Transport& transport, pdu::FrameReader& frames, bool* end) {
  bool any = false;
  while (true) {
    const pmda::Transfer read = transport.Read(frames.Space(), pmda::Deadline::Passed());
    frames.Commit(read.size);
    any |= read.size > 0;
    if (read.moved()) continue;
    *end = read.outcome != pmda::Transfer::Outcome::kTimeout;
    return any;
  }
}

inline Octets WithFrom(Bytes bytes, std::int32_t from) {
  Octets octets(bytes.begin(), bytes.end());
  StoreU32(octets.data() + 8, static_cast<std::uint32_t>(from));
  return octets;
}

}  // namespace pmproof::validator::collector

#endif  // PMPROOF_VALIDATOR_COLLECTOR_TESTING_FAKE_PARTIES_H_
