// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/counter_line.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace pmproof::replay {
namespace {

constexpr std::uint64_t kTwo63 = std::uint64_t{1} << 63;

// Values at 0 s and 10 s; what is drawn between them.
template <typename Number>
struct Line {
  Number from;
  Number to;
  CounterWrap wrap = CounterWrap::kOff;

  Value At(double t) const { return PcpLine(Prior(), Next(), t, wrap); }
  Value ExactAt(std::int64_t milliseconds) const {
    return ExactLine(Prior(), Next(), Timestamp{} + milliseconds * 1'000'000, wrap);
  }

 private:
  Bound Prior() const { return {Bound::Kind::kValue, {0, {0, 0}, 0}, Value::Of(from)}; }
  Bound Next() const { return {Bound::Kind::kValue, {10, {10, 0}, 1}, Value::Of(to)}; }
};

using I32 = Line<std::int32_t>;
using U32 = Line<std::uint32_t>;
using I64 = Line<std::int64_t>;
using U64 = Line<std::uint64_t>;

TEST(PcpLine, Of32) {  // INT-602, INT-609
  EXPECT_EQ((I32{-3, -2}.At(5).AsI32()), -2);
  EXPECT_EQ((I32{-10, -5}.At(1).AsI32()), -9);
  EXPECT_EQ((I32{-10, -5}.At(3).AsI32()), -8);
  EXPECT_EQ((I32{-1, 0}.At(2).AsI32()), 0);
  EXPECT_EQ((I32{-1, -2}.At(5).AsI32()), -1);
  EXPECT_EQ((I32{2147483600, -2147483600}.At(2.5).AsI32()), 2147483624);
  EXPECT_EQ((I32{2147483600, -2147483600}.At(5).AsI32()), std::numeric_limits<int>::min());
}

TEST(PcpLine, OfU32) {  // INT-603, INT-609
  EXPECT_EQ((U32{4294967290, 4294967295}.At(9.999999999).AsU32()), 4294967295U);
  EXPECT_EQ((U32{0, 1}.At(4.999999999).AsU32()), 0U);
  EXPECT_EQ((U32{0, 1}.At(5).AsU32()), 1U);
  EXPECT_EQ((U32{10, 5}.At(5).AsU32()), 8U);
  EXPECT_EQ((U32{4294967200, 4}.At(2.5).AsU32()), 3221225401U);
  EXPECT_EQ((U32{4294967200, 4}.At(5).AsU32()), 2147483602U);
}

TEST(PcpLine, Of64KeepsOnly53Bits) {  // INT-604, INT-609
  EXPECT_EQ((I64{9007199254740993, 9007199254740993}.At(5).AsI64()), 9007199254740992);
  EXPECT_EQ((I64{9223372036854775802, 9223372036854775806}.At(5).AsI64()),
            std::numeric_limits<std::int64_t>::min());
}

TEST(PcpLine, OfU64) {  // INT-605, INT-609
  EXPECT_EQ((U64{18446744073709551516U, 100}.At(2.5).AsU64()), 18446744073709551567U);
  EXPECT_EQ((U64{18446744073709551516U, 100}.At(7.5).AsU64()), 50U);
  EXPECT_EQ((U64{18446744073709550616U, 18446744073709550716U}.At(5).AsU64()),
            18446744073709550667U);
  EXPECT_EQ((U64{0, std::numeric_limits<std::uint64_t>::max()}.At(5).AsU64()), 0U);
  EXPECT_EQ((U64{kTwo63 - 2, kTwo63 + 2}.At(5).AsU64()), kTwo63);
}

TEST(PcpLine, OfFloatAndDouble) {  // INT-606, INT-607, INT-610
  EXPECT_EQ((Line<float>{0.1F, 0.2F}.At(3).AsFloat()), 0.12999999523162842F);
  EXPECT_EQ((Line<float>{16777216.0F, 16777217.0F}.At(5).AsFloat()), 16777216.0F);
  EXPECT_EQ((Line<float>{3e38F, -3e38F}.At(5).AsFloat()), -std::numeric_limits<float>::infinity());
  EXPECT_EQ((Line<double>{0.1, 0.2}.At(3).AsDouble()), 0.13);
  EXPECT_EQ((Line<double>{1e308, -1e308}.At(5).AsDouble()),
            -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(
      std::isnan(Line<double>{std::numeric_limits<double>::infinity(), 1.0}.At(5).AsDouble()));
  EXPECT_FALSE(std::signbit(Line<double>{-0.0, -0.0}.At(5).AsDouble()));
}

TEST(PcpLine, OfAResetRunsDownhill) {  // INT-801
  const std::uint32_t u32[] = {753, 505, 258};
  const double t[] = {2.5, 5, 7.5};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ((U32{1000, 10}.At(t[i]).AsU32()), u32[i]);
    EXPECT_EQ((I64{1000, 10, CounterWrap::kOn}.At(t[i]).AsI64()), std::int64_t{u32[i]});  // INT-805
  }
  EXPECT_EQ((Line<double>{1000, 10, CounterWrap::kOn}.At(2.5).AsDouble()), 752.5);  // INT-807
}

TEST(PcpLine, WithWrapGoesRoundTheCorner) {  // INT-803, INT-804, INT-806, INT-808
  const auto on = CounterWrap::kOn;
  EXPECT_EQ((U32{4294967200, 4, on}.At(2.5).AsU32()), 4294967225U);
  EXPECT_EQ((U32{4294967200, 4, on}.At(5).AsU32()), 4294967250U);
  EXPECT_EQ((U32{1000, 10, on}.At(2.5).AsU32()), 1073742577U);
  EXPECT_EQ((U32{1000, 10, on}.At(5).AsU32()), 2147484153U);
  EXPECT_EQ((U32{1000, 10, on}.At(7.5).AsU32()), 3221225730U);
  EXPECT_EQ((I32{1000, 10, on}.At(2.5).AsI32()), -247);
  EXPECT_EQ((I32{1000, 10, on}.At(5).AsI32()), -494);
  EXPECT_EQ((U64{1000, 10, on}.At(2.5).AsU64()), 4611686018427388928U);
  EXPECT_EQ((U64{1000, 10, on}.At(5).AsU64()), 9223372036854775808U);
  EXPECT_EQ((U64{1000, 10, on}.At(7.5).AsU64()), 13835058055282163712U);
}

TEST(ExactLine, RoundsHalfAwayFromTheEarlierValue) {  // INT-611
  EXPECT_EQ((I64{9007199254740993, 9007199254740993}.ExactAt(5000).AsI64()), 9007199254740993);
  EXPECT_EQ((I64{9223372036854775802, 9223372036854775806}.ExactAt(5000).AsI64()),
            9223372036854775804);
  EXPECT_EQ((I32{-3, -2}.ExactAt(5000).AsI32()), -2);
  EXPECT_EQ((I32{-1, 0}.ExactAt(2000).AsI32()), -1);
  EXPECT_EQ((U32{10, 5}.ExactAt(5000).AsU32()), 7U);
  EXPECT_EQ((U64{18446744073709550616U, 18446744073709550716U}.ExactAt(5000).AsU64()),
            18446744073709550666U);
  EXPECT_EQ((Line<double>{0.1, 0.2}.ExactAt(3000).AsDouble()), 0.13);
}

TEST(ExactLine, EndsWhereTimesOfMoreThan63BitsAreInNoOrder) {  // INT-201, INT-611
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  const Bound prior{Bound::Kind::kValue, {0, {kMost, 0}, 0}, Value::Of(std::int64_t{1})};
  const Bound next{Bound::Kind::kValue, {10, {10 - kMost, 0}, 1}, Value::Of(std::int64_t{2})};
  EXPECT_EQ(ExactLine(prior, next, {kMost, 5}, CounterWrap::kOff).AsI64(), 2);
  EXPECT_EQ(ExactLine(prior, next, {-kMost, 5}, CounterWrap::kOff).AsI64(), 1);
}

TEST(ExactLine, WithWrapIsModular) {  // INT-804, INT-1205
  const auto on = CounterWrap::kOn;
  EXPECT_EQ((I32{1000, 10, on}.ExactAt(5000).AsI32()), -2147483143);
  EXPECT_EQ((U32{4294967200, 4, on}.ExactAt(5000).AsU32()), 4294967250U);
  EXPECT_EQ((U64{18446744073709551516U, 100, on}.ExactAt(2500).AsU64()), 18446744073709551566U);
  EXPECT_EQ(
      (I64{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min(), on}
           .ExactAt(5000)
           .AsI64()),
      std::numeric_limits<std::int64_t>::min());
}

}  // namespace
}  // namespace pmproof::replay
