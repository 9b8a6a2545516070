// SPDX-License-Identifier: Apache-2.0
#include "reference/core/bytes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace pmproof {
namespace {

constexpr std::uint8_t kBytes[] = {0xff, 0xfe, 0x01, 0x02, 0x80, 0x00, 0x00, 0x7f};

TEST(Bytes, IntegersAreBigEndian) {  // ARC-001
  EXPECT_EQ(LoadU16(kBytes), 0xfffe);
  EXPECT_EQ(LoadU32(kBytes), 0xfffe0102);
  EXPECT_EQ(LoadU64(kBytes), 0xfffe01028000007f);
}

TEST(Bytes, SignedIntegersAreTwosComplement) {  // ARC-001
  EXPECT_EQ(LoadI32(kBytes), -0x1fefe);
  EXPECT_EQ(LoadI64(kBytes), static_cast<std::int64_t>(0xfffe01028000007f));
}

TEST(Bytes, IntegersNeedNoAlignment) { EXPECT_EQ(LoadU32(kBytes + 1), 0xfe010280); }

RC_GTEST_PROP(Bytes, WhatIsStoredIsLoaded,
              (std::uint16_t u16, std::uint32_t u32, std::uint64_t u64)) {
  std::uint8_t bytes[14];
  StoreU16(bytes, u16);
  StoreU32(bytes + 2, u32);
  StoreU64(bytes + 6, u64);
  RC_ASSERT(LoadU16(bytes) == u16);
  RC_ASSERT(LoadU32(bytes + 2) == u32);
  RC_ASSERT(LoadU64(bytes + 6) == u64);
}

TEST(Bytes, TextEndsAtItsFirstNul) {  // ARC-102
  using std::string_view_literals::operator""sv;
  EXPECT_EQ(UpToNul("ab\0c\0"sv), "ab");
  EXPECT_EQ(UpToNul("abc"), "abc");
  EXPECT_EQ(UpToNul(""), "");
}

}  // namespace
}  // namespace pmproof
