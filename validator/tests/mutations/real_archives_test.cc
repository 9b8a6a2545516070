// SPDX-License-Identifier: Apache-2.0
// Mutations break the rules that they name in archives that PCP wrote, too.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "generators/archive_image.h"
#include "generators/mutations/mutations.h"
#include "generators/plan_of.h"
#include "reference/archive/archive_model.h"
#include "reference/archive/file_set.h"
#include "reference/archive/storage.h"
#include "validator/check/check.h"
#include "validator/tests/mutations/mutation_tests.h"
#include "validator/tests/shared_archives.h"

namespace pmproof::validator::testing {
namespace {

using generators::ArchivePlan;
using generators::Mutation;

constexpr std::uint64_t kSeed = 1;

// Larger ones take long: each is checked some hundred times.
constexpr std::size_t kMostBytes = 100'000;

// So many are tried with a mutation that makes gigabytes.
constexpr std::size_t kFewArchives = 5;

struct RealArchive {
  std::string name;
  ArchivePlan plan;
  std::set<std::string> findings;
};

std::size_t SizeOf(const std::map<archive::Part, archive::Buffer>& files) {
  std::size_t size = 0;
  for (const auto& [part, bytes] : files) size += bytes.size();
  return size;
}

// The archives without an error that are small enough, and that a plan can express.
std::vector<RealArchive> GoodArchives(const std::string& folder, const Catalogue& catalogue) {
  const auto storage = archive::MakePosixStorage();
  std::vector<RealArchive> good;
  for (const std::string& name :
       archive::ListArchives(*storage, {folder}, /*recursive=*/true).names) {
    CheckOptions options;
    options.now = {1800000000, 0};
    const ArchiveReport report = CheckArchive(*storage, name, catalogue, options);
    if (!report.conformant || !report.readable || report.summary.bytes > kMostBytes) continue;
    archive::IgnoringReporter ignored;
    const auto files = archive::FindArchive(*storage, name, ignored);
    if (!files) continue;
    const auto model = archive::DecodeArchive(*storage, *files);
    EXPECT_TRUE(model) << name << ": " << model.error().ToText();
    if (!model) continue;
    const auto bytes = archive::EncodeArchive(*model);
    const auto plan = generators::PlanOf(*model);
    if (SizeOf(bytes) > kMostBytes || !plan) continue;
    generators::MutatedFiles mutated{"base", {}, {}};
    for (auto& [suffix, content] : Encode(*plan).files) mutated.files["base." + suffix] = content;
    for (const auto& [part, content] : bytes)
      EXPECT_TRUE(mutated.of(archive::PartSuffix(part)) == content) << name << " " << part;
    EXPECT_EQ(mutated.files.size(), bytes.size()) << name;
    good.push_back({name.substr(folder.size()), *plan, FindingsOf(mutated, catalogue)});
  }
  return good;
}

struct Section {
  const char* name;
  std::span<const Mutation> (*mutations)();
};

// By sections, so that Bazel can share them out.
class RealArchivesTest : public ::testing::TestWithParam<Section> {};

TEST_P(RealArchivesTest, MutationsGiveExactlyTheRuleNamed) {
  const std::string folder = SharedArchives();
  if (folder.empty()) GTEST_SKIP() << kNoSharedArchives;
  const Catalogue catalogue = Catalogue::Shipped();
  static const std::vector<RealArchive> archives = GoodArchives(folder, catalogue);
  ASSERT_GT(archives.size(), 50U);
  std::size_t applied = 0;
  std::string never;
  for (const Mutation& mutation : GetParam().mutations()) {
    std::size_t times = 0;
    std::vector<std::string> wrong;
    for (const RealArchive& archive : archives) {
      if (mutation.is_large && times == kFewArchives) break;
      const Trial trial = TryMutation(mutation, archive.plan, archive.findings, kSeed, catalogue);
      times += trial.applied ? 1 : 0;
      if (!trial.wrong.empty()) wrong.push_back(archive.name + ": " + trial.wrong);
    }
    applied += times;
    const std::string what = mutation.rule.ToString() + " (" + std::string(mutation.edit) + ")";
    if (times == 0) never += "\n  " + what;
    EXPECT_TRUE(wrong.empty()) << what << " on " << wrong.size() << " of " << times << ", such as "
                               << wrong.front();
  }
  EXPECT_GT(applied, archives.size());
  std::cout << applied << " mutations of " << archives.size() << " archives\n";
  if (!never.empty()) std::cout << "None of them has what these need:" << never << "\n";
}

INSTANTIATE_TEST_SUITE_P(Sections, RealArchivesTest,
                         ::testing::Values(Section{"Files", generators::FileMutations},
                                           Section{"Framing", generators::FramingMutations},
                                           Section{"Labels", generators::LabelMutations},
                                           Section{"Descriptors", generators::DescriptorMutations},
                                           Section{"InstanceDomains",
                                                   generators::InstanceDomainMutations},
                                           Section{"LabelSets", generators::LabelSetMutations},
                                           Section{"HelpTexts", generators::HelpTextMutations},
                                           Section{"DataRecords", generators::DataRecordMutations},
                                           Section{"Values", generators::ValueMutations},
                                           Section{"Index", generators::IndexMutations},
                                           Section{"Across", generators::AcrossMutations},
                                           Section{"Sets", generators::SetMutations}),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace pmproof::validator::testing
