// SPDX-License-Identifier: Apache-2.0
// Whatever is done to an archive: what replay answers over the one that salvage writes is what it
// answered before, but where the report says that it may be other.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "generators/arbitrary/random_story.h"
#include "generators/archive_image.h"
#include "generators/damage.h"
#include "generators/mutation.h"
#include "generators/mutations/mutations.h"
#include "generators/random.h"
#include "generators/story/composer.h"
#include "validator/tests/mutations/mutation_inputs.h"
#include "validator/tests/salvage/salvaged.h"
#include "validator/tests/salvage/salvaged_answers.h"

namespace pmproof::validator::testing {
namespace {

using generators::ArchivePlan;
using generators::FilesByName;
using generators::Mutation;
using generators::Random;
using Tally = OriginalAnswers::Tally;

// How many archives by chance; more of them in a long run (docs/developers.md).
std::uint64_t Stories() {
  const char* const count = std::getenv("PMPROOF_SALVAGE_STORIES");
  return count == nullptr ? 100 : std::strtoull(count, nullptr, 10);
}

// Each data record has an entry of the index: no end of a file can be missing without a trace.
void IndexAll(ArchivePlan& plan) {
  plan.has_index = true;
  plan.index.clear();
  for (const auto& [volume, records] : plan.volumes) {
    for (std::size_t i = 0; i < records.size(); ++i) {
      plan.index.push_back({records[i].time, volume, plan.meta.size(), i});
    }
  }
}

ArchivePlan PlanBy(Random& random, int version, std::size_t steps) {
  while (true) {
    ArchivePlan plan = generators::Compose(generators::RandomStory(random, {true, steps, 4}));
    if (plan.label.version == version && !plan.volumes.empty()) return plan;
  }
}

std::string Told(const Tally& tally) {
  return std::to_string(tally.same) + " answers the same, " + std::to_string(tally.declared) +
         " other as declared, " + std::to_string(tally.unknowable) + " next to what was changed";
}

class SalvageReplayTest : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Versions, SalvageReplayTest, ::testing::Values(2, 3));

// Cuts each file at each byte.
void CutEverywhere(const ArchivePlan& plan, Tally* tally) {
  const FilesByName whole = FilesOf(plan);
  const OriginalAnswers original(whole);
  for (const auto& [name, content] : whole) {
    FilesByName last;
    std::string last_losses;
    for (std::size_t size = 0; size < content.size(); ++size) {
      FilesByName files = whole;
      files.at(name).resize(size);
      const Salvaged salvaged = SalvageFiles(files);
      const FilesByName out = salvaged.out();
      std::string losses = LossesOf(salvaged);
      losses = losses.substr(std::min(losses.size(), losses.find("answers of replay")));
      if (out == last && losses == last_losses) continue;
      ASSERT_EQ(original.Wrong(salvaged, /*detected=*/true, tally), "")
          << name << " cut to " << size << " bytes\n"
          << LossesOf(salvaged);
      last = out;
      last_losses = losses;
    }
  }
}

TEST_P(SalvageReplayTest, WhereAFileIsCutAnywhere) {
  Tally tally;
  ArchivePlan plan = generators::BaseArchive(GetParam());
  std::vector<archive::ResultModel>& first = plan.volumes.at(0);
  const auto half = first.begin() + static_cast<std::ptrdiff_t>(first.size() / 2);
  plan.volumes[1].assign(half, first.end());
  first.erase(half, first.end());
  IndexAll(plan);
  CutEverywhere(plan, &tally);
  Random random(7);
  for (int i = 0; i < 2 && !HasFatalFailure(); ++i) {
    ArchivePlan story = PlanBy(random, GetParam(), 12);
    IndexAll(story);
    CutEverywhere(story, &tally);
  }
  EXPECT_GT(tally.same, tally.declared) << Told(tally);
  EXPECT_EQ(tally.unknowable, 0U);
  std::cout << Told(tally) << '\n';
}

TEST_P(SalvageReplayTest, AfterEachMutation) {
  Tally tally;
  const std::vector<MutationInput> inputs = MutationInputs();
  std::map<std::string, std::unique_ptr<OriginalAnswers>> originals;
  std::uint64_t made = 0;
  for (const Mutation* mutation : generators::AllMutations()) {
    if (mutation->is_large) continue;
    std::size_t applied = 0;
    for (const MutationInput& input : inputs) {
      if (input.plan.label.version != GetParam() || applied == 2) continue;
      Random random(made);
      const auto mutated = generators::Mutate(*mutation, input.plan, "base", random);
      if (!mutated || !mutated->directories.empty() || mutated->base != "base") continue;
      ++applied;
      ++made;
      const Salvaged salvaged = SalvageFiles(mutated->files);
      auto& original = originals[input.name];
      if (original == nullptr) original = std::make_unique<OriginalAnswers>(FilesOf(input.plan));
      EXPECT_EQ(original->Wrong(salvaged, /*detected=*/false, &tally), "")
          << mutation->rule.ToString() << " (" << mutation->edit << ") on " << input.name << "\n"
          << LossesOf(salvaged);
    }
  }
  EXPECT_GT(made, 300U);
  EXPECT_GT(tally.same, 10 * (tally.declared + tally.unknowable)) << Told(tally);
  std::cout << Told(tally) << '\n';
}

TEST_P(SalvageReplayTest, OfArchivesByChanceAfterDamageByChance) {
  Tally tally;
  for (std::uint64_t seed = 0; seed < Stories() && !HasFailure(); ++seed) {
    Random random(seed);
    ArchivePlan plan = PlanBy(random, GetParam(), 30);
    if (random.Chance(1, 2)) IndexAll(plan);
    const FilesByName whole = FilesOf(plan);
    const OriginalAnswers original(whole);
    for (int i = 0; i < 8; ++i) {
      FilesByName files = whole;
      const auto damage = generators::DamageFiles(files, random);
      const Salvaged salvaged = SalvageFiles(files);
      EXPECT_EQ(original.Wrong(salvaged, /*detected=*/false, &tally), "")
          << "seed " << seed << ": " << (damage ? ToText(*damage) : "") << "\n"
          << LossesOf(salvaged);
    }
  }
  EXPECT_GT(tally.same, 4 * (tally.declared + tally.unknowable)) << Told(tally);
  std::cout << Told(tally) << '\n';
}

}  // namespace
}  // namespace pmproof::validator::testing
