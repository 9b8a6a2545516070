// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_REPLAY_ANSWER_SOURCE_H_
#define PMPROOF_VALIDATOR_REPLAY_ANSWER_SOURCE_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "reference/core/pcp_version.h"
#include "reference/replay/recorded.h"
#include "reference/replay/replay.h"
#include "validator/replay/answer_writer.h"
#include "validator/replay/times.h"

namespace pmproof::validator {

// Where the answers of a replay come from: the records as they are, a rule of interpolation, or a
// version of PCP.
class AnswerSource {
 public:
  // An answer to all metrics of the request, in its order. `deviations` are empty unless an
  // emulation was asked to explain itself. Both hold during the call only.
  using Sink = std::function<void(const replay::FetchAnswer& answer, const Deviations& deviations)>;

  virtual ~AnswerSource() = default;
  // Gives all answers to `sink`, in the order of the times; called once. Returns the error that
  // ended it, if any.
  virtual std::optional<Status> Read(const Sink& sink) = 0;
  // Returns what readers should know of the answers given, if anything: archives that overlap, a
  // last record that is not complete.
  virtual std::optional<Status> Warning() const { return std::nullopt; }
};

// The records as they are (DER-1106). `archive` must outlive the source.
std::unique_ptr<AnswerSource> RawAnswers(const replay::ReplayArchive& archive,
                                         replay::RecordedRequest request);

// By the rule of `profile` at these times. Stops between two batches of times once `stopped` says
// so. `archive` must outlive the source.
std::unique_ptr<AnswerSource> InterpolatedAnswers(const replay::ReplayArchive& archive,
                                                  replay::ReplayRequest request,
                                                  const replay::Profile& profile, Times times,
                                                  std::function<bool()> stopped);

struct EmulationRequest {
  std::vector<Pmid> metrics;  // known to the archive and distinct
  replay::InstanceProfile instances;
  PcpVersion version = PcpVersion::k7_2;
  bool counter_wrap = false;
  bool explain = false;    // names where PCP deviates from the reference
  bool ascending = false;  // the instances; otherwise in the order of PCP's answers
  std::size_t memory = 0;  // bytes
};

// What a version of PCP would answer, deviations included (section 14 of
// reference/spec/interpolation.md); the clause of its values is INT-1406. Errors: those of
// RecordLog and Explain(); kUnsupported from where on PCP may crash or answer anything. `archive`
// must outlive the source.
std::unique_ptr<AnswerSource> EmulatedAnswers(const replay::ReplayArchive& archive,
                                              EmulationRequest request, Times times);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_REPLAY_ANSWER_SOURCE_H_
