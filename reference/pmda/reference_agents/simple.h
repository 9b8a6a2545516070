// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_REFERENCE_AGENTS_SIMPLE_H_
#define PMPROOF_REFERENCE_PMDA_REFERENCE_AGENTS_SIMPLE_H_

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "reference/pmda/runtime/agent.h"

namespace pmproof::pmda {

// What the agent simple sees of the world: callbacks, so that tests have a world of their own.
struct SimpleWorld {
  struct TimeOfDay {
    std::uint32_t second = 0;
    std::uint32_t minute = 0;
    std::uint32_t hour = 0;
  };
  std::function<TimeOfDay()> time_of_day{};  // local (PMD-226)

  struct CpuTime {
    double user = 0;  // seconds
    double system = 0;
  };
  std::function<CpuTime()> cpu_time{};  // of the agent's process (PMD-227)

  // Of simple.conf: when it was changed last, in nanoseconds since 1970; nothing if it is not
  // there. It is read only after that has changed (PMD-224).
  std::function<std::optional<std::int64_t>()> configuration_time{};
  std::function<std::string()> configuration{};

  std::function<void(std::string_view)> log{};  // one line; may be null

  // This process, and the file at `path`. Log lines go to standard error.
  static SimpleWorld Real(std::string path);
};

// The agent simple (13.2), as its C version behaves.
class Simple {
 public:
  explicit Simple(SimpleWorld world);
  Simple(const Simple&) = delete;
  Simple& operator=(const Simple&) = delete;

  Agent& agent() { return agent_; }

 private:
  void AddMetrics();
  void ReadConfiguration();
  Sample Color(std::int32_t instance);
  Sample Now(std::int32_t instance);
  const SimpleWorld::CpuTime& CpuTime();

  // What a store of one value set came to, and whether the sets after it are looked at.
  struct Stored {
    ErrorCode code = ErrorCode::kOk;
    bool goes_on = true;
  };
  ErrorCode Store(pdu::List<pdu::ValueSet> sets);
  Stored StoreSet(const pdu::ValueSet& set);
  Stored StoreFetches(const pdu::ValueSet& set);
  Stored StoreColors(const pdu::ValueSet& set);

  SimpleWorld world_;
  Agent agent_;
  InstanceDomain* parts_ = nullptr;  // of the time of day
  // Which part an instance is: numbers are given by first appearance, and kept.
  std::array<std::uint32_t SimpleWorld::TimeOfDay::*, 3> part_of_{};
  std::uint32_t fetches_ = 0;
  std::array<std::int32_t, 3> colors_ = {0, 100, 200};  // PMD-221
  std::uint32_t sampled_at_ = 0;                        // the fetch for which cpu_ was taken
  SimpleWorld::CpuTime cpu_;
  std::optional<SimpleWorld::TimeOfDay> now_;  // of this fetch, once it was asked for
  std::optional<std::int64_t> read_at_;        // the time of the configuration that was read
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_REFERENCE_AGENTS_SIMPLE_H_
