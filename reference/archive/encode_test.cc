// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/encode.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "generators/archive_image.h"
#include "reference/core/bytes.h"

namespace pmproof::archive {
namespace {

std::string Hex(const Buffer& bytes, std::size_t begin, std::size_t size) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = begin; i < begin + size && i < bytes.size(); ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

// `expected` may have blanks.
void ExpectBytes(const Buffer& bytes, std::size_t begin, std::string_view expected) {
  std::string digits;
  for (const char c : expected) {
    if (c != ' ' && c != '\n') digits += c;
  }
  EXPECT_EQ(Hex(bytes, begin, digits.size() / 2), digits) << "at " << begin;
}

TEST(EncodeTest, TheWorkedExampleOfVersion2ComesOutByteForByte) {  // ARC-680
  const generators::ArchiveImage image = generators::Encode(generators::WorkedExample(2));
  const Buffer& data = image.files.at("0");
  const Buffer& meta = image.files.at("meta");
  const Buffer& index = image.files.at("index");
  EXPECT_EQ(meta.size(), 552U);
  EXPECT_EQ(data.size(), 424U);
  EXPECT_EQ(index.size(), 172U);
  ExpectBytes(data, 0, "00000084 50052602 000004d2 6553f100 0007a120 00000000 68000000");
  ExpectBytes(data, 132,
              "00000088 6553f100 0007a120 00000005"
              "07400001 00000001 00000000 ffffffff 00000007"
              "07400002 00000001 00000001 ffffffff 0000001b"
              "07400003 00000002 00000001 00000000 0000001d 00000001 00000020"
              "0740000a ffffcfc2 0740000b 00000000"
              "06000007 6869007e 0300000c 00000000 00000005 0300000c 00000100 00000000 00000088");
  ExpectBytes(data, 404, "00000014 6553f101 0007a508 00000000 00000014");
  ExpectBytes(meta, 132,
              "0000002d 00000001 07400001 00000001 ffffffff 00000003 00000000 00000001 00000005 "
              "6d2e6f6e65 0000002d");
  ExpectBytes(meta, 222,
              "00000034 00000001 07400003 00000003 07400001 00000001 10010000 00000002 00000004 "
              "6d2e696e 00000004 6e2e696e 00000034");
  ExpectBytes(meta, 363,
              "00000031 00000002 6553f100 0007a120 07400001 00000002 00000000 00000001 00000000 "
              "00000002 6100 626300 00000031");
  ExpectBytes(meta, 412,
              "00000044 00000003 6553f100 0007a120 00000001 ffffffff 00000001 ffffffff 00000010"
              "7b22686f73746e616d65223a2268227d 00000001 00020801 000c0003 00000044");
  ExpectBytes(meta, 480, "00000018 00000004 00000005 07400001 6f6e6500 00000018");
  ExpectBytes(
      index, 132,
      "6553f100 0007a120 00000000 00000084 00000084 6553f101 0007a120 00000000 000001f8 0000010c");
}

TEST(EncodeTest, TheWorkedExampleOfVersion3ComesOutByteForByte) {  // ARC-681
  const generators::ArchiveImage image = generators::Encode(generators::WorkedExample(3));
  const Buffer& data = image.files.at("0");
  const Buffer& meta = image.files.at("meta");
  const Buffer& index = image.files.at("index");
  EXPECT_EQ(meta.size(), 1238U);
  EXPECT_EQ(data.size(), 1112U);
  EXPECT_EQ(index.size(), 872U);
  ExpectBytes(
      data, 0,
      "00000328 50052603 000004d2 6553f100 00000000 1dcd6500 00000000 00000000 00000000 68000000");
  ExpectBytes(data, 808, "0000008c 6553f100 00000000 1dcd6500 00000005");
  ExpectBytes(data, 1088, "00000018 6553f101 00000000 1ddca740 00000000 00000018");
  ExpectBytes(meta, 1039,
              "00000035 00000005 6553f100 00000000 1dcd6500 07400001 00000002 00000000 00000001 "
              "00000000 00000002 6100 626300 00000035");
  ExpectBytes(meta, 1188,
              "00000032 00000006 6553f101 00000000 1dcd6500 07400001 00000002 00000001 00000002 "
              "ffffffff 00000000 6400 00000032");
  ExpectBytes(index, 808,
              "6553f100 00000000 1dcd6500 00000000 00000000 00000328 00000000 00000328");
  ExpectBytes(index, 840,
              "6553f101 00000000 1dcd6500 00000000 00000000 000004a4 00000000 000003b4");
}

TEST(EncodeTest, TheBaseArchiveHasTheSizesOfTheSpecification) {  // ARC-1000
  const generators::ArchiveImage v2 = generators::Encode(generators::BaseArchive(2));
  EXPECT_EQ(v2.files.at("meta").size(), 920U);
  EXPECT_EQ(v2.files.at("0").size(), 2292U);
  EXPECT_EQ(v2.files.at("index").size(), 192U);
  const generators::ArchiveImage v3 = generators::Encode(generators::BaseArchive(3));
  EXPECT_EQ(v3.files.at("meta").size(), 1610U);
  EXPECT_EQ(v3.files.at("0").size(), 2992U);
  EXPECT_EQ(v3.files.at("index").size(), 904U);
}

TEST(EncodeTest, SecondsBeyond32BitsHaveTheirLowWordFirst) {  // ARC-004
  Buffer bytes;
  AppendIndexEntry({{5'000'000'000, 0}, 0, 0, 0}, 3, &bytes);
  ExpectBytes(bytes, 0, "2a05f200 00000001 00000000");
}

}  // namespace
}  // namespace pmproof::archive
