// SPDX-License-Identifier: Apache-2.0
// Writes one seed of the fuzz target of replay: a small archive by chance (scenario replay-falls).
// make_replay_seed NUMBER 2|3 > SEED

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "generators/archive_image.h"
#include "generators/generate.h"
#include "generators/story/composer.h"
#include "generators/transform.h"
#include "validator/fuzz/replay_target.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  using namespace pmproof;
  generators::Recipe recipe;
  recipe.seed = std::strtoull(argv[1], nullptr, 10);
  recipe.version = std::string(argv[2]) == "3" ? 3 : 2;
  recipe.scenarios = {"replay-falls"};
  recipe.records = 12;
  recipe.metrics = 1;
  recipe.instances = 2;
  const auto generation = generators::Generation::Of(recipe);
  if (!generation) return 4;
  generators::PlanSink sink(recipe.version, (*generation)->Index());
  const archive::LabelModel label = (*generation)->Label();
  if ((*generation)->Next(sink, {})) return 4;
  const std::vector<std::uint8_t> input =
      validator::AsInput(Encode(MergeVolumes(std::move(sink).Finish(label))).files);
  return std::fwrite(input.data(), 1, input.size(), stdout) == input.size() ? 0 : 4;
}
