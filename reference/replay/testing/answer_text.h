// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_TESTING_ANSWER_TEXT_H_
#define PMPROOF_REFERENCE_REPLAY_TESTING_ANSWER_TEXT_H_

#include <string>
#include <vector>

#include "reference/replay/replay.h"

namespace pmproof::replay::testing {

inline std::string TextOf(const Bound& bound) {
  return std::to_string(static_cast<int>(bound.kind)) + "@" + std::to_string(bound.moment.record) +
         "@" + std::to_string(bound.moment.at);
}

// All that an answer says, down to the file and the offset of damage.
inline std::string TextOf(const FetchAnswer& fetch) {
  std::string text = std::to_string(fetch.time.seconds) + "." +
                     std::to_string(fetch.time.nanoseconds) + " " + ToText(fetch.status);
  for (const MetricAnswer& metric : fetch.metrics) {
    text += "\n  " + ToText(metric.pmid) + " " + ToText(metric.status) + " " + metric.message;
    for (const InstanceAnswer& value : metric.values) {
      text += "\n    " + std::to_string(value.instance) + "=" + std::to_string(value.value.bits) +
              "/" + std::string(AsText(value.value.opaque)) + " " + value.why.ToString();
      if (value.bounds)
        text += " " + TextOf(value.bounds->prior) + " " + TextOf(value.bounds->next);
    }
  }
  return text + "\n";
}

// What the first fetch of a context answers at these times, in words; at the end its error.
inline std::string FirstFetch(const ReplayArchive& archive, const ReplayRequest& request,
                              const Profile& profile, const std::vector<Timestamp>& times) {
  ReplayContext context(archive, request, profile);
  std::string text;
  const auto error = context.Fetch(times, [&](const FetchAnswer& fetch) { text += TextOf(fetch); });
  return error ? text + error->ToText() : text;
}

}  // namespace pmproof::replay::testing

#endif  // PMPROOF_REFERENCE_REPLAY_TESTING_ANSWER_TEXT_H_
