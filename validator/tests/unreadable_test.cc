// SPDX-License-Identifier: Apache-2.0
// What the operating system does not let us read is not taken for damage: there is no verdict on
// that archive, and the others get theirs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <string>

#include "generators/archive_image.h"
#include "reference/archive/testing/failing_storage.h"
#include "validator/check/check.h"
#include "validator/info/info.h"

namespace pmproof::validator {
namespace {

using archive::testing::FailingStorage;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;

struct Failing {
  const char* what;
  int error;
  bool seen;  // as a regular file
};

void PrintTo(const Failing& failing, std::ostream* out) { *out << failing.what; }

class UnreadableTest : public ::testing::TestWithParam<Failing> {
 protected:
  UnreadableTest() {
    for (const char* name : {"d/a", "d/b", "d/c"}) {
      Encode(generators::BaseArchive(3)).Store(name, &storage_.memory);
    }
  }

  void Fail(const std::string& file) {
    (GetParam().seen ? storage_.not_opened : storage_.not_seen)[file] = GetParam().error;
  }

  Report Check() {
    CheckOptions options;
    options.now = {generators::kBaseTime * 2, 0};
    return CheckAll(storage_, {"d"}, catalogue_, options, nullptr);
  }

  FailingStorage storage_;
  const Catalogue catalogue_ = Catalogue::Shipped();
};

INSTANTIATE_TEST_SUITE_P(Reasons, UnreadableTest,
                         ::testing::Values(Failing{"no permission", EACCES, true},
                                           Failing{"input/output error", EIO, true},
                                           Failing{"stale handle at opening", ESTALE, true},
                                           Failing{"stale handle", ESTALE, false},
                                           Failing{"vanished since it was listed", ENOENT, true},
                                           Failing{"dangling link", ENOENT, false}));

TEST_P(UnreadableTest, ThereIsNoVerdictAndTheOthersHaveTheirs) {
  for (const char* file : {"d/b.meta", "d/b.index", "d/b.0"}) {
    storage_.not_opened.clear();
    storage_.not_seen.clear();
    Fail(file);
    const Report report = Check();
    ASSERT_EQ(report.archives.size(), 3U) << file;
    const ArchiveReport& archive = report.archives[1];
    ASSERT_TRUE(archive.failure) << file;
    EXPECT_EQ(archive.failure->file, file);
    EXPECT_FALSE(archive.failure->message.empty());
    EXPECT_EQ(archive.counts.fatal + archive.counts.error, 0U) << file;
    EXPECT_FALSE(archive.conformant);
    EXPECT_THAT(archive.not_checked, Contains(Field(&NotChecked::what, file)));
    EXPECT_TRUE(report.archives[0].conformant && report.archives[2].conformant) << file;
    EXPECT_EQ(ExitStatusOf(report, Severity::kError), ExitStatus::kUnreadable);
  }
}

TEST_P(UnreadableTest, InfoNamesTheFileAndShowsTheOthers) {
  Fail("d/b.0");
  const ArchiveInfo info = GatherInfo(storage_, "d/b");
  EXPECT_FALSE(info.failure);
  EXPECT_EQ(info.metadata.metrics, GatherInfo(storage_, "d/a").metadata.metrics);
  ASSERT_EQ(info.problems.size(), 1U);
  EXPECT_THAT(info.problems[0].ToText(), HasSubstr("d/b.0: "));
  EXPECT_TRUE(archive::IsStorageFailure(info.problems[0]));
}

TEST_P(UnreadableTest, NothingIsSaidOfASetWithSuchAMember) {
  Fail("d/b.0");
  const Report report = CheckAll(storage_, {"d/a,d/b"}, catalogue_, {}, nullptr);
  ASSERT_EQ(report.archives.size(), 3U);
  EXPECT_TRUE(report.archives[2].failure);
  EXPECT_EQ(report.archives[2].counts.error, 0U);
}

// The content alone says whether such a file is an archive's: a manual page, a log.
TEST_P(UnreadableTest, AFileThatMayBeAnArchivesIsNamed) {
  const auto volume = storage_.memory.files.at("d/a.0");
  storage_.memory.files = {{"d/x.1", volume}, {"d/y.2", {'n', 'o'}}};
  Fail("d/x.1");
  const Report report = Check();
  EXPECT_TRUE(report.archives.empty());
  const bool there = GetParam().seen && GetParam().error != ENOENT;
  ASSERT_EQ(report.errors.size(), there ? 2U : 1U);
  if (there) {
    EXPECT_THAT(report.errors[0].ToText(),
                ::testing::AllOf(HasSubstr("d/x.1: "),
                                 HasSubstr("whether it belongs to an archive is not known")));
  }
}

}  // namespace
}  // namespace pmproof::validator
