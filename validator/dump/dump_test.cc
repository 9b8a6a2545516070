// SPDX-License-Identifier: Apache-2.0
#include "validator/dump/dump_archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/compressing_output.h"
#include "reference/archive/testing/compress.h"
#include "validator/dump/name_budget.h"
#include "validator/text/text_buffer.h"

namespace pmproof::validator {
namespace {

using archive::Compression;
using generators::ArchiveImage;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Dumped {
  std::string text;
  std::vector<Status> problems;
};

Dumped Dump(const ArchiveImage& image, bool json = false, bool hex = false) {
  archive::MemoryStorage storage;
  image.Store("base", &storage);
  std::ostringstream stream;
  TextBuffer out(stream);
  const auto writer = json ? MakeJsonDump(out, {.hex = hex}) : MakeTextDump(out, {.hex = hex});
  Dumped dumped;
  dumped.problems =
      DumpArchive(storage, "base", json ? Quoting::kJson : Quoting::kText, *writer).value();
  out.Flush();
  dumped.text = stream.str();
  return dumped;
}

// "@OFFSET LENGTH kind": what each line of a text dump accounts for, file by file.
void ExpectEveryByteOnce(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::uint64_t at = 0;
  while (std::getline(lines, line)) {
    if (!line.starts_with('@')) continue;
    char* rest = nullptr;
    EXPECT_EQ(std::strtoull(line.c_str() + 1, &rest, 10), at) << line;
    if (std::string_view(rest) == " end") {
      at = 0;
    } else {
      at += std::strtoull(rest, nullptr, 10);
    }
  }
  EXPECT_EQ(at, 0U) << "the last file has no end";
}

// Value sets in format 2 and the like (ARC-1725) are noted of a record, and are not damage.
TEST(DumpTest, WhatIsNotedOfASoundRecordIsNoProblemOfTheNext) {
  generators::ArchivePlan plan = generators::BaseArchive(3);
  ASSERT_GT(plan.volumes.at(0).size(), 2U);
  std::size_t changed = 0;
  for (archive::ResultModel& result : plan.volumes.at(0)) {
    for (archive::ValueSetModel& set : result.sets) {
      if (set.format != archive::kInsitu && !set.values.empty()) {
        set.format = 2;
        ++changed;
      }
    }
  }
  ASSERT_GT(changed, 1U);
  EXPECT_THAT(Dump(Encode(plan)).problems, IsEmpty());
}

TEST(DumpTest, EachByteOfTheWorkedExamplesIsAccountedFor) {
  for (const int version : {2, 3}) {
    const Dumped dumped = Dump(generators::Encode(generators::WorkedExample(version)));
    EXPECT_THAT(dumped.problems, IsEmpty());
    ExpectEveryByteOnce(dumped.text);
  }
}

TEST(DumpTest, ValuesHaveTheNamesOfTheirInstancesAtTheirTime) {
  const std::string text = Dump(generators::Encode(generators::WorkedExample(3))).text;
  EXPECT_THAT(text,
              HasSubstr("  29.0.3 \"m.in\"\n    [0 \"a\"] 5\n    [1 \"bc\"] 1099511627776\n"));
  EXPECT_THAT(text, HasSubstr("  29.0.3 \"m.in\"\n    [0 \"a\"] 5\n    [2 \"d\"] 1099511627776\n"));
  EXPECT_THAT(text, HasSubstr("29.0.10 \"m.x9\" error -12350 PM_ERR_APPVERSION\n"));
  EXPECT_THAT(text, HasSubstr("29.0.11 \"m.x10\" no values\n"));
  EXPECT_THAT(text, HasSubstr("\"hi\"\n"));
  EXPECT_THAT(text, HasSubstr("mark 1700000001.501000000\n"));
}

TEST(DumpTest, ValuesOfEveryTypeAreShown) {
  const std::string text = Dump(generators::Encode(generators::BaseArchive(2))).text;
  EXPECT_THAT(text, HasSubstr("\"m.i64\"\n    -5\n"));
  EXPECT_THAT(text, HasSubstr("\"m.flt\"\n    2.5\n"));
  EXPECT_THAT(text, HasSubstr("\"m.dbl\"\n    2.25\n"));
  EXPECT_THAT(text, HasSubstr("\"m.agg\"\n    aggregate [0102030405]\n"));
  EXPECT_THAT(text,
              HasSubstr("2 event records\n      1700000000.000005000 flags 1\n        29.0.9 77\n"
                        "      1700000000.000006000 flags 2147483648 missed 3\n"));
}

TEST(DumpTest, JsonLinesSayTheSame) {
  const std::string text = Dump(generators::Encode(generators::WorkedExample(2)), true).text;
  EXPECT_THAT(
      text,
      HasSubstr(
          R"("metric":"m.in","status":0,"format":1,"values":[{"instance":0,"name":"a","type":"u64","value":"5"})"));
  EXPECT_THAT(
      text,
      HasSubstr(R"("metric":"m.x9","status":-12350,"error":"PM_ERR_APPVERSION","values":[])"));
  EXPECT_THAT(text, HasSubstr(R"({"instance":null,"type":"string","value":"hi"})"));
}

TEST(DumpTest, HexShowsTheBytes) {
  const std::string text = Dump(generators::Encode(generators::WorkedExample(2)), true, true).text;
  EXPECT_THAT(text, HasSubstr(R"("hex":"000000146553f1010007a5080000000000000014")"));
}

TEST(DumpTest, ARecordThatCanNotBeDecodedIsShownAsBytesWithItsRule) {
  ArchiveImage image = generators::Encode(generators::BaseArchive(2));
  image.SetWord("0", image.Records("0").at(2) + 12, 1000);
  const Dumped dumped = Dump(image);
  EXPECT_THAT(dumped.problems, SizeIs(1));
  EXPECT_THAT(dumped.text, HasSubstr("undecodable ARC-1702\n"));
  ExpectEveryByteOnce(dumped.text);
}

TEST(DumpTest, EveryTruncationIsAccountedFor) {
  const ArchiveImage whole = generators::Encode(generators::BaseArchive(2));
  for (const char* file : {"meta", "0", "index"}) {
    for (std::size_t size = 0; size < whole.files.at(file).size(); size += 3) {
      ArchiveImage image = whole;
      image.Truncate(file, size);
      ExpectEveryByteOnce(Dump(image).text);
    }
  }
}

// ARC-1009. Framing is lost before the damage of the compressed data is met: nothing of the file is
// mapped then, and records before that place have been decoded.
TEST(DumpTest, DamagedCompressedFilesAreAccountedForUpToTheDamage) {
  for (const Compression form :
       {Compression::kXz, Compression::kGzip, Compression::kBzip2, Compression::kZstd}) {
    for (const char* file : {"meta", "index"}) {
      ArchiveImage image = generators::Encode(generators::BaseArchive(3));
      if (std::string_view(file) == "meta") {
        image.SetWord("meta", image.Records("meta").at(2) - 4, 12345);
      }
      const std::vector<std::uint8_t> whole =
          archive::testing::Compress(image.files.at(file), form);
      image.files.erase(file);
      const std::string name = file + std::string(archive::SuffixOf(form));
      for (std::size_t size = 0; size <= whole.size(); ++size) {
        std::vector<std::uint8_t>& content = image.files[name];
        content.assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        ExpectEveryByteOnce(Dump(image).text);
      }
      for (std::size_t at = 0; at < whole.size(); ++at) {
        image.files[name] = whole;
        image.files[name][at] ^= 0x10;
        const Dumped dumped = Dump(image);
        ExpectEveryByteOnce(dumped.text);
        ExpectEveryByteOnce(Dump(image, /*json=*/false, /*hex=*/true).text);
      }
    }
  }
}

TEST(DumpTest, HostileNamesDoNothingToATerminal) {
  generators::ArchivePlan plan = generators::BaseArchive(2);
  std::get<archive::DescModel>(plan.meta[0]).names = {"evil\x1b[2J\n\xff"};
  const Dumped dumped = Dump(generators::Encode(plan));
  EXPECT_THAT(dumped.text, HasSubstr("\"evil\\u001b[2J\\n\\xff\""));
  EXPECT_EQ(dumped.text.find('\x1b'), std::string::npos);
}

TEST(TextBufferTest, NumbersAreThoseOfTheStandardLibrary) {
  std::ostringstream stream;
  std::string expected;
  {
    TextBuffer out(stream);
    std::uint64_t number = 1;
    for (int shift = 0; shift < 64; ++shift) {
      for (const std::uint64_t n : {number - 1, number, number + 1, ~number, number * 7}) {
        out << n << ' ' << static_cast<std::int64_t>(n) << ' ' << static_cast<std::int32_t>(n)
            << '\n';
        expected += std::to_string(n) + ' ' + std::to_string(static_cast<std::int64_t>(n)) + ' ' +
                    std::to_string(static_cast<std::int32_t>(n)) + '\n';
      }
      number *= 2;
    }
    for (std::uint64_t power = 1; power < 10'000'000'000'000'000'000U; power *= 10) {
      out << power - 1 << ' ' << power << '\n';
      expected += std::to_string(power - 1) + ' ' + std::to_string(power) + '\n';
    }
  }
  EXPECT_EQ(stream.str(), expected);
}

TEST(TextBufferTest, TextOfEverySizeComesThrough) {
  std::ostringstream stream;
  std::string expected;
  const std::string text(400'000, 'x');
  {
    TextBuffer out(stream);
    for (std::size_t size = 0; size < 300; ++size) {
      char* to = out.Begin(TextBuffer::kMostLine(size));
      ASSERT_NE(to, nullptr);
      out.End(TextBuffer::PutLine(to, text.data(), size, size));
      out << std::string_view(text).substr(0, size) << '.';
      expected += text.substr(0, size) + std::to_string(size) + text.substr(0, size) + '.';
    }
    out << text;
  }
  EXPECT_EQ(stream.str(), expected + text);
}

// The base archive with a domain of `count` instances whose names begin at offsets 0, 1, 2, ... of
// one string of `length` bytes.
ArchiveImage Tangled(std::uint32_t count, std::size_t length) {
  archive::Buffer body;
  const auto word = [&body](std::uint32_t value) {
    body.resize(body.size() + 4);
    StoreU32(body.data() + body.size() - 4, value);
  };
  word(2);  // INDOM_V2
  word(static_cast<std::uint32_t>(generators::kBaseTime));
  word(0);
  word(60U << 22 | 9);
  word(count);
  for (std::uint32_t i = 0; i < count; ++i) word(i);
  for (std::uint32_t i = 0; i < count; ++i) word(i);
  body.resize(body.size() + length, 'x');
  body.push_back(0);
  archive::Buffer record(4);
  StoreU32(record.data(), static_cast<std::uint32_t>(body.size() + 8));
  record.insert(record.end(), body.begin(), body.end());
  record.resize(record.size() + 4);
  StoreU32(record.data() + record.size() - 4, static_cast<std::uint32_t>(record.size()));
  ArchiveImage image = generators::Encode(generators::BaseArchive(2));
  image.Append("meta", AsText(record));
  return image;
}

TEST(DumpNamesTest, NamesThatShareTheirBytesTakeNoMoreThanTheRecord) {
  const std::size_t base = Dump(generators::Encode(generators::BaseArchive(2))).text.size();
  for (const bool json : {false, true}) {
    const std::string text = Dump(Tangled(20'000, 20'000), json).text;
    EXPECT_LT(text.size(), base + 20'000 * 150) << "and not 200 MB";
    EXPECT_THAT(text,
                HasSubstr(json ? R"("name_length":20000)" : "... (the first 4096 of 20000 bytes)"));
    EXPECT_THAT(text,
                HasSubstr(json ? R"("name_length":100})" : "... (the first 64 of 100 bytes)"));
  }
}

TEST(DumpNamesTest, ALongNameIsCutWithItsLengthAndFullIsAllOfIt) {
  const ArchiveImage image = Tangled(1, 5000);
  EXPECT_THAT(Dump(image).text, HasSubstr("  0 \"" + std::string(4096, 'x') +
                                          "\"... (the first 4096 of 5000 bytes)\n"));
  EXPECT_THAT(Dump(Tangled(1, 4096)).text, HasSubstr(std::string(4096, 'x') + "\"\n"));
  for (const bool json : {false, true}) {
    archive::MemoryStorage storage;
    image.Store("base", &storage);
    std::ostringstream stream;
    TextBuffer out(stream);
    const auto writer =
        json ? MakeJsonDump(out, {.full = true}) : MakeTextDump(out, {.full = true});
    ASSERT_TRUE(DumpArchive(storage, "base", json ? Quoting::kJson : Quoting::kText, *writer));
    out.Flush();
    EXPECT_THAT(stream.str(), HasSubstr('"' + std::string(5000, 'x') + '"'));
  }
}

TEST(DumpNamesTest, ACharacterIsNotCutApart) {
  NameBudget budget(false, 1'000'000);
  const std::string name = "x" + [] {
    std::string text;
    while (text.size() < 5000) text += "\u00e9";
    return text;
  }();
  EXPECT_EQ(budget.Take(name).size(), 4095U);
  EXPECT_TRUE(budget.cut());
}

TEST(QuoteTest, Base64IsThatOfRfc4648) {
  EXPECT_EQ(Base64(AsBytes("")), "base64:");
  EXPECT_EQ(Base64(AsBytes("f")), "base64:Zg==");
  EXPECT_EQ(Base64(AsBytes("fo")), "base64:Zm8=");
  EXPECT_EQ(Base64(AsBytes("foo")), "base64:Zm9v");
  EXPECT_EQ(Base64(AsBytes("foob")), "base64:Zm9vYg==");
}

}  // namespace
}  // namespace pmproof::validator
