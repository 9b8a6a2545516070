// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_ARBITRARY_STORY_TEXT_H_
#define PMPROOF_GENERATORS_ARBITRARY_STORY_TEXT_H_

#include <string>

#include "generators/story/story.h"

namespace pmproof::generators {

// A story for people, a line for each member of the setup and each step; what is as it is in a
// story of nothing is left out.
std::string ToText(const Story& story);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_ARBITRARY_STORY_TEXT_H_
