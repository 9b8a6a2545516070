#ifndef PMPROOF_VALIDATOR_REPLAY_EMULATE_H_
#define PMPROOF_VALIDATOR_REPLAY_EMULATE_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <span>

#include "reference/core/pcp_version.h"
#include "reference/replay/instance_profile.h"
#include "reference/replay/replay.h"
#include "validator/replay/answer_writer.h"
#include "validator/replay/times.h"

// What a version of PCP would answer, deviations included (section 14 of
// reference/spec/interpolation.md).

namespace pmproof::validator {

struct EmulationOptions {
  replay::InstanceProfile instances;
  PcpVersion version = PcpVersion::k7_2;
  bool counter_wrap = false;
  bool explain = false;  // names where PCP deviates from the reference
  std::size_t memory = 0;
};

using EmulatedSink = std::function<void(const replay::FetchAnswer&, const Deviations&)>;

// These metrics, which are known to the archive and distinct, at these times, with the clause
// INT-1406; values in the order of PCP's answers. Errors: those of
// RecordLog and Explain(); kUnsupported from where on PCP may crash or answer anything.
std::optional<Status> Emulate(const replay::ReplayArchive& archive, std::span<const Pmid> metrics,
                              const EmulationOptions& options, Times times,
                              const EmulatedSink& sink);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_REPLAY_EMULATE_H_
