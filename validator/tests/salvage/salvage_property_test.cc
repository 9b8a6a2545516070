// SPDX-License-Identifier: Apache-2.0
// Whatever is done to an archive: what salvage writes is conformant, holds nothing that was not
// there, and lacks nothing that the report does not name.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "generators/archive_image.h"
#include "generators/damage.h"
#include "generators/mutation.h"
#include "generators/mutations/mutations.h"
#include "generators/random.h"
#include "validator/tests/mutations/mutation_inputs.h"
#include "validator/tests/properties/reading.h"
#include "validator/tests/salvage/salvaged.h"

namespace pmproof::validator::testing {
namespace {

using generators::ArchivePlan;
using generators::FilesByName;
using generators::MutatedFiles;
using generators::Mutation;
using generators::Random;

// Two volumes, so that each kind of file is there, and an entry of the index for each data record:
// wherever a file is cut, the index knows of what was there.
ArchivePlan SmallArchive(int version) {
  ArchivePlan plan = generators::BaseArchive(version);
  std::vector<archive::ResultModel>& first = plan.volumes.at(0);
  const auto half = first.begin() + static_cast<std::ptrdiff_t>(first.size() / 2);
  plan.volumes[1].assign(half, first.end());
  first.erase(half, first.end());
  plan.index.clear();
  for (const auto& [volume, records] : plan.volumes) {
    for (std::size_t i = 0; i < records.size(); ++i) {
      plan.index.push_back({records[i].time, volume, plan.meta.size(), i});
    }
  }
  return plan;
}

std::string Wrong(const FilesByName& original, const FilesByName& files, const Salvaged& salvaged,
                  bool all) {
  std::string wrong = WrongInAnyCase(files, salvaged);
  return wrong.empty() ? WrongRecords(original, files, salvaged, all) : wrong;
}

bool LosesMetadata(const SalvageReport& report) {
  return std::ranges::any_of(report.losses, [](const Loss& loss) {
    return loss.kind == Loss::Kind::kMetadata || loss.kind == Loss::Kind::kValues ||
           loss.part == archive::kMetaPart;
  });
}

class SalvagePropertyTest : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Versions, SalvagePropertyTest, ::testing::Values(2, 3));

TEST_P(SalvagePropertyTest, ASoundArchiveIsSavedByteForByteAndNothingIsLost) {
  for (const MutationInput& input : MutationInputs()) {
    if (input.plan.label.version != GetParam()) continue;
    const FilesByName files = FilesOf(input.plan);
    const Salvaged salvaged = SalvageFiles(files);
    EXPECT_EQ(Wrong(files, files, salvaged, /*all=*/true), "") << input.name;
    EXPECT_EQ(salvaged.report().outcome, SalvageReport::Outcome::kWhole) << input.name << "\n"
                                                                         << LossesOf(salvaged);
    const FilesByName out = salvaged.out();
    for (const auto& [name, content] : files) {
      if (name == "base.index") continue;
      EXPECT_TRUE(out.at(name) == content) << input.name << ": " << name;
    }
  }
}

// A reader sees what it saw before: names, descriptors, labels and instances of each value.
TEST_P(SalvagePropertyTest, AFileThatIsCutAnywhereLosesWhatTheReportNames) {
  const ArchivePlan plan = SmallArchive(GetParam());
  const FilesByName whole = FilesOf(plan);
  const Salvaged undamaged = SalvageFiles(whole);
  const std::vector<std::string> seen = ReadArchive(undamaged.storage, "in/base");
  const std::set<std::string> known(seen.begin(), seen.end());
  for (const auto& [name, content] : whole) {
    for (std::size_t size = 0; size < content.size(); ++size) {
      FilesByName files = whole;
      files.at(name).resize(size);
      const Salvaged salvaged = SalvageFiles(files);
      ASSERT_EQ(Wrong(whole, files, salvaged, /*all=*/true), "")
          << name << " cut to " << size << " bytes\n"
          << LossesOf(salvaged);
      if (name == "base.index") {
        EXPECT_EQ(salvaged.report().outcome, SalvageReport::Outcome::kWhole) << size;
      }
      if (!salvaged.saved() || LosesMetadata(salvaged.report())) continue;
      for (const std::string& line : ReadArchive(salvaged.storage, "out/saved")) {
        if (known.contains(line) || line.ends_with(" mark")) continue;
        ADD_FAILURE() << name << " cut to " << size << ": a reader did not see before: " << line;
      }
    }
  }
}

TEST_P(SalvagePropertyTest, WithoutAnyOneFileWhatTheOthersHoldIsSaved) {
  const FilesByName whole = FilesOf(SmallArchive(GetParam()));
  for (const auto& [name, content] : whole) {
    FilesByName files = whole;
    files.erase(name);
    const Salvaged salvaged = SalvageFiles(files);
    EXPECT_EQ(Wrong(whole, files, salvaged, /*all=*/true), "") << name;
    EXPECT_EQ(salvaged.saved(), name != "base.meta") << name;
  }
}

TEST_P(SalvagePropertyTest, EachMutationIsMendedOrItsLossIsNamed) {
  const std::vector<MutationInput> inputs = MutationInputs();
  std::size_t made = 0;
  for (const Mutation* mutation : generators::AllMutations()) {
    if (mutation->is_large) continue;
    std::size_t applied = 0;
    for (const MutationInput& input : inputs) {
      if (input.plan.label.version != GetParam() || applied == 2) continue;
      Random random(made);
      const auto mutated = generators::Mutate(*mutation, input.plan, "base", random);
      if (!mutated || !mutated->directories.empty()) continue;
      // Some give the archive another name.
      if (mutated->base != "base" || std::ranges::none_of(mutated->files, [](const auto& file) {
            return file.first.starts_with("base.");
          })) {
        continue;
      }
      ++applied;
      ++made;
      const FilesByName original = FilesOf(input.plan);
      const Salvaged salvaged = SalvageFiles(mutated->files);
      EXPECT_EQ(Wrong(original, mutated->files, salvaged, /*all=*/false), "")
          << mutation->rule.ToString() << " (" << mutation->edit << ") on " << input.name << "\n"
          << LossesOf(salvaged);
    }
  }
  EXPECT_GT(made, 300U);
}

TEST_P(SalvagePropertyTest, DamageByChanceIsMendedOrItsLossIsNamed) {
  const std::vector<MutationInput> inputs = MutationInputs();
  std::size_t saved = 0;
  std::size_t made = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Random random(seed);
    const MutationInput& input = random.Pick(inputs);
    if (input.plan.label.version != GetParam()) continue;
    const FilesByName original = FilesOf(input.plan);
    FilesByName files = original;
    std::string done;
    for (std::uint64_t times = 1 + random.Below(3); times > 0; --times) {
      const auto damage = generators::DamageFiles(files, random);
      if (damage) done += ToText(*damage) + "; ";
    }
    ++made;
    const Salvaged salvaged = SalvageFiles(files);
    if (salvaged.saved()) ++saved;
    EXPECT_EQ(Wrong(original, files, salvaged, /*all=*/false), "")
        << input.name << ", seed " << seed << ": " << done << "\n"
        << LossesOf(salvaged);
  }
  EXPECT_GT(saved, made * 8 / 10);
}

// What was saved is sound: nothing more is lost of it.
TEST_P(SalvagePropertyTest, WhatWasSavedIsSavedOnceMoreByteForByte) {
  const std::vector<MutationInput> inputs = MutationInputs();
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const MutationInput& input = random.Pick(inputs);
    if (input.plan.label.version != GetParam()) continue;
    FilesByName files = FilesOf(input.plan);
    generators::DamageFiles(files, random);
    const Salvaged once = SalvageFiles(files);
    if (!once.saved()) continue;
    const Salvaged twice = SalvageFiles(once.out());
    EXPECT_EQ(twice.report().outcome, SalvageReport::Outcome::kWhole) << seed;
    EXPECT_TRUE(twice.out() == once.out()) << input.name << ", seed " << seed;
  }
}

}  // namespace
}  // namespace pmproof::validator::testing
