// SPDX-License-Identifier: Apache-2.0
#include "generators/combination.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generators/plan_of.h"
#include "reference/archive/archive_model.h"
#include "reference/archive/decode_model.h"
#include "reference/archive/storage.h"

namespace pmproof::generators {
namespace {

constexpr int kAttempts = 20;

MutatedFiles FilesOf(const ArchivePlan& plan, const std::string& base) {
  MutatedFiles result;
  result.base = base;
  for (auto& [suffix, content] : Encode(plan).files)
    result.files[base + "." + suffix] = std::move(content);
  return result;
}

// The plan of what a mutation has made; nothing if it is that of no archive that readers accept, or
// has files beside those of the plan.
std::optional<ArchivePlan> Reread(const MutatedFiles& mutated) {
  if (!mutated.directories.empty()) return std::nullopt;
  archive::MemoryStorage storage;
  for (const auto& [name, content] : mutated.files) storage.files[name] = content;
  archive::ViolationKeeper ignored(mutated.base);
  const auto files = archive::FindArchive(storage, mutated.base, ignored);
  if (!files) return std::nullopt;
  const auto archive = DecodeArchive(storage, *files);
  if (!archive) return std::nullopt;
  Result<ArchivePlan> plan = PlanOf(*archive);
  if (!plan || FilesOf(*plan, mutated.base).files != mutated.files) return std::nullopt;
  return *std::move(plan);
}

// What a mutation has done to files: nothing stands for one that is gone.
struct Changes {
  std::string base;
  std::map<std::string, std::optional<archive::Buffer>> files;
  std::vector<std::string> directories;
};

Changes Between(const MutatedFiles& before, MutatedFiles after) {
  Changes changes{after.base, {}, std::move(after.directories)};
  for (const auto& [name, content] : before.files) {
    if (!after.files.contains(name)) changes.files[name] = std::nullopt;
  }
  for (auto& [name, content] : after.files) {
    const auto old = before.files.find(name);
    if (old == before.files.end() || old->second != content)
      changes.files[name] = std::move(content);
  }
  return changes;
}

bool Collide(const std::map<std::string, std::optional<archive::Buffer>>& a,
             const std::map<std::string, std::optional<archive::Buffer>>& b) {
  return std::any_of(a.begin(), a.end(), [&b](const auto& file) { return b.contains(file.first); });
}

// The forms in the order in which edits are made.
int FormOf(const Mutation& mutation) {
  return mutation.files != nullptr ? 2 : mutation.image != nullptr ? 1 : 0;
}

Result<MutatedFiles> Attempt(std::span<const Mutation* const> mutations, ArchivePlan plan,
                             const std::string& base, Random& random) {
  std::vector<std::pair<const Mutation*, Random>> last;
  for (const Mutation* const mutation : mutations) {
    const Random own = random.Fork(random.Next());
    Random draws = own;
    Result<MutatedFiles> files = Mutate(*mutation, plan, base, draws);
    if (!files) return files;
    if (std::optional<ArchivePlan> next = Reread(*files)) {
      plan = *std::move(next);
    } else {
      last.emplace_back(mutation, own);
    }
  }
  MutatedFiles result = FilesOf(plan, base);
  const MutatedFiles before = result;
  std::map<std::string, std::optional<archive::Buffer>> changed;
  for (auto& [mutation, draws] : last) {
    Result<MutatedFiles> files = Mutate(*mutation, plan, base, draws);
    if (!files) return files;
    Changes changes = Between(before, *std::move(files));
    if (Collide(changes.files, changed)) {
      return tl::unexpected(
          Status{.kind = Status::Kind::kUsage,
                 .clause = mutation->rule,
                 .message = "the edit changes files that another one has changed"});
    }
    if (changes.base != base) result.base = changes.base;
    for (const std::string& name : changes.directories) result.directories.push_back(name);
    for (auto& [name, content] : changes.files) {
      if (content) {
        result.files[name] = *content;
      } else {
        result.files.erase(name);
      }
    }
    changed.merge(changes.files);
  }
  return result;
}

}  // namespace

Result<MutatedFiles> MutateAll(std::span<const Mutation* const> mutations, ArchivePlan plan,
                               const std::string& base, Random& random) {
  if (mutations.size() == 1) return Mutate(*mutations[0], std::move(plan), base, random);
  std::vector<const Mutation*> sorted(mutations.begin(), mutations.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const Mutation* a, const Mutation* b) {
    return std::pair(FormOf(*a), a->rule) < std::pair(FormOf(*b), b->rule);
  });
  Result<MutatedFiles> result = MutatedFiles{};
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    result = Attempt(sorted, plan, base, random);
    if (result) break;
  }
  return result;
}

}  // namespace pmproof::generators
