// SPDX-License-Identifier: Apache-2.0
#include "reference/core/extract_value.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace pmproof {
namespace {

constexpr auto kV72 = PcpVersion::k7_2;
constexpr double kTwo31 = 0x1p31;
constexpr double kTwo63 = 0x1p63;
constexpr double kTwo64 = 0x1p64;

// The value as "TYPE" would be: bits of the result, or the name of the error.
std::string Converted(const Value& value, MetricType to) {
  const auto converted = ConvertNumber(value, to);
  if (!converted) return ToText(converted.error()).substr(7);
  EXPECT_EQ(converted->type, to);
  switch (to) {
    case MetricType::k32:
      return std::to_string(converted->AsI32());
    case MetricType::kU32:
      return std::to_string(converted->AsU32());
    case MetricType::k64:
      return std::to_string(converted->AsI64());
    case MetricType::kU64:
      return std::to_string(converted->AsU64());
    case MetricType::kFloat:
      return std::to_string(converted->AsFloat());
    case MetricType::kNoSupport:
    case MetricType::kDouble:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  return std::to_string(converted->AsDouble());
}

struct Row {
  Value value;
  const char* to_32;
  const char* to_u32;
  const char* to_64;
  const char* to_u64;
};

template <typename Number>
Value V(Number number) {
  return Value::Of(number);
}

TEST(ConvertNumber, FollowsTheTable) {  // MET-401..406, MET-411
  const std::vector<Row> rows = {
      {V(std::int32_t{-5}), "-5", "SIGN", "-5", "SIGN"},
      {V(std::int32_t{2147483647}), "2147483647", "2147483647", "2147483647", "2147483647"},
      {V(std::uint32_t{2147483648U}), "TRUNC", "2147483648", "2147483648", "2147483648"},
      {V(std::int64_t{2147483648}), "TRUNC", "2147483648", "2147483648", "2147483648"},
      {V(std::int64_t{4294967296}), "TRUNC", "TRUNC", "4294967296", "4294967296"},
      {V(std::int64_t{-2147483648}), "-2147483648", "SIGN", "-2147483648", "SIGN"},
      {V(std::int64_t{-2147483649}), "2147483647", "SIGN", "-2147483649", "SIGN"},
      {V(std::uint64_t{9223372036854775808U}), "TRUNC", "TRUNC", "TRUNC", "9223372036854775808"},
      {V(std::uint64_t{4294967295U}), "TRUNC", "4294967295", "4294967295", "4294967295"},
      {V(-0.5), "0", "SIGN", "0", "SIGN"},
      {V(-0.5F), "0", "SIGN", "0", "SIGN"},
      {V(2.9), "2", "2", "2", "2"},
      {V(-2.9), "-2", "SIGN", "-2", "SIGN"},
      {V(2147483646.9), "2147483646", "2147483646", "2147483646", "2147483646"},
      {V(2147483647.0), "TRUNC", "2147483647", "2147483647", "2147483647"},
      {V(-2147483647.0), "TRUNC", "SIGN", "-2147483647", "SIGN"},
      {V(4294967294.9), "TRUNC", "4294967294", "4294967294", "4294967294"},
      {V(4294967295.0), "TRUNC", "TRUNC", "4294967295", "4294967295"},
      {V(static_cast<float>(kTwo31)), "TRUNC", "2147483648", "2147483648", "2147483648"},
      {V(static_cast<float>(-kTwo31)), "TRUNC", "SIGN", "-2147483648", "SIGN"},
      {V(2147483520.0F), "2147483520", "2147483520", "2147483520", "2147483520"},
      {V(static_cast<float>(2 * kTwo31)), "TRUNC", "TRUNC", "4294967296", "4294967296"},
      {V(kTwo63), "TRUNC", "TRUNC", "TRUNC", "9223372036854775808"},
      {V(-kTwo63), "TRUNC", "SIGN", "-9223372036854775808", "SIGN"},
      {V(kTwo64), "TRUNC", "TRUNC", "TRUNC", "TRUNC"},
      {V(std::numeric_limits<double>::infinity()), "TRUNC", "TRUNC", "TRUNC", "TRUNC"},
      {V(std::nan("")), "TRUNC", "TRUNC", "TRUNC", "TRUNC"},
      {V(-1e30), "TRUNC", "SIGN", "TRUNC", "SIGN"},
  };
  for (const Row& row : rows) {
    const std::string what = Converted(row.value, MetricType::kDouble);
    EXPECT_EQ(Converted(row.value, MetricType::k32), row.to_32) << what;
    EXPECT_EQ(Converted(row.value, MetricType::kU32), row.to_u32) << what;
    EXPECT_EQ(Converted(row.value, MetricType::k64), row.to_64) << what;
    EXPECT_EQ(Converted(row.value, MetricType::kU64), row.to_u64) << what;
  }
}

TEST(ConvertNumber, RoundsIntoFloats) {  // MET-401..406
  EXPECT_EQ(ConvertNumber(V(std::int32_t{16777217}), MetricType::kFloat)->AsFloat(), 16777216.0F);
  EXPECT_EQ(ConvertNumber(V(std::int32_t{16777217}), MetricType::kDouble)->AsDouble(), 16777217.0);
  EXPECT_EQ(ConvertNumber(V(std::uint64_t{1} << 63), MetricType::kDouble)->AsDouble(), kTwo63);
  EXPECT_EQ(ConvertNumber(V(0.1), MetricType::kFloat)->AsFloat(), 0.1F);
  EXPECT_EQ(ConvertNumber(V(0.1F), MetricType::kDouble)->AsDouble(), double{0.1F});
}

TEST(ConvertNumber, IsForNumbersAlone) {  // MET-409
  for (const auto type : {MetricType::kString, MetricType::kAggregate, MetricType::kEvent,
                          MetricType::kNoSupport, MetricType::kUnknown}) {
    EXPECT_EQ(ConvertNumber(V(1.0), type).error(), ErrorCode::kConversion);
    EXPECT_EQ(ConvertNumber(V(std::int32_t{1}), type).error(), ErrorCode::kConversion);
    EXPECT_EQ(ConvertNumber(Value{type, false, 0, {}}, MetricType::k32).error(),
              ErrorCode::kConversion);
  }
}

RC_GTEST_PROP(ConvertNumber, LosesNothingOfAnIntegerThatFits, (std::int64_t number)) {
  for (const auto to : {MetricType::k32, MetricType::kU32, MetricType::k64, MetricType::kU64}) {
    const auto there = ConvertNumber(V(number), to);
    if (!there) continue;
    const auto back = ConvertNumber(*there, MetricType::k64);
    // MET-403: the one loss that nobody is told of.
    const bool wraps = to == MetricType::k32 && number < -2147483648LL;
    RC_ASSERT(wraps || back->AsI64() == number);
  }
}

StoredValue InPlace(std::uint32_t word) { return {ValueFormat::kInPlace, word}; }
StoredValue Block(MetricType type, std::string_view payload,
                  ValueFormat format = ValueFormat::kPointer) {
  return {format, 0, type, AsBytes(payload)};
}

ErrorCode Refusal(const StoredValue& stored, MetricType from, MetricType to,
                  PcpVersion version = kV72) {
  const auto atom = ExtractValue(stored, from, to, version);
  return atom ? ErrorCode::kOk : atom.error();
}

const std::string_view kOneAndAHalf("\x3f\xf8\0\0\0\0\0\0", 8);

TEST(ExtractValue, FromThePlaceItsTypeAsksFor) {  // MET-301, MET-302, MET-412
  const auto d = MetricType::kDouble;
  EXPECT_EQ(ExtractValue(Block(d, kOneAndAHalf), d, d, kV72)->number.AsDouble(), 1.5);
  EXPECT_EQ(ExtractValue(Block(d, kOneAndAHalf, ValueFormat::kStaticPointer), d, d, kV72)
                ->number.AsDouble(),
            1.5);
  EXPECT_EQ(ExtractValue(InPlace(0x3fc00000), MetricType::kFloat, d, kV72)->number.AsDouble(), 1.5);
  EXPECT_EQ(ExtractValue(Block(MetricType::kFloat, kOneAndAHalf.substr(0, 4)), MetricType::kFloat,
                         MetricType::kFloat, kV72)
                ->number.bits,
            0x3ff80000U);
  for (const auto type :
       {MetricType::k64, MetricType::kU64, d, MetricType::kString, MetricType::kAggregate}) {
    EXPECT_EQ(Refusal(InPlace(1), type, type), ErrorCode::kConversion);
  }
  for (const auto type : {MetricType::k32, MetricType::kU32}) {
    EXPECT_EQ(Refusal(Block(type, "abcd"), type, type), ErrorCode::kConversion);
  }
  EXPECT_EQ(Refusal({static_cast<ValueFormat>(3), 0, d, AsBytes(kOneAndAHalf)}, d, d),
            ErrorCode::kConversion);
}

TEST(ExtractValue, OfABlockThatSaysWhatItIs) {  // MET-302, MET-412
  const auto d = MetricType::kDouble;
  EXPECT_EQ(Refusal(Block(MetricType::k32, kOneAndAHalf), d, d), ErrorCode::kOk);  // 0: unsaid
  EXPECT_EQ(Refusal(Block(MetricType::kFloat, kOneAndAHalf), d, d), ErrorCode::kConversion);
  EXPECT_EQ(Refusal(Block(d, kOneAndAHalf.substr(4)), d, d), ErrorCode::kConversion);
  EXPECT_EQ(Refusal(Block(MetricType::kFloat, kOneAndAHalf), MetricType::kFloat, d),
            ErrorCode::kConversion);
  EXPECT_EQ(Refusal(Block(MetricType::kU64, kOneAndAHalf), MetricType::kU64, MetricType::k32),
            ErrorCode::kTruncation);
}

TEST(ExtractValue, AnUnknownWordIsA32) {  // MET-401
  EXPECT_EQ(ExtractValue(InPlace(0xfffffffb), MetricType::kUnknown, MetricType::k64, kV72)
                ->number.AsI64(),
            -5);
}

TEST(ExtractValue, NumbersAsStrings) {  // MET-410
  const auto text = [](const StoredValue& stored, MetricType from) {
    return ExtractValue(stored, from, MetricType::kString, kV72)->bytes;
  };
  EXPECT_EQ(text(InPlace(0xfffffffb), MetricType::k32), "-5");
  EXPECT_EQ(text(InPlace(0xfffffffb), MetricType::kU32), "4294967291");
  EXPECT_EQ(text(InPlace(0x3dcccccd), MetricType::kFloat), "0.1000000014901161");
  EXPECT_EQ(text(Block(MetricType::kDouble, kOneAndAHalf), MetricType::kDouble), "1.5");
  EXPECT_EQ(text(Block(MetricType::k64, std::string(8, '\xff')), MetricType::k64), "-1");
  EXPECT_EQ(text(Block(MetricType::kU64, std::string(8, '\xff')), MetricType::kU64),
            "18446744073709551615");
  for (const auto version : {PcpVersion::k6_0_3, PcpVersion::k6_3_8}) {
    EXPECT_EQ(Refusal(InPlace(5), MetricType::k32, MetricType::kString, version),
              ErrorCode::kConversion);
  }
}

TEST(ExtractValue, BytesAsThemselvesAlone) {  // MET-407..409
  const std::string_view bytes("a\0b", 3);
  EXPECT_EQ(ExtractValue(Block(MetricType::kString, bytes), MetricType::kString,
                         MetricType::kString, kV72)
                ->bytes,
            bytes);
  EXPECT_EQ(ExtractValue(Block(MetricType::kAggregate, bytes), MetricType::kAggregate,
                         MetricType::kAggregate, kV72)
                ->bytes,
            bytes);
  for (int from = -1; from <= 12; ++from) {
    for (int to = -1; to <= 12; ++to) {
      const bool numbers = from >= 0 && from <= 5;
      const bool same = from == to && (from == 6 || from == 7);
      if (numbers || same) continue;
      const auto type = static_cast<MetricType>(from);
      EXPECT_EQ(Refusal(Block(type, "abcdefgh"), type, static_cast<MetricType>(to)),
                ErrorCode::kConversion)
          << from << " as " << to;
    }
  }
}

}  // namespace
}  // namespace pmproof
