// SPDX-License-Identifier: Apache-2.0
#include "generators/arbitrary/story_generation.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "generators/arbitrary/random_story.h"
#include "generators/random.h"
#include "generators/story/composer.h"

namespace pmproof::generators {
namespace {

// Returns how many bytes of data records there are.
Result<std::uint64_t> Play(const Story& story, ArchiveSink& sink) {
  Composer composer(story.setup, sink);
  for (const Step& step : story.steps) {
    if (auto error = composer.Take(step)) return tl::unexpected(*std::move(error));
  }
  if (auto error = composer.Finish()) return tl::unexpected(*std::move(error));
  return composer.result_bytes();
}

class StoryGeneration final : public Generation {
 public:
  StoryGeneration(const StoryRecipe& recipe, Story story)
      : recipe_(recipe), story_(std::move(story)) {}

  std::uint64_t archives() const override { return 1; }
  archive::LabelModel Label() const override {
    NullSink nowhere;
    return Composer(story_.setup, nowhere).Label();
  }
  archive::IndexPolicy Index() const override { return {}; }
  const std::vector<Clause>* violates() const override { return recipe_.sound ? &none_ : nullptr; }
  const std::vector<Clause>& set_violates() const override { return none_; }

  std::vector<std::pair<std::string, std::string>> Ingredients() const override {
    return {{"seed", std::to_string(recipe_.seed)},
            {"story", recipe_.sound ? "sound" : "any"},
            {"records", std::to_string(recipe_.steps)},
            {"metrics", std::to_string(recipe_.metrics)}};
  }

  std::uint64_t ExpectedBytes() const override {
    NullSink nowhere;
    return Play(story_, nowhere).value_or(0);
  }

  std::optional<Status> Next(ArchiveSink& sink,
                             const std::function<void(std::uint64_t)>& progress) override {
    const auto bytes = Play(story_, sink);
    if (!bytes) return bytes.error();
    if (progress) progress(*bytes);
    return std::nullopt;
  }

 private:
  StoryRecipe recipe_;
  Story story_;
  std::vector<Clause> none_;
};

Status Impossible(std::string message) {
  return {.kind = Status::Kind::kUsage, .message = std::move(message)};
}

}  // namespace

Result<std::unique_ptr<Generation>> GenerationOf(const StoryRecipe& recipe) {
  if (recipe.metrics == 0) return tl::unexpected(Impossible("a story has one metric at least"));
  if (recipe.steps > kMostStoryReadings / recipe.metrics) {
    return tl::unexpected(Impossible("a story has at most " + std::to_string(kMostStoryReadings) +
                                     " readings, which are records and metrics multiplied"));
  }
  Random random(recipe.seed);
  return std::make_unique<StoryGeneration>(
      recipe, RandomStory(random, {recipe.sound, static_cast<std::size_t>(recipe.steps),
                                   static_cast<std::size_t>(recipe.metrics)}));
}

}  // namespace pmproof::generators
