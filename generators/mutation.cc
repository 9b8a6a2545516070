// SPDX-License-Identifier: Apache-2.0
#include "generators/mutation.h"

#include <string>
#include <utility>

namespace pmproof::generators {

Result<MutatedFiles> Mutate(const Mutation& mutation, ArchivePlan plan, const std::string& base,
                            Random& random) {
  NotApplicable lack;
  if (mutation.version != 0 && mutation.version != plan.label.version) {
    lack = "it is not of version " + std::to_string(mutation.version);
  }
  if (!lack && mutation.plan != nullptr) lack = mutation.plan(plan, random);
  ArchiveImage image;
  if (!lack) image = Encode(plan);
  if (!lack && mutation.image != nullptr) lack = mutation.image(image, plan, random);
  MutatedFiles result;
  result.base = base;
  for (auto& [suffix, content] : image.files) {
    std::string path = base;
    path.append(".").append(suffix);
    result.files[std::move(path)] = std::move(content);
  }
  if (!lack && mutation.files != nullptr) lack = mutation.files(result, plan, random);
  if (lack) {
    return tl::unexpected(Status{.kind = Status::Kind::kUsage,
                                 .clause = mutation.rule,
                                 .message = "the archive cannot be changed so: " + *lack});
  }
  return result;
}

}  // namespace pmproof::generators
