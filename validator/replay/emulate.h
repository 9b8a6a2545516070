#ifndef PMPROOF_VALIDATOR_REPLAY_EMULATE_H_
#define PMPROOF_VALIDATOR_REPLAY_EMULATE_H_

#include <cstddef>
#include <functional>
#include <optional>

#include "reference/core/pcp_version.h"
#include "validator/replay/asked.h"
#include "validator/replay/times.h"

// What a version of PCP would answer, deviations included (section 14 of
// reference/spec/interpolation.md).

namespace pmproof::validator {

struct EmulationOptions {
  PcpVersion version = PcpVersion::k7_2;
  bool counter_wrap = false;
  bool explain = false;  // names where PCP deviates from the reference
  std::size_t memory = 0;
};

using EmulatedSink = std::function<void(const replay::FetchAnswer&, const Deviations&)>;

// The metrics known to the archive at these times, with the clause INT-1406. Errors: those of
// RecordLog and Explain(); kUnsupported from where on PCP may crash or answer anything.
std::optional<Status> Emulate(const replay::ReplayArchive& archive, const Asked& asked,
                              const EmulationOptions& options, Times times,
                              const EmulatedSink& sink);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_REPLAY_EMULATE_H_
