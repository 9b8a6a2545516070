// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_FETCH_SCRIPT_H_
#define PMPROOF_REFERENCE_REPLAY_FETCH_SCRIPT_H_

#include <cstddef>
#include <optional>
#include <span>

#include "reference/core/status.h"
#include "reference/replay/replay.h"

namespace pmproof::replay {

// One fetch of a script.
struct ScriptedFetch {
  Timestamp time;
  bool seeks = false;                    // pmSetMode is called before it
  std::span<const std::size_t> metrics;  // positions in the metrics of the request
};

// What the fetches of one context answer between which pmSetMode is called and other metrics are
// asked for. The context remembers the end (INT-206) throughout, and since the last pmSetMode of
// each metric what the last fetch that asked for it answered, and when the last fetch was
// (INT-706).
//
// `request.metrics` has each metric once; `request.seeks` means nothing. The answers have the
// metrics of their fetches alone. Walks the archive once for all values and, where a fetch goes on
// from another, once for the marks. Errors: as ReplayContext::Fetch().
std::optional<Status> FetchScript(const ReplayArchive& archive, ReplayRequest request,
                                  const Profile& profile, std::span<const ScriptedFetch> script,
                                  const AnswerSink& sink);

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_FETCH_SCRIPT_H_
