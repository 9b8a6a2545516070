// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_ARBITRARY_ARBITRARY_STORY_H_
#define PMPROOF_GENERATORS_ARBITRARY_ARBITRARY_STORY_H_

#include <rapidcheck.h>

#include <memory>
#include <ostream>
#include <utility>

#include "generators/arbitrary/random_story.h"
#include "generators/arbitrary/simpler_story.h"
#include "generators/arbitrary/story_text.h"
#include "generators/random.h"
#include "generators/story/story.h"

// Stories for RapidCheck. They grow with its size, and shrink to fewer steps, then to fewer
// metrics, then to fewer instances, and then to smaller numbers.

namespace pmproof::generators {

inline void showValue(const Story& story, std::ostream& out) { out << '\n' << ToText(story); }

inline rc::Seq<Story> ShrinkStory(const Story& story) {
  const auto shared = std::make_shared<const Story>(story);
  return rc::seq::map(rc::seq::fromContainer(SimplerStories(*shared)),
                      [shared](const StoryEdit& edit) {
                        Story simpler = *shared;
                        edit(simpler);
                        return simpler;
                      });
}

inline rc::Gen<Story> AnyStory(bool sound) {
  return [sound](const rc::Random& random, int size) {
    rc::Random seed = random;
    Random ours(seed.next());
    const auto at_size = static_cast<std::size_t>(size < 0 ? 0 : size);
    Story story = RandomStory(ours, {sound, 2 + at_size / 4, 1 + at_size / 15});
    return rc::shrinkable::shrinkRecur(std::move(story), &ShrinkStory);
  };
}

// About which `check` has nothing to say.
inline rc::Gen<Story> SoundStory() { return AnyStory(true); }

}  // namespace pmproof::generators

namespace rc {

// Whatever can happen.
template <>
struct Arbitrary<pmproof::generators::Story> {
  static Gen<pmproof::generators::Story> arbitrary() {
    return pmproof::generators::AnyStory(false);
  }
};

}  // namespace rc

#endif  // PMPROOF_GENERATORS_ARBITRARY_ARBITRARY_STORY_H_
