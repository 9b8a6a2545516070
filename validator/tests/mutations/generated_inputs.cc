// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "generators/generate.h"
#include "generators/story/composer.h"
#include "validator/tests/mutations/mutation_inputs.h"

namespace pmproof::validator::testing {

std::vector<MutationInput> GeneratedInputs() {
  struct Contents {
    std::vector<std::string> scenarios;
    int version = 0;  // 0: both
  };
  const std::vector<Contents> all = {
      {{}},
      {{"marks", "mark-at-sample", "counter-restart", "multi-volume"}},
      {{"indom-appear", "indom-vanish", "indom-return", "sparse-instances"}},
      {{"indom-churn", "deltas"}, 3},
      {{"types", "events", "no-logger"}},
      {{"labels", "texts", "long-names"}},
      {{"late-metrics", "once-logged", "errors", "irregular"}},
      {{"nanoseconds", "indom-churn", "labels"}, 3},
      {{"indom-appear", "irregular", "no-logger", "mark-end"}},
  };
  std::vector<MutationInput> inputs;
  for (const Contents& contents : all) {
    for (const int version : {2, 3}) {
      if (contents.version != 0 && contents.version != version) continue;
      generators::Recipe recipe;
      recipe.seed = inputs.size() + 1;
      recipe.scenarios = contents.scenarios;
      recipe.records = 24;
      recipe.metrics = 4;
      recipe.instances = 3;
      recipe.version = version;
      std::string name = "generated";
      for (const std::string& scenario : recipe.scenarios) name += "+" + scenario;
      name += "-v" + std::to_string(version);
      auto generation = generators::Generation::Of(recipe);
      EXPECT_TRUE(generation) << name << ": " << generation.error().ToText();
      if (!generation) continue;
      generators::PlanSink sink(version, (*generation)->Index());
      const std::optional<Status> error = (*generation)->Next(sink, {});
      EXPECT_FALSE(error) << name << ": " << error->ToText();
      MutationInput input;
      input.name = std::move(name);
      for (const Clause rule : *(*generation)->violates()) input.findings.insert(rule.ToString());
      input.plan = std::move(sink).Finish((*generation)->Label());
      inputs.push_back(std::move(input));
    }
  }
  return inputs;
}

}  // namespace pmproof::validator::testing
