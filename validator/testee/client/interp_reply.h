// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_CLIENT_INTERP_REPLY_H_
#define PMPROOF_VALIDATOR_TESTEE_CLIENT_INTERP_REPLY_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/metric.h"
#include "reference/core/timestamp.h"
#include "reference/replay/replay.h"

namespace pmproof::validator {

// What a request of replay.interp asked for, as far as the answer is held against it.
struct InterpAsked {
  struct Metric {
    Pmid pmid;
    std::string name;  // UTF-8
    MetricType type = MetricType::k32;
  };
  std::string seq;
  std::vector<Metric> metrics;
  std::vector<Timestamp> times;  // of the fetches, normalised
  // Of each fetch what it asks for, as positions in `metrics`. Empty: all of them, each time.
  std::vector<std::vector<std::size_t>> lists{};
  std::size_t most_values = 0;  // of all fetches together
};

// A line that answers such a request. A value; its opaque values view what it holds.
struct InterpReply {
  enum class Kind : std::uint8_t {
    kResult,     // `fetches`, one for each time
    kReject,     // the implementation refuses the archive or the request
    kSkip,       // it does not do that
    kError,      // it failed and lives
    kCrash,      // a child of the adapter did the work, and ended
    kTimeout,    // likewise, and took too long
    kProtocol,   // the answer is not one to this request; both ends are in step
    kOutOfStep,  // no JSON, or the answer to another request
  };
  Kind kind = Kind::kResult;
  std::string text;  // unless kResult: why, as the adapter says it, cut if long
  // Values ascend by instance. A fetch fails with kEndOfLog alone; another error of a fetch is that
  // of each of its metrics.
  std::vector<replay::FetchAnswer> fetches;
  std::deque<std::string> contents;
};

// Takes linear time and memory, whatever the line is. Numbers have the type of the descriptor:
// another one is no answer.
InterpReply ReadInterpReply(std::string_view line, const InterpAsked& asked);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_CLIENT_INTERP_REPLY_H_
