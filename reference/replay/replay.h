// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_REPLAY_H_
#define PMPROOF_REFERENCE_REPLAY_REPLAY_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference/core/error_code.h"
#include "reference/replay/instance_profile.h"
#include "reference/replay/replay_archive.h"
#include "reference/replay/rule.h"

// What a sequence of interpolated fetches from one context answers (sections 2 to 9 of
// reference/spec/interpolation.md), under any rule.

namespace pmproof::replay {

struct ReplayRequest {
  std::vector<Pmid> metrics;  // in the order of the answers; may repeat, may be unknown (INT-407)
  int direction = 1;          // of a set's virtual marks (INT-905): below 0 backward
  bool seeks = false;  // each time is set anew (pmSetMode), else they follow by steps (INT-706)
  InstanceProfile instances;
  bool reasons = false;  // answers have their bounds
  // What answers and observations may take, in bytes. Where all answers do not fit, the archive is
  // walked more than once.
  std::size_t memory = std::size_t{512} << 20;
};

// The virtual marks of a set as the fetches of a request meet them (INT-905).
ReplayArchive::VirtualMarks MarksOf(const ReplayRequest& request, const Rule& rule);

struct InstanceAnswer {
  std::int32_t instance = kInstanceNull;
  Value value;
  Clause why;
  std::optional<Bounds> bounds;  // if reasons were asked for; without opaque values
};

// Either an error or values, ascending by instance; no values is not an error (INT-405).
struct MetricAnswer {
  Pmid pmid;
  ErrorCode status = ErrorCode::kOk;
  std::string message;  // of an error: what is the matter
  std::vector<InstanceAnswer> values;
};

struct FetchAnswer {
  Timestamp time;
  ErrorCode status = ErrorCode::kOk;  // kEndOfLog outside of the archive (INT-206)
  std::vector<MetricAnswer> metrics;  // one for each that was asked for, unless there is an error
  std::string message{};              // of another error, for people (INT-1007)
};

// Receives the answers, in the order of the requested times; they hold until it returns.
using AnswerSink = std::function<void(const FetchAnswer& answer)>;

// One context. A resource: not copied. The first call of Fetch() walks the archive, and so does
// each one if the observations of the metrics do not fit half of the memory: then many times are
// better asked for together. If they fit, the second call keeps them, and from then on a fetch
// takes logarithmic time.
class ReplayContext {
 public:
  // The archive outlives this.
  ReplayContext(const ReplayArchive& archive, ReplayRequest request, Profile profile);
  ReplayContext(const ReplayContext&) = delete;
  ReplayContext& operator=(const ReplayContext&) = delete;
  ~ReplayContext();

  // One fetch at each time, in this order, which may be any; what a context remembers goes on from
  // call to call. Errors: kUsage without metrics (PM_ERR_TOOSMALL, INT-405); the archive's, where
  // its first volume cannot be read at all; kBudget where the values of one time, or, of an
  // archive whose times go back (INT-309), all observations of the metrics do not fit the memory.
  std::optional<Status> Fetch(std::span<const Timestamp> times, const AnswerSink& sink);

  // Why the answers given so far know nothing of some members: the overlap that was met last
  // (INT-907).
  const std::optional<Status>& overlap() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_REPLAY_H_
