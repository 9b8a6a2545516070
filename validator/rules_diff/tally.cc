// SPDX-License-Identifier: Apache-2.0
#include "validator/rules_diff/tally.h"

#include <algorithm>
#include <cmath>

namespace pmproof::validator {
namespace {

// Wide enough for the difference of any two integers of 64 bits.
__extension__ using Wide = __int128;

Wide AsInteger(const Value& value) {
  if (value.type == MetricType::k32) return value.AsI32();
  if (value.type == MetricType::kU32) return value.AsU32();
  if (value.type == MetricType::k64) return value.AsI64();
  return value.AsU64();
}

Distance Between(long double absolute, long double larger) {
  return {absolute, larger > 0 ? absolute / larger : 0};
}

}  // namespace

std::optional<Distance> DistanceOf(const Value& a, const Value& b) {
  if (!IsNumeric(a.type)) return std::nullopt;
  if (IsInteger(a.type)) {
    const Wide x = AsInteger(a);
    const Wide y = AsInteger(b);
    const Wide larger = std::max(x < 0 ? -x : x, y < 0 ? -y : y);
    return Between(static_cast<long double>(x < y ? y - x : x - y),
                   static_cast<long double>(larger));
  }
  const double x = a.type == MetricType::kFloat ? a.AsFloat() : a.AsDouble();
  const double y = a.type == MetricType::kFloat ? b.AsFloat() : b.AsDouble();
  if (!std::isfinite(x) || !std::isfinite(y)) return std::nullopt;
  return Between(std::abs(static_cast<long double>(x) - y), std::max(std::abs(x), std::abs(y)));
}

bool SameContent(const Value& a, const Value& b) {
  return a.bits == b.bits && std::ranges::equal(a.opaque, b.opaque);
}

Distance Tally::Mean() const {
  if (measured == 0) return {};
  const auto count = static_cast<long double>(measured);
  return {sum.absolute / count, sum.relative / count};
}

void Tally::Add(Difference difference, const std::optional<Distance>& distance) {
  switch (difference) {
    case Difference::kNumber:
      ++numbers;
      break;
    case Difference::kContent:
      ++contents;
      break;
    case Difference::kBaselineOnly:
      ++baseline_only;
      break;
    case Difference::kCandidateOnly:
      ++candidate_only;
      break;
    case Difference::kError:
      ++errors;
      break;
  }
  if (!distance) return;
  ++measured;
  largest.absolute = std::max(largest.absolute, distance->absolute);
  largest.relative = std::max(largest.relative, distance->relative);
  sum.absolute += distance->absolute;
  sum.relative += distance->relative;
}

Tally& Tally::operator+=(const Tally& other) {
  compared += other.compared;
  numbers += other.numbers;
  contents += other.contents;
  baseline_only += other.baseline_only;
  candidate_only += other.candidate_only;
  errors += other.errors;
  measured += other.measured;
  largest.absolute = std::max(largest.absolute, other.largest.absolute);
  largest.relative = std::max(largest.relative, other.largest.relative);
  sum.absolute += other.sum.absolute;
  sum.relative += other.sum.relative;
  return *this;
}

}  // namespace pmproof::validator
