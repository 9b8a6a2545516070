// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_RUNTIME_TESTING_AGENT_FIXTURE_H_
#define PMPROOF_REFERENCE_PMDA_RUNTIME_TESTING_AGENT_FIXTURE_H_

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "reference/pmda/runtime/testing/conversation.h"

// An agent without anything, to be given what a test needs, and somebody who asks it.

namespace pmproof::pmda {

inline constexpr std::uint32_t kDomain = 401;

constexpr Pmid Metric(std::uint32_t item) { return Pmid::Of(kDomain, 0, item); }

inline std::string Error(int code) { return "ERROR from=0 code=" + std::to_string(code); }

class AgentTest : public ::testing::Test {
 protected:
  std::string Fetch(const std::vector<Pmid>& pmids) {
    std::string text = talk_.Ask(pdu::Fetch{0, pmids});
    const std::string begin = "RESULT from=0 seconds=0 microseconds=0 sets=";
    return text.starts_with(begin) ? text.substr(begin.size()) : text;
  }

  // The only metric of the item, singular, with that sample.
  void Add(std::uint32_t item, MetricType type, Sample sample) {
    agent_.AddMetric({.item = item, .type = type},
                     [sample = std::move(sample)](std::int32_t) { return sample; });
  }

  Agent agent_{{.name = "test", .domain = kDomain}};
  Conversation talk_{agent_};
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_RUNTIME_TESTING_AGENT_FIXTURE_H_
