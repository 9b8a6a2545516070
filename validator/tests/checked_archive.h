// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTS_CHECKED_ARCHIVE_H_
#define PMPROOF_VALIDATOR_TESTS_CHECKED_ARCHIVE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "generators/archive_image.h"
#include "validator/check/check.h"
#include "validator/check/report/report.h"

namespace pmproof::validator::testing {

// Tests of the whole check, from outside: the base archive of ARC-1000 is edited as a plan or
// damaged as bytes, written to a storage in memory, checked, and the rules of all findings are
// compared. Each test runs for version 2 and 3.
class CheckedArchive : public ::testing::TestWithParam<int> {
 protected:
  CheckedArchive();

  int version() const { return GetParam(); }
  std::uint32_t LabelSize() const { return version() == 3 ? 808 : 132; }
  std::size_t TimeSize() const { return version() == 3 ? 12 : 8; }

  // The plan, to be edited before image() is asked for.
  generators::ArchivePlan plan;

  // The bytes of the plan, to be damaged. Made from the plan when first asked for.
  generators::ArchiveImage& image();

  // Files as they are to be stored, other than "base.SUFFIX": what tests put in themselves.
  archive::MemoryStorage storage;

  CheckOptions options;

  const Catalogue& catalogue() const { return catalogue_; }

  // Checks "base". The report is kept.
  const ArchiveReport& Check();

  // Forgets the bytes, the files and the report, for another damage to the same plan.
  void Reset();

  // The rules of all findings of Check(), each once, in order. What the base archive itself gives
  // (no prologue, no epilogue: ARC-2008, ARC-2009) is left out.
  std::vector<std::string> Rules();

  // "ARC-1102 fatal" for each finding kept, the same left out.
  std::vector<std::string> RulesWithSeverity();

  // The first finding of a rule; a test failure if there is none.
  Finding FindingOf(const std::string& rule);

  // Offsets of framed records in the image, the label first.
  std::size_t RecordAt(const std::string& file, std::size_t ordinal) {
    return image().Records(file).at(ordinal);
  }

  // Parts of the plan by name.
  archive::DescModel& Desc(const std::string& name);
  archive::ValueSetModel& Set(std::size_t record,
                              std::uint32_t item);  // PMID 29.0.item in volume 0
  archive::ResultModel& Result(std::size_t record) { return plan.volumes.at(0).at(record); }
  archive::IndomModel& FirstIndom();
  archive::LabelRecordModel& Labels(std::uint32_t label_class);
  archive::TextModel& Text(std::uint32_t type);
  // `seconds` after T of ARC-1000.
  static Timestamp At(std::int64_t seconds, std::int32_t nanoseconds = 0) {
    return {generators::kBaseTime + seconds, nanoseconds};
  }
  // The record as the encoder makes it, with bytes after its content.
  archive::RawRecordModel Raw(const archive::MetaRecordModel& record,
                              const std::string& behind = {}) const;

  // Puts a metadata record before the last one, which belongs to T+3, or at the end.
  void AddMeta(archive::MetaRecordModel record, bool at_end = false);

  // What pmlogger starts and ends an archive with (ARC-590), and its metadata, from T on.
  static archive::ResultModel Logue(Timestamp time, std::uint32_t seqnum = 3);
  void AddLogueMetadata();

  // Moves all times, so that the archive begins at `start`; event arrays, whose payload has times
  // too, and their metrics are left out.
  void ShiftTo(std::int64_t start);

  // Splits the six records into volumes of two and adds index entries for their starts.
  void SplitIntoVolumes();

 private:
  const Catalogue catalogue_;
  std::optional<generators::ArchiveImage> image_;
  std::optional<ArchiveReport> report_;
};

std::string VersionName(const ::testing::TestParamInfo<int>& info);

}  // namespace pmproof::validator::testing

#endif  // PMPROOF_VALIDATOR_TESTS_CHECKED_ARCHIVE_H_
