// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/emulation/cell.h"

namespace pmproof::replay::emulation {
namespace {

bool IsWord(MetricType type) { return type == MetricType::k32 || type == MetricType::kU32; }

}  // namespace

void Side::SetMark(double at) {
  const bool kept = has_value && value.insitu;
  *this = {at, Bound::Kind::kMark, kept ? value : Value{}, kept, false};
}

void Side::SetValue(double at, const Value& of) {
  *this = {at, Bound::Kind::kValue, of, true, false};
}

bool IsValid(const Cell& cell, const Descriptor& descriptor, double t, Mends mends) {
  const bool lower = cell.lo.kind == Bound::Kind::kValue && cell.lo.time <= t;
  if (descriptor.semantics == Semantics::kDiscrete) {
    const bool at_mark = cell.hi.kind == Bound::Kind::kMark && cell.hi.time == t;
    if (at_mark && mends.Has(Deviation::kValueOfAMark)) return false;
    return lower && cell.birth <= t && !(cell.death >= 0 && t > cell.death);
  }
  return lower && cell.hi.kind == Bound::Kind::kValue && cell.hi.time >= t;
}

CellAnswer ValueOf(const Cell& cell, const Descriptor& descriptor, double t,
                   archive::PcpVersion version, CounterWrap wrap, Mends mends) {
  CellAnswer answer;
  answer.value.instance = cell.instance;
  const auto take = [&](const Side& side, Deviation deviation = Deviation::kNone) {
    const bool word = IsWord(descriptor.type) || cell.lo.value.insitu;
    if (!side.has_value && !word) answer.undefined = Deviation::kValueOfAMark;
    answer.value.value = side.value;
    answer.value.deviation = deviation;
    return answer;
  };
  const bool opaque = NumericSize(descriptor.type) == 0;
  const bool discrete = descriptor.semantics == Semantics::kDiscrete;
  if (opaque) {
    if (cell.lo.time == t || cell.hi.time != t) return take(cell.lo);
    if (cell.hi.kind == Bound::Kind::kMark) return take(cell.lo, Deviation::kValueOfAMark);
    if (mends.Has(Deviation::kOpaqueOfBefore)) return take(cell.hi);
    return take(cell.lo, Deviation::kOpaqueOfBefore);
  }
  if (cell.lo.time == t) return take(cell.lo);
  if (cell.hi.time == t) {
    const bool mark = cell.hi.kind == Bound::Kind::kMark;
    return take(cell.hi, mark ? Deviation::kValueOfAMark : Deviation::kNone);
  }
  if (discrete || descriptor.semantics == Semantics::kInstant) {
    const bool legacy = version == archive::PcpVersion::k6_0_3;
    const bool stale = cell.hi.time < t;
    const bool earlier = legacy || t <= (cell.lo.time + cell.hi.time) / 2 ||
                         (discrete && cell.hi.kind != Bound::Kind::kValue) ||
                         (stale && mends.Has(Deviation::kStaleNextBound));
    if (earlier) return take(cell.lo);
    return take(cell.hi, stale ? Deviation::kStaleNextBound : Deviation::kNone);
  }
  answer.value.value =
      PcpLine({Bound::Kind::kValue, {cell.lo.time, {}, 0}, cell.lo.value},
              {Bound::Kind::kValue, {cell.hi.time, {}, 0}, cell.hi.value}, t, wrap);
  const bool falls = descriptor.type == MetricType::k32 && wrap == CounterWrap::kOn &&
                     cell.hi.value.AsI32() < cell.lo.value.AsI32();
  if (falls) answer.undefined = Deviation::kWrapOf32;
  return answer;
}

}  // namespace pmproof::replay::emulation
