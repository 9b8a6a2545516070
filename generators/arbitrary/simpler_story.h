// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_ARBITRARY_SIMPLER_STORY_H_
#define PMPROOF_GENERATORS_ARBITRARY_SIMPLER_STORY_H_

#include <functional>
#include <vector>

#include "generators/story/story.h"

namespace pmproof::generators {

using StoryEdit = std::function<void(Story&)>;

// Edits of this story that make it simpler, each by itself. What makes most of a difference comes
// first: fewer steps, then fewer metrics, fewer domains and instances, less in each step (readings,
// values, events), fewer words, and at last smaller numbers. They are so many as the story is long;
// done again and again they end at the empty story.
std::vector<StoryEdit> SimplerStories(const Story& story);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_ARBITRARY_SIMPLER_STORY_H_
