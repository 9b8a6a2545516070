// SPDX-License-Identifier: Apache-2.0
// Every mutation of an archive, shrunk: the finding is still there, nothing graver has come up, and
// hardly anything else is left.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "generators/mutation.h"
#include "generators/mutations/mutations.h"
#include "reference/archive/file_set.h"
#include "validator/check/check.h"
#include "validator/synthesis/shrink.h"
#include "validator/tests/mutations/mutation_inputs.h"

namespace pmproof::validator::testing {
namespace {

using generators::MutatedFiles;
using generators::Mutation;

struct Findings {
  std::set<Clause> rules;
  std::set<Clause> grave;  // graver than info
};

class EveryMutation : public ::testing::TestWithParam<int> {
 protected:
  static void SetUpTestSuite() { inputs_ = new std::vector<MutationInput>(MutationInputs()); }
  static void TearDownTestSuite() { delete inputs_; }

  EveryMutation() {
    options_.base = "out";
    options_.check.now = {1800000000, 0};
    options_.memory = std::uint64_t{64} << 20;
    // What takes long here is never worth it.
    options_.expired = [this] { return checks_++ > 20'000; };
  }

  // The files in a directory "m".
  static archive::MemoryStorage Stored(const std::map<std::string, archive::Buffer>& files,
                                       const std::vector<std::string>& directories) {
    archive::MemoryStorage storage;
    for (const auto& [name, content] : files) storage.files["m/" + name] = content;
    for (const std::string& name : directories) storage.files["m/" + name + "/something"] = {};
    return storage;
  }

  Findings FindingsOf(const archive::MemoryStorage& storage) const {
    CheckOptions options = options_.check;
    options.sets = true;
    Findings findings;
    for (const ArchiveReport& report :
         CheckAll(storage, {"m"}, catalogue_, options, nullptr).archives) {
      for (const Finding& finding : report.findings) {
        findings.rules.insert(finding.rule);
        if (finding.severity != Severity::kInfo) findings.grave.insert(finding.rule);
      }
    }
    return findings;
  }

  // The rule that the mutation breaks, or one that reports it in its stead.
  static std::optional<Clause> RuleFound(const Mutation& mutation, const Findings& findings) {
    if (findings.rules.contains(mutation.rule)) return mutation.rule;
    for (const Clause other : Catalogue::Shipped().Find(mutation.rule)->covered_by) {
      if (findings.rules.contains(other)) return other;
    }
    return std::nullopt;
  }

  // The bytes beyond those of the labels.
  std::size_t Beyond(const Shrunk& shrunk) const {
    const std::size_t label = archive::LayoutOf(GetParam()).label;
    std::size_t labels = 0;
    for (const auto& [name, content] : shrunk.files.files)
      labels += content.size() >= label ? label : 0;
    return shrunk.after.bytes > labels ? static_cast<std::size_t>(shrunk.after.bytes) - labels : 0;
  }

  void Shrinks(const Mutation& mutation, const MutatedFiles& files, const std::string& input) {
    const archive::MemoryStorage storage = Stored(files.files, files.directories);
    const Findings before = FindingsOf(storage);
    const std::optional<Clause> rule = RuleFound(mutation, before);
    ASSERT_TRUE(rule) << "not found as it is";
    std::vector<std::string> names = {"m/" + files.base};
    if (catalogue_.Find(*rule)->part == RulePart::kSet)
      names = archive::ListArchives(storage, {"m"}, /*recursive=*/false).names;
    options_.rule = *rule;
    checks_ = 0;
    const auto shrunk = Shrink(storage, names, catalogue_, options_, nullptr);
    if (*rule == "ARC-1013"_clause) {  // is about the name, and OUT has another
      ASSERT_FALSE(shrunk);
      return;
    }
    if (*rule == "ARC-1110"_clause) {  // 2 GB
      ASSERT_FALSE(shrunk);
      EXPECT_EQ(shrunk.error().status.kind, Status::Kind::kBudget);
      return;
    }
    ASSERT_TRUE(shrunk) << shrunk.error().status.ToText();
    const Findings after = FindingsOf(Stored(shrunk->files.files, shrunk->files.directories));
    EXPECT_TRUE(after.rules.contains(*rule));
    EXPECT_TRUE(std::ranges::includes(before.grave, after.grave));
    EXPECT_LE(shrunk->after.bytes, shrunk->before.bytes);
    EXPECT_FALSE(shrunk->expired) << shrunk->after.bytes;
    ++shrunk_;
    if (Beyond(*shrunk) > kSmall) {
      ++large_;
      std::cout << mutation.rule.ToString() << " (" << mutation.edit << "), " << input << ": from "
                << shrunk->before.bytes << " to " << shrunk->after.bytes << " bytes, "
                << shrunk->after.records << " records, labels apart " << Beyond(*shrunk)
                << " bytes\n";
    }
  }

  static constexpr std::size_t kSmall = 400;
  static std::vector<MutationInput>* inputs_;
  const Catalogue catalogue_ = Catalogue::Shipped();
  ShrinkOptions options_;
  std::uint64_t checks_ = 0;
  std::size_t shrunk_ = 0;
  std::size_t large_ = 0;
};
std::vector<MutationInput>* EveryMutation::inputs_ = nullptr;
INSTANTIATE_TEST_SUITE_P(Versions, EveryMutation, ::testing::Values(2, 3));

TEST_P(EveryMutation, OfAnArchiveIsShrunkToLittleMoreThanItsFinding) {
  std::size_t turn = 0;
  std::set<Clause> rules;
  for (const Mutation* mutation : generators::AllMutations()) {
    // Another input for each; of those that lack what it needs the next one.
    for (std::size_t i = 0; i < inputs_->size(); ++i) {
      const MutationInput& input = (*inputs_)[(turn + i) % inputs_->size()];
      if (input.plan.label.version != GetParam()) continue;
      generators::Random random(turn);
      const auto files = generators::Mutate(*mutation, input.plan, "base", random);
      if (!files) continue;
      SCOPED_TRACE(mutation->rule.ToString() + " (" + std::string(mutation->edit) + ") on " +
                   input.name);
      Shrinks(*mutation, *files, input.name);
      rules.insert(mutation->rule);
      break;
    }
    ++turn;
  }
  std::cout << shrunk_ << " archives, " << rules.size() << " rules, " << large_ << " above "
            << kSmall << " bytes\n";
  EXPECT_GT(rules.size(), 200U);
  EXPECT_LE(large_, shrunk_ / 8);
}

}  // namespace
}  // namespace pmproof::validator::testing
