// SPDX-License-Identifier: Apache-2.0
#include "validator/synthesis/mutate.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "generators/combination.h"
#include "generators/damage.h"
#include "generators/mutations/mutations.h"
#include "generators/random.h"
#include "reference/archive/storage.h"

namespace pmproof::validator {
namespace {

using generators::ArchivePlan;
using generators::MutatedFiles;
using generators::Mutation;
using generators::Random;

constexpr std::uint64_t kAttempts = 10;
constexpr char kDirectory[] = "checked";

std::string Joined(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// The rules of all findings. The files are lent to a storage and come back.
std::set<std::string> FindingsOf(MutatedFiles& files, const Catalogue& catalogue,
                                 CheckOptions options) {
  const std::string prefix = std::string(kDirectory) + "/";
  archive::MemoryStorage storage;
  for (auto& [name, content] : files.files) storage.files[prefix + name] = std::move(content);
  for (const std::string& name : files.directories) storage.files[prefix + name + "/inside"] = {};
  options.sets = true;
  options.max_findings = 1;
  const Report report = CheckAll(storage, {kDirectory}, catalogue, options, nullptr);
  for (auto& [name, content] : files.files) content = std::move(storage.files.at(prefix + name));
  std::set<std::string> rules;
  for (const ArchiveReport& archive : report.archives) {
    for (const Finding& finding : archive.findings) rules.insert(finding.rule.ToString());
  }
  return rules;
}

// Whether the rule is among the findings, and nothing new that does not fall with it.
bool IsExact(const Rule& rule, const std::set<std::string>& found,
             const std::set<std::string>& before) {
  std::set<std::string> names;
  if (rule.covered_by.empty()) names.insert(rule.id.ToString());
  for (const Clause other : rule.covered_by) names.insert(other.ToString());
  const bool named = std::any_of(names.begin(), names.end(),
                                 [&](const std::string& name) { return found.contains(name); });
  for (const Clause other : rule.together) names.insert(other.ToString());
  return named && std::all_of(found.begin(), found.end(), [&](const std::string& name) {
           return names.contains(name) || before.contains(name);
         });
}

class Mutator {
 public:
  Mutator(const ArchivePlan& plan, const MutateRequest& request, const Catalogue& catalogue,
          const CheckOptions& check)
      : plan_(plan), request_(request), catalogue_(catalogue), check_(check) {
    MutatedFiles as_it_is;
    as_it_is.base = request.base;
    for (auto& [suffix, content] : Encode(plan).files)
      as_it_is.files[request.base + "." + suffix] = std::move(content);
    before_ = FindingsOf(as_it_is, catalogue, check);
  }

  Result<Mutated> Run() {
    const bool one = request_.edits.size() == 1 && request_.damages == 0 && request_.flips == 0;
    Result<Mutated> result = tl::unexpected(Status{});
    std::string others;
    for (std::uint64_t attempt = 0; attempt < kAttempts; ++attempt) {
      Random random = Random(request_.seed).Fork(attempt);
      result = Edited(random);
      if (!result) continue;
      Damage(*result, random);
      std::set<std::string> found = FindingsOf(result->files, catalogue_, check_);
      const Rule* const rule = one ? catalogue_.Find(result->edits.front()->rule) : nullptr;
      const bool exact = rule == nullptr || IsExact(*rule, found, before_);
      if (!exact && others.empty()) others = found.empty() ? "nothing" : Joined(found);
      for (const std::string& name : before_) {
        if (rule == nullptr || name != rule->id.ToString()) found.erase(name);
      }
      result->found = std::move(found);
      if (exact) return result;
    }
    if (others.empty()) return result;
    return tl::unexpected(Status{
        .kind = Status::Kind::kUnsupported,
        .clause = request_.edits.front().front()->rule,
        .message = "no edit was found that breaks just this rule; found after one: " + others});
  }

 private:
  // One edit of each list, taken anew until all of them can be made. Lists of one edit each are
  // tried once: MutateAll() has attempts of its own.
  Result<Mutated> Edited(Random& random) {
    Mutated mutated;
    if (request_.edits.empty()) {
      mutated.files.base = request_.base;
      for (auto& [suffix, content] : Encode(plan_).files)
        mutated.files.files[request_.base + "." + suffix] = std::move(content);
      return mutated;
    }
    std::vector<std::vector<const Mutation*>> left = request_.edits;
    std::set<std::string> reasons;
    while (true) {
      mutated.edits.clear();
      for (auto& edits : left)
        mutated.edits.push_back(edits[static_cast<std::size_t>(random.Below(edits.size()))]);
      Result<MutatedFiles> files = MutateAll(mutated.edits, plan_, request_.base, random);
      if (files) {
        mutated.files = *std::move(files);
        return mutated;
      }
      Status failure = files.error();
      const std::size_t colon = failure.message.rfind(": ");
      reasons.insert(failure.message.substr(colon == std::string::npos ? 0 : colon + 2));
      // Without the edit that could not be made, as long as there is another of its rule.
      bool again = false;
      for (std::size_t i = 0; i < left.size() && !again; ++i) {
        if (mutated.edits[i]->rule != failure.clause || left[i].size() == 1) continue;
        std::erase(left[i], mutated.edits[i]);
        again = true;
      }
      if (again) continue;
      failure.message = "the archive cannot be changed so: " + Joined(reasons);
      return tl::unexpected(failure);
    }
  }

  void Damage(Mutated& mutated, Random& random) const {
    const auto note = [&mutated](const std::optional<generators::Damage>& damage) {
      if (damage) mutated.damages.push_back(ToText(*damage));
    };
    for (std::uint64_t i = 0; i < request_.damages; ++i)
      note(DamageFiles(mutated.files.files, random));
    for (std::uint64_t i = 0; i < request_.flips; ++i)
      note(DamageFiles(mutated.files.files, generators::DamageKind::kFlipBit, random));
  }

  const ArchivePlan& plan_;
  const MutateRequest& request_;
  const Catalogue& catalogue_;
  const CheckOptions& check_;
  std::set<std::string> before_;
};

}  // namespace

std::vector<const Mutation*> MutationsOf(Clause rule) {
  std::vector<const Mutation*> mutations = generators::AllMutations();
  std::erase_if(mutations, [rule](const Mutation* mutation) { return mutation->rule != rule; });
  return mutations;
}

Result<Mutated> MutateArchive(const ArchivePlan& plan, const MutateRequest& request,
                              const Catalogue& catalogue, const CheckOptions& check) {
  return Mutator(plan, request, catalogue, check).Run();
}

}  // namespace pmproof::validator
