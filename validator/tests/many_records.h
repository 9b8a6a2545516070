// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTS_MANY_RECORDS_H_
#define PMPROOF_VALIDATOR_TESTS_MANY_RECORDS_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "validator/tests/checked_archive.h"
#include "validator/tests/shown_report.h"

namespace pmproof::validator::testing {

inline constexpr std::size_t kRecords = 16;
inline constexpr std::size_t kLate = 13;  // the record that is damaged: many like it come before

// The base archive with more records, which are alike but for their values. What is found in them
// must be what is found in each on its own: a stretch of one record knows no other.
class ManyRecords : public CheckedArchive {
 protected:
  ManyRecords() {
    Desc("m.i64").descriptor.semantics = Semantics::kCounter;
    Desc("m.flt").descriptor.semantics = Semantics::kCounter;
    Desc("m.inst").descriptor.semantics = Semantics::kCounter;
    std::vector<archive::ResultModel>& records = plan.volumes[0];
    for (std::size_t k = records.size(); k < kRecords; ++k) {
      records.push_back(records.back());
      records.back().time = At(static_cast<std::int64_t>(k));
    }
    for (std::size_t k = 0; k < kRecords; ++k) {
      const auto n = static_cast<std::uint32_t>(k);
      Set(k, 1).values[0].value = 1000 + 10 * n;
      BlockOf(k, 2).payload = generators::BigEndian({0, 100 + n});
      BlockOf(k, 3).payload = std::string("hello\0", 6);
    }
  }

  archive::BlockModel& BlockOf(std::size_t record, std::uint32_t item) {
    return std::get<archive::BlockModel>(Set(record, item).values[0].value);
  }

  // What is found in the image, in one pass or in stretches of one record.
  std::vector<std::string> Found(const generators::ArchiveImage& damaged, bool one_by_one) {
    archive::MemoryStorage files;
    damaged.Store("base", &files);
    CheckOptions how = options;
    how.jobs = one_by_one ? 2 : 1;
    how.stretch = one_by_one ? 1 : how.stretch;
    return Shown(CheckArchive(files, "base", catalogue(), how));
  }

  // Compares both; the findings of one pass.
  std::vector<std::string> Found() {
    std::vector<std::string> found = Found(image(), false);
    EXPECT_EQ(found, Found(image(), true));
    return found;
  }

  // Whatever becomes of a byte of a late record is found, and nothing else.
  void ExpectAnyByteThatChangesIsSeen() {
    const std::size_t begin = RecordAt("0", kLate + 1);
    const std::size_t end = RecordAt("0", kLate + 2);
    const std::vector<std::string> sound = Found();
    std::size_t differ = 0;
    for (std::size_t at = begin; at < end; ++at) {
      for (const int bits : {0x01, 0x80, 0xff}) {
        generators::ArchiveImage damaged = image();
        damaged.files["0"][at] ^= static_cast<std::uint8_t>(bits);
        const std::vector<std::string> found = Found(damaged, false);
        ASSERT_EQ(found, Found(damaged, true)) << "byte " << at - begin << " ^ " << bits;
        differ += found != sound ? 1 : 0;
      }
    }
    EXPECT_GT(differ, 2 * (end - begin));
  }

  // The same of a word that becomes another one.
  void ExpectEachWordMayBecomeAnyOther() {
    const std::size_t begin = RecordAt("0", kLate + 1);
    const std::size_t end = RecordAt("0", kLate + 2);
    for (std::size_t at = begin; at < end; at += 4) {
      for (const std::uint32_t word : {0U, 1U, 2U, 7U, 0x7f800000U, 0x7fffffffU, 0xffffffffU}) {
        generators::ArchiveImage damaged = image();
        damaged.SetWord("0", at, word);
        ASSERT_EQ(Found(damaged, false), Found(damaged, true))
            << "byte " << at - begin << ": " << word;
      }
    }
  }

  // How many findings of a rule there are.
  static std::size_t Count(const std::vector<std::string>& found, const std::string& rule) {
    std::size_t count = 0;
    for (const std::string& line : found) count += line.starts_with(rule + " ") ? 1 : 0;
    return count;
  }
};
}  // namespace pmproof::validator::testing

#endif  // PMPROOF_VALIDATOR_TESTS_MANY_RECORDS_H_
