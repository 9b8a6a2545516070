// SPDX-License-Identifier: Apache-2.0
#include "generators/plan_truth.h"

#include "generators/truth.h"

namespace pmproof::generators {

std::optional<Status> WriteTruth(const ArchivePlan& plan,
                                 std::vector<std::pair<std::string, std::string>> recipe,
                                 archive::OutputFile& file) {
  TruthHead head;
  head.label = plan.label;
  head.recipe = std::move(recipe);
  TruthWriter truth(head, file);
  for (const archive::MetaRecordModel& record : plan.meta) {
    if (auto status = truth.Take(record)) return status;
  }
  for (const auto& [volume, results] : plan.volumes) {
    for (const archive::ResultModel& result : results) {
      if (auto status = truth.Take(result, volume)) return status;
    }
  }
  return truth.Finish();
}

}  // namespace pmproof::generators
