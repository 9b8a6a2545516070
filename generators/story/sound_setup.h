// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_STORY_SOUND_SETUP_H_
#define PMPROOF_GENERATORS_STORY_SOUND_SETUP_H_

#include <cstddef>
#include <string>
#include <vector>

#include "generators/story/story.h"
#include "reference/archive/model.h"

namespace pmproof::generators {

// A member of the setup as it may appear. What is not `usable` does not: it would be at odds with
// another one, or is nothing that a logger writes.
struct MetricRole {
  bool usable = false;
  archive::DescModel desc;
};

// Where the metrics of a logger lie in SoundSetup::setup.metrics, in the order of ARC-590.
struct LoggerRoles {
  std::size_t domain = 0;
  std::size_t first_metric = 0;
};
inline constexpr std::size_t kLoggerMetrics = 5;

// A setup made sound: places stay as they are, the logger's metrics and domain stand after the
// others. Units that PCP does not know are none (ARC-1320..1327), a counter that is not a number is
// discrete (ARC-1334), names that are not names or that somebody has already are left out
// (ARC-1306..1309), and so are metrics and domains of a number that is taken or out of range.
struct SoundSetup {
  Setup setup;
  std::vector<bool> domain_usable;
  std::vector<MetricRole> metrics;
  LoggerRoles logger;
};

SoundSetup MakeSound(Setup setup);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_STORY_SOUND_SETUP_H_
