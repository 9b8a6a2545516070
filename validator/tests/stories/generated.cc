// SPDX-License-Identifier: Apache-2.0
#include "validator/tests/stories/generated.h"

#include <gtest/gtest.h>

#include "reference/archive/archive_writer.h"

namespace pmproof::validator::testing {
namespace {

class WriterSink final : public generators::ArchiveSink {
 public:
  explicit WriterSink(archive::ArchiveWriter& writer) : writer_(writer) {}
  std::optional<Status> Take(const archive::MetaRecordModel& record) override {
    return writer_.Append(record);
  }
  std::optional<Status> Take(const archive::ResultModel& result) override {
    return writer_.Append(result);
  }
  void NextVolume() override { writer_.NextVolume(); }

 private:
  archive::ArchiveWriter& writer_;
};

}  // namespace

std::set<std::string> Write(const generators::Recipe& recipe, archive::MemoryStorage* storage) {
  const auto generation = generators::Generation::Of(recipe);
  if (!generation) {
    ADD_FAILURE() << generation.error().ToText();
    return {};
  }
  archive::MemoryOutput output(*storage);
  const std::uint64_t count = (*generation)->archives();
  for (std::uint64_t i = 1; i <= count; ++i) {
    archive::WriterOptions options;
    options.label = (*generation)->Label();
    options.index = (*generation)->Index();
    const std::string path = count == 1 ? "d/a" : "d/a-" + std::to_string(i);
    archive::ArchiveWriter writer(output, path, options);
    WriterSink sink(writer);
    const auto error = (*generation)->Next(sink, {});
    EXPECT_FALSE(error) << error->ToText();
    const auto unfinished = writer.Finish();
    EXPECT_FALSE(unfinished) << unfinished->ToText();
  }
  std::set<std::string> rules;
  for (const Clause rule : *(*generation)->violates()) rules.insert(rule.ToString());
  for (const Clause rule : (*generation)->set_violates()) rules.insert(rule.ToString());
  return rules;
}

std::string ToText(const generators::Recipe& recipe) {
  std::string text = "version " + std::to_string(recipe.version) + ", seed " +
                     std::to_string(recipe.seed) + ", records " +
                     std::to_string(recipe.records.value_or(0)) + ", volumes " +
                     std::to_string(recipe.volumes.value_or(0));
  for (const std::string& name : recipe.scenarios) text += " " + name;
  return text;
}

}  // namespace pmproof::validator::testing
