// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <string>
#include <vector>

#include "reference/archive/layout.h"
#include "validator/output/interruptible_output.h"
#include "validator/output/interruption.h"
#include "validator/output/report_file.h"

namespace pmproof::validator {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string ContentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class OutputTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "output_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

  std::string Make(const std::string& name, const std::string& content) const {
    std::ofstream(Path(name), std::ios::binary) << content;
    return Path(name);
  }

  // What begins as the label of a volume of version 2.
  static std::string Label() {
    std::string label("\0\0\0\x84\x50\x05\x26\x02", 8);
    return label + std::string(124, '\0');
  }

  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_))
      names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }

  std::string Refusal(const std::string& path, bool force) const {
    return RefuseReport(*storage_, path, force);
  }

  std::string folder_;
  const std::unique_ptr<archive::Storage> storage_ = archive::MakePosixStorage();
  const std::unique_ptr<archive::OutputStorage> posix_ = archive::MakePosixOutput();
};

TEST_F(OutputTest, AReportTakesTheNameOfTheOldOneWhenItIsComplete) {
  const std::string path = Make("report", "old");
  const auto error = WriteReport(*posix_, path, [&](std::ostream& out) {
    out << std::string(200'000, 'x') << std::flush;
    EXPECT_EQ(ContentOf(path), "old");
    out << "end";
  });
  EXPECT_EQ(error, std::nullopt);
  EXPECT_EQ(ContentOf(path), std::string(200'000, 'x') + "end");
  EXPECT_THAT(Names(), ElementsAre("report"));
}

TEST_F(OutputTest, OnAFullDiskTheOldReportStaysAndNothingElse) {
  archive::MemoryStorage disk;
  disk.files["report"] = {'o', 'l', 'd'};
  for (const std::uint64_t space : {0, 1, 65'535, 65'536, 199'999}) {
    archive::MemoryOutput output(disk);
    output.space = space;
    const auto error =
        WriteReport(output, "report", [](std::ostream& out) { out << std::string(200'000, 'x'); });
    ASSERT_NE(error, std::nullopt);
    EXPECT_EQ(error->message, "No space left on device");
    EXPECT_EQ(error->file, "report");
    EXPECT_EQ(disk.files.size(), 1U);
    EXPECT_EQ(disk.files["report"].size(), 3U);
  }
}

TEST_F(OutputTest, AnInterruptedReportLeavesTheOldOne) {
  const std::string path = Make("report", "old");
  bool stop = false;
  InterruptibleOutput output(archive::MakePosixOutput(), [&] { return stop; });
  const auto error = WriteReport(output, path, [&](std::ostream& out) {
    out << std::string(200'000, 'x') << std::flush;
    stop = true;
  });
  ASSERT_NE(error, std::nullopt);
  EXPECT_EQ(error->message, "interrupted; nothing was written");
  EXPECT_EQ(ContentOf(path), "old");
  EXPECT_THAT(Names(), ElementsAre("report"));
}

TEST_F(OutputTest, ARendererThatThrowsLeavesTheOldReportAndNothingElse) {
  const std::string path = Make("report", "old");
  const auto write = [&] {
    return WriteReport(*posix_, path, [](std::ostream& out) {
      out << std::string(200'000, 'x') << std::flush;
      throw std::bad_alloc();
    });
  };
  EXPECT_THROW(write(), std::bad_alloc);
  EXPECT_EQ(ContentOf(path), "old");
  EXPECT_THAT(Names(), ElementsAre("report"));
}

TEST_F(OutputTest, ALinkStaysALinkAndTheRightsOfTheOldReportStay) {
  const std::string path = Make("report", "old");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(path, Path("link"));
  EXPECT_EQ(WriteReport(*posix_, Path("link"), [](std::ostream& out) { out << "new"; }),
            std::nullopt);
  EXPECT_TRUE(fs::is_symlink(Path("link")));
  EXPECT_EQ(ContentOf(path), "new");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(OutputTest, ADeviceIsWrittenAndStaysADevice) {
  // Nothing in it is overwritten.
  for (const bool force : {false, true}) EXPECT_EQ(Refusal("/dev/null", force), "");
  EXPECT_EQ(WriteReport(*posix_, "/dev/null", [](std::ostream& out) { out << "x"; }), std::nullopt);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_NE(WriteReport(*posix_, "/dev/full", [](std::ostream& out) { out << "x"; }), std::nullopt);
}

TEST_F(OutputTest, ADirectoryThatIsMissingIsSaidBeforeTheWork) {
  EXPECT_THAT(Refusal(Path("no/report"), false), HasSubstr("No such file or directory"));
  EXPECT_THAT(Refusal(folder_, true), HasSubstr("is a directory"));
  EXPECT_EQ(Refusal(Path("report"), false), "");
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(OutputTest, AFileIsOverwrittenOnlyByForce) {
  const std::string path = Make("report", "mine");
  EXPECT_THAT(Refusal(path, false), HasSubstr("--force"));
  EXPECT_EQ(Refusal(path, true), "");
  EXPECT_EQ(ContentOf(path), "mine");
}

TEST_F(OutputTest, WhatBeginsAsALabelIsNeverOverwritten) {
  EXPECT_THAT(Refusal(Make("q.0", Label()), true), HasSubstr("is part of an archive"));
  EXPECT_THAT(Refusal(Make("renamed", Label()), true), HasSubstr("is part of an archive"));
}

TEST_F(OutputTest, NoReportBecomesPartOfAnArchiveThatIsThere) {
  Make("q.0", Label());
  for (const char* name : {"q.1", "q.meta", "q.index", "q.7.xz"}) {
    EXPECT_THAT(Refusal(Path(name), true), HasSubstr("would be part of an archive")) << name;
  }
  EXPECT_EQ(Refusal(Path("q.json"), false), "");
  EXPECT_EQ(Refusal(Path("other.1"), false), "");
}

TEST_F(OutputTest, ANumberedLogIsNotAnArchive) {
  Make("report.1", "text");
  EXPECT_EQ(Refusal(Path("report.2"), false), "");
}

using InterruptionDeathTest = OutputTest;

TEST_F(InterruptionDeathTest, BeforeAnythingIsWrittenASignalEndsTheProgramAndSaysSo) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EXIT(
        {
          const Interruption interruption;
          std::raise(signal);
        },
        ::testing::KilledBySignal(signal), "interrupted; nothing was written");
  }
}

TEST_F(InterruptionDeathTest, WhileSomethingIsWrittenASignalIsNotedAndObeyedAfterwards) {
  EXPECT_EXIT(
      {
        Interruption interruption;
        interruption.Defer();
        std::raise(SIGTERM);
        if (!interruption.wished()) _exit(3);
        interruption.Obey();
        _exit(4);
      },
      ::testing::KilledBySignal(SIGTERM), "");
}

TEST_F(InterruptionDeathTest, ASignalThatWasIgnoredStaysIgnored) {
  EXPECT_EXIT(
      {
        std::signal(SIGHUP, SIG_IGN);
        {
          const Interruption interruption;
          std::raise(SIGHUP);
        }
        std::raise(SIGHUP);
        _exit(0);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace pmproof::validator
