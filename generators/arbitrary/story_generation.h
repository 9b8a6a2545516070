// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_ARBITRARY_STORY_GENERATION_H_
#define PMPROOF_GENERATORS_ARBITRARY_STORY_GENERATION_H_

#include <cstdint>
#include <memory>

#include "generators/generate.h"

namespace pmproof::generators {

struct StoryRecipe {
  std::uint64_t seed = 1;
  // `check` has nothing to say about the archive. Otherwise anything can happen, and which rules
  // the archive breaks is not known.
  bool sound = true;
  std::uint64_t steps = 30;   // at most
  std::uint64_t metrics = 6;  // at most
};

// Of steps and metrics multiplied: a story is held in memory.
inline constexpr std::uint64_t kMostStoryReadings = 100'000;

// Returns the archive of a story by chance (random_story.h): one archive, of a version that the
// story chooses. Error: kUsage for numbers beyond this limit, or 0 metrics.
Result<std::unique_ptr<Generation>> GenerationOf(const StoryRecipe& recipe);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_ARBITRARY_STORY_GENERATION_H_
