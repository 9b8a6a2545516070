// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_EMULATION_EXPLAIN_H_
#define PMPROOF_REFERENCE_REPLAY_EMULATION_EXPLAIN_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "reference/replay/emulation/pcp_context.h"
#include "reference/replay/fetch_script.h"

// Turns "PCP answers something else than the reference" into "PCP deviates by DEV-nn": where both
// differ, the deviations are named whose mending makes the emulation answer as the reference does.

namespace pmproof::replay::emulation {

// One fetch of a context, with what comes before it.
struct ExplainedStep {
  // pmSetMode; the first step has one.
  struct Seek {
    Timestamp time;
    Delta delta;
  };
  std::optional<Seek> seek;
  std::span<const std::size_t> metrics;  // numbers in the log, each at most once
};

// One value, present in one answer only or with another content, and the fewest deviations that
// explain it, ascending.
struct Difference {
  std::optional<std::int32_t> instance;  // nothing: the metric's numval is an error
  std::vector<Deviation> by;
};

struct ExplainedFetch {
  EmulatedFetch emulated;
  // Of each metric; empty where PCP answers as the reference does, and where the fetch is
  // undefined.
  std::vector<std::vector<Difference>> differences;
};

// All that is named there, each once, ascending.
std::vector<Deviation> DeviationsOf(std::span<const Difference> differences);

struct ExplainRequest {
  archive::PcpVersion version = archive::PcpVersion::k7_2;
  CounterWrap wrap = CounterWrap::kOff;
  InstanceProfile instances;
  std::size_t memory = std::size_t{512} << 20;  // of the reference's answers
  Mends mends{};                                // deviations that the emulation does not have
};

using ExplanationSink = std::function<void(const ExplainedFetch&)>;

// Plays the fetches of one context. Each mended emulation plays them once at most, and only if the
// answers of PCP and of the reference differ somewhere. `log` is of `archive`. Errors: those of
// FetchScript().
std::optional<Status> Explain(const ReplayArchive& archive, const RecordLog& log,
                              const ExplainRequest& request, std::span<const ExplainedStep> script,
                              const ExplanationSink& sink);

// The reference semantics of a version of PCP.
Profile ReferenceOf(archive::PcpVersion version, CounterWrap wrap);

}  // namespace pmproof::replay::emulation

#endif  // PMPROOF_REFERENCE_REPLAY_EMULATION_EXPLAIN_H_
