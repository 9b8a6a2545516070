// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_INTERP_ARGUMENTS_H_
#define PMPROOF_VALIDATOR_TESTEE_INTERP_ARGUMENTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/pcp_version.h"
#include "reference/replay/context_clock.h"
#include "reference/replay/profiles.h"
#include "validator/cli/environment.h"
#include "validator/testee/emulation_default.h"
#include "validator/testee/request_reader.h"

namespace pmproof::validator {

// pmSetMode(PM_MODE_INTERP, time, delta).
struct Seek {
  Timestamp time;
  replay::Delta delta;
};

// Fetches that follow each other and ask for the same.
struct FetchRun {
  std::optional<Seek> seek;  // before the first of them; the first run of a request has one
  std::uint64_t count = 1;
  std::size_t list = 0;  // in InterpArguments::lists
};

// A request of replay.interp or derive.eval: fetches of one fresh context.
struct InterpArguments {
  std::vector<std::string> paths;
  std::vector<std::string> names;               // of all metrics asked for, each once
  std::vector<std::vector<std::size_t>> lists;  // positions in `names`
  std::vector<FetchRun> runs;
  replay::Profile rule = replay::Pcp632();
  std::optional<PcpVersion> emulate;  // instead of the rule
  replay::emulation::Mends mends;     // of the emulation
  bool recorded = false;              // records as they are, of the first run's time and count
  replay::CounterWrap counter_wrap = replay::CounterWrap::kOff;
  std::vector<std::int32_t> instances;  // empty: all

  // Seconds of times and deltas, and fetches, are limited so that no sum leaves 64 bits.
  static constexpr std::int64_t kLatest = std::int64_t{1} << 60;
  static constexpr std::int64_t kLongestStep = std::int64_t{1} << 31;
  static constexpr std::uint64_t kMostFetches = std::uint64_t{1} << 28;
};

// What an operation has beside the arguments of replay.interp.
struct InterpOptions {
  RequestReader::Keys more_keys{};
  std::string_view rule = "pcp-6.3.2";  // where the request names none
  bool recorded = false;                // fetches of records: start and count alone
  EmulationDefault emulation{};         // where the request names neither a rule nor a version
};

// From `input` and `args`.
InterpArguments TakeInterp(RequestReader* reader, const ProfileList& profiles,
                           const InterpOptions& options = {});

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_INTERP_ARGUMENTS_H_
