// SPDX-License-Identifier: Apache-2.0
#include "validator/check/report/archive_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "validator/check/report/render.h"
#include "validator/check/report/testing/sample_report.h"
#include "validator/text/json_text.h"

namespace pmproof::validator {
namespace {

using ::nlohmann::ordered_json;

Report SampleReport() {
  Report report;
  report.archives = {testing::GoodArchive(), testing::BadArchive(), testing::HostileArchive(),
                     testing::FailedArchive()};
  return report;
}

// With all that an archive can have and most have not.
ArchiveReport FullArchive() {
  ArchiveReport archive = testing::HostileArchive();
  archive.archive_version = 0;
  archive.members = {"a", archive.archive};
  archive.internal_errors = {archive.archive, ""};
  archive.summary.start = Timestamp{-5, -3};
  archive.summary.finish.reset();
  Disclosures& disclosures = archive.disclosures.emplace();
  disclosures.fields.push_back(
      {.kind = Private::kUser,
       .field = archive.archive,
       .example = "x",
       .count = 3,
       .places = {{.file = archive.archive, .part = -1, .offset = 7, .length = 2}}});
  disclosures.more = 4;
  for (Finding& finding : archive.findings) finding.metric = {"a.b", archive.archive};
  archive.contents = {{archive.archive, std::string(32, 'a')}, {"b.0", std::string(32, '0')}};
  return archive;
}

std::string Rendered(Format format, const Report& report, const RenderOptions& options) {
  std::ostringstream out;
  Render(format, report, testing::SmallCatalogue(), options, out);
  return out.str();
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The document of the other format, and each archive's line as the library writes it.
void ExpectTheSameAsJson(const Report& report, const RenderOptions& options) {
  const ordered_json json = ParseOrderedJson(Rendered(Format::kJson, report, options));
  const std::string text = Rendered(Format::kBatch, report, options);
  ordered_json batch = ParseOrderedJson(text);
  ASSERT_EQ(batch["batch"].size(), report.archives.size());
  batch.erase("batch");
  EXPECT_EQ(batch.dump(), json.dump());

  const std::vector<std::string> lines = Lines(text);
  ASSERT_EQ(lines.size(), report.archives.size() + 2);
  for (std::size_t i = 0; i < report.archives.size(); ++i) {
    const std::string comma = i + 1 < report.archives.size() ? "," : "";
    EXPECT_EQ(lines[i + 1], json["archives"][i].dump(-1, ' ', /*ensure_ascii=*/true) + comma);
  }
}

TEST(ArchiveText, IsTheJsonOfTheReportWithoutBlanks) {
  Report report = SampleReport();
  ExpectTheSameAsJson(report, {});
  report.archives.push_back(FullArchive());
  ExpectTheSameAsJson(report, {});
  testing::Judge(&report);
  ExpectTheSameAsJson(report, {});
  ExpectTheSameAsJson(Report(), {});
}

TEST(ArchiveText, SaysWhatTriageSays) {
  Report report = SampleReport();
  std::vector<TriageNote> notes(4);
  notes[0].archive.emplace();
  notes[1].archive =
      Triaged{Condition::kLost, "because of \xff", "look\n", report.archives[2].archive};
  Neighbours& set = notes[2].set.emplace();
  set.directory = report.archives[2].archive;
  set.members = {{.name = "a"}, {.name = "b"}};
  set.hiding = {1};
  RenderOptions options;
  options.triage = &notes;
  ExpectTheSameAsJson(report, options);
}

TEST(ArchiveText, WhatIsKnownOfALineStandsAtTheEnd) {
  Report report;
  report.archives = {FullArchive(), testing::FailedArchive()};
  const ordered_json json = ParseOrderedJson(Rendered(Format::kBatch, report, {}));
  for (std::size_t i = 0; i < 2; ++i) {
    for (const char* key : {"archive", "conformant", "failure", "internal_errors", "counts"}) {
      EXPECT_EQ(json["batch"][i][key], json["archives"][i][key]) << key;
    }
  }
  const ordered_json name = json["archives"][0]["archive"];
  EXPECT_EQ(json["batch"][0]["files"],
            ordered_json::array({{name, std::string(32, 'a')}, {"b.0", std::string(32, '0')}}));
  EXPECT_EQ(json["batch"][1]["files"], ordered_json::array());
}

TEST(ArchiveText, TheDigestOfTheLineIsXxh3) {
  std::string entry;
  AppendBatchEntry(ArchiveReport(), "", &entry);  // the digest of nothing is known to everybody
  EXPECT_TRUE(entry.ends_with(R"("line":"2d06800538d394c2"})")) << entry;
}

}  // namespace
}  // namespace pmproof::validator
