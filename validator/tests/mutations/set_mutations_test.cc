// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "generators/mutations/mutations.h"
#include "generators/mutations/second_archive.h"
#include "validator/tests/mutations/mutation_inputs.h"
#include "validator/tests/mutations/mutation_tests.h"

namespace pmproof::validator::testing {
namespace {

TEST(SetMutations, GiveExactlyTheRuleNamed) {
  ExpectExactlyTheRuleNamed(generators::SetMutations(), "ARC-2101"_clause, "ARC-2109"_clause);
}

// What the mutations start from: without their edits nothing is wrong with the set.
TEST(SetMutations, StartFromASetWithoutAFinding) {
  const Catalogue catalogue = Catalogue::Shipped();
  for (const MutationInput& input : MutationInputs()) {
    generators::MutatedFiles files{"base", {}, {}};
    for (auto& [suffix, content] : Encode(input.plan).files)
      files.files["base." + suffix] = content;
    generators::ArchivePlan second = input.plan;
    ASSERT_EQ(MoveBack(second, Span(second)), std::nullopt) << input.name;
    AddSecond(second, files);
    EXPECT_EQ(FindingsOf(files, catalogue), input.findings) << input.name;
    ASSERT_TRUE(files.files.contains("base-2.meta"));
  }
}

// The second archive has its own place in time, to the nanosecond.
TEST(SetMutations, PutTheSecondArchiveRightInFront) {
  for (const MutationInput& input : MutationInputs()) {
    generators::ArchivePlan second = input.plan;
    const std::int64_t span = Span(second);
    ASSERT_EQ(MoveBack(second, span), std::nullopt) << input.name;
    EXPECT_EQ(second.label.start + span, input.plan.label.start) << input.name;
    EXPECT_EQ(Span(second), span) << input.name;
  }
}

}  // namespace
}  // namespace pmproof::validator::testing
