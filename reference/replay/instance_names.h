// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_INSTANCE_NAMES_H_
#define PMPROOF_REFERENCE_REPLAY_INSTANCE_NAMES_H_

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "reference/replay/replay_archive.h"

namespace pmproof::replay {

// What the instances of one domain are called, over time. A value; names are views into the
// metadata of the archive, which outlives this.
class InstanceNames {
 public:
  explicit InstanceNames(const ReplayDomain& domain);

  // The name that the latest record up to `time` gives an instance; before the first one, the
  // first. Empty if no record names it. (Replay answers instances that are not in the domain at
  // that time: INT-404.)
  std::string_view At(std::int32_t instance, Timestamp time) const;

  // The instances that any record calls so, ascending.
  std::vector<std::int32_t> Find(std::string_view name) const;

 private:
  struct Named {
    Timestamp since;
    std::string_view name;
  };
  std::map<std::int32_t, std::vector<Named>> names_;  // ascending in time, each a change
};

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_INSTANCE_NAMES_H_
