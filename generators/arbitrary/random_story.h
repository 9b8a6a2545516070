// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_ARBITRARY_RANDOM_STORY_H_
#define PMPROOF_GENERATORS_ARBITRARY_RANDOM_STORY_H_

#include <cstddef>

#include "generators/random.h"
#include "generators/story/story.h"

namespace pmproof::generators {

struct StoryTaste {
  // Nothing happens that `check` has something to say about: counters do not fall, times do not go
  // back, and so on.
  bool sound = true;
  std::size_t steps = 20;   // at most
  std::size_t metrics = 6;  // at most, and at least one
};

// A story by chance, the same for the same state of `random` on every machine.
Story RandomStory(Random& random, const StoryTaste& taste);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_ARBITRARY_RANDOM_STORY_H_
