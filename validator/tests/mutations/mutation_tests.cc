// SPDX-License-Identifier: Apache-2.0
#include "validator/tests/mutations/mutation_tests.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "generators/random.h"
#include "reference/archive/storage.h"
#include "reference/archive/time_zone.h"
#include "validator/check/check.h"
#include "validator/check/report/report.h"
#include "validator/tests/mutations/mutation_inputs.h"

namespace pmproof::validator::testing {
namespace {

using generators::MutatedFiles;
using generators::Mutation;

constexpr std::uint64_t kSeeds = 5;
constexpr char kDirectory[] = "m";

// A tz database that is the same on every machine.
class KnownZones final : public archive::ZoneChecker {
 public:
  bool Exists(std::string_view name) const override {
    return name == "UTC" || name == "Australia/Melbourne" || name == "Europe/Berlin";
  }
};

std::string Joined(const std::set<std::string>& rules) {
  std::string text;
  for (const std::string& rule : rules) text += (text.empty() ? "" : " ") + rule;
  return "{" + text + "}";
}

// The rules that may be found for this one: itself and what falls with it, or, for a sum of other
// rules, those.
std::set<std::string> Allowed(const Rule& rule) {
  std::set<std::string> allowed = {rule.id.ToString()};
  for (const Clause clause : rule.together) allowed.insert(clause.ToString());
  for (const Clause clause : rule.covered_by) allowed.insert(clause.ToString());
  return allowed;
}

bool Names(const Rule& rule, const std::set<std::string>& found) {
  if (rule.covered_by.empty()) return found.contains(rule.id.ToString());
  for (const Clause clause : rule.covered_by) {
    if (found.contains(clause.ToString())) return true;
  }
  return false;
}

class MutationTester {
 public:
  MutationTester() : catalogue_(Catalogue::Shipped()), inputs_(MutationInputs()) {
    for (const MutationInput& input : inputs_) {
      MutatedFiles files{"base", {}, {}};
      for (auto& [suffix, content] : Encode(input.plan).files)
        files.files["base." + suffix] = content;
      before_.push_back(FindingsOf(files, catalogue_));
      EXPECT_EQ(Joined(before_.back()), Joined(input.findings)) << "as it is: " << input.name;
    }
  }

  const Catalogue& catalogue() const { return catalogue_; }

  void Try(const Mutation& mutation) const {
    std::map<int, std::size_t> applied = {{2, 0}, {3, 0}};
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      std::size_t& times = applied.at(inputs_[i].plan.label.version);
      if (mutation.is_large && times > 0) continue;
      bool right = true;     // one line tells enough of an input
      MutatedFiles checked;  // with the seed before: the same files again are no other test
      for (std::uint64_t seed = 0; seed < (mutation.is_large ? 1 : kSeeds) && right; ++seed)
        right = Try(mutation, i, seed, &times, &checked);
    }
    for (const auto& [version, times] : applied) {
      if (mutation.version != 0 && mutation.version != version) continue;
      EXPECT_GT(times, 0U) << mutation.rule.ToString() << " (" << mutation.edit
                           << "): no input of version " << version
                           << " has what it needs (Mutation::version, if none can have it)";
    }
  }

 private:
  // False after a failure.
  bool Try(const Mutation& mutation, std::size_t i, std::uint64_t seed, std::size_t* applied,
           MutatedFiles* checked) const {
    const Trial trial =
        TryMutation(mutation, inputs_[i].plan, before_[i], seed, catalogue_, checked);
    if (trial.applied) ++*applied;
    EXPECT_EQ(trial.wrong, "") << mutation.rule.ToString() << " (" << mutation.edit << ") on "
                               << inputs_[i].name << ", seed " << seed << ": " << trial.wrong;
    return trial.wrong.empty();
  }

  const Catalogue catalogue_;
  const std::vector<MutationInput> inputs_;
  std::vector<std::set<std::string>> before_;
};

}  // namespace

std::set<std::string> FindingsOf(const MutatedFiles& files, const Catalogue& catalogue) {
  archive::MemoryStorage storage;
  for (const auto& [name, content] : files.files)
    storage.files[std::string(kDirectory) + "/" + name] = content;
  for (const std::string& name : files.directories)
    storage.files[std::string(kDirectory) + "/" + name + "/something"] = {};
  CheckOptions options;
  options.sets = true;
  options.now = {1800000000, 0};
  const KnownZones zones;
  options.zones = &zones;
  const Report report = CheckAll(storage, {kDirectory}, catalogue, options, nullptr);
  std::set<std::string> rules;
  for (const Status& error : report.errors) rules.insert("(" + error.ToText() + ")");
  for (const ArchiveReport& archive : report.archives) {
    for (const Finding& finding : archive.findings) rules.insert(finding.rule.ToString());
    for (const std::string& error : archive.internal_errors) rules.insert("(" + error + ")");
    if (archive.failure) rules.insert("(" + archive.failure->ToText() + ")");
  }
  return rules;
}

Trial TryMutation(const Mutation& mutation, const generators::ArchivePlan& plan,
                  const std::set<std::string>& before, std::uint64_t seed,
                  const Catalogue& catalogue, MutatedFiles* checked) {
  const Rule* rule = catalogue.Find(mutation.rule);
  if (rule == nullptr) return {true, "no such rule"};
  generators::Random random(seed);
  const Result<MutatedFiles> files = generators::Mutate(mutation, plan, "base", random);
  if (!files) return {};
  if (checked != nullptr) {
    if (files->files == checked->files && files->directories == checked->directories)
      return {true, ""};
    *checked = *files;
  }
  const std::set<std::string> found = FindingsOf(*files, catalogue);
  std::set<std::string> unexpected = found;
  for (const std::string& allowed : Allowed(*rule)) unexpected.erase(allowed);
  for (const std::string& known : before) unexpected.erase(known);
  if (Names(*rule, found) && unexpected.empty()) return {true, ""};
  return {true, "found " + Joined(found) + ", before " + Joined(before)};
}

void ExpectExactlyTheRuleNamed(std::span<const Mutation> mutations, Clause first, Clause last) {
  const MutationTester tester;
  std::set<Clause> broken;
  for (const Mutation& mutation : mutations) {
    EXPECT_TRUE(first <= mutation.rule && mutation.rule <= last) << mutation.rule.ToString();
    broken.insert(mutation.rule);
    tester.Try(mutation);
  }
  for (const Rule& rule : tester.catalogue().entries()) {
    // A sum of other rules is shown by theirs.
    if (rule.id < first || rule.id > last || !rule.covered_by.empty()) continue;
    EXPECT_TRUE(broken.contains(rule.id)) << "no mutation for " << rule.id.ToString();
  }
}

}  // namespace pmproof::validator::testing
