// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_IDENTIFIERS_H_
#define PMPROOF_REFERENCE_CORE_IDENTIFIERS_H_

#include <compare>
#include <cstdint>
#include <functional>
#include <string>

namespace pmproof {

// A metric identifier (pmID, ARC-006, MET-132): flag bit 31, domain 9 bits, cluster 12, item 10.
struct Pmid {
  std::uint32_t value = 0xffffffff;

  static constexpr Pmid Null() { return Pmid{0xffffffff}; }
  static constexpr Pmid Of(std::uint32_t domain, std::uint32_t cluster, std::uint32_t item) {
    return Pmid{(domain & 0x1ff) << 22 | (cluster & 0xfff) << 10 | (item & 0x3ff)};
  }

  constexpr bool flag() const { return value >> 31 != 0; }
  constexpr std::uint32_t domain() const { return value >> 22 & 0x1ff; }
  constexpr std::uint32_t cluster() const { return value >> 10 & 0xfff; }
  constexpr std::uint32_t item() const { return value & 0x3ff; }
  constexpr bool IsNull() const { return value == 0xffffffff; }

  // NOLINTNEXTLINE(modernize-use-nullptr): the compiler writes the 0
  friend constexpr auto operator<=>(const Pmid&, const Pmid&) = default;
};

// An instance domain identifier (pmInDom, ARC-007, MET-133): flag bit 31, domain 9 bits, serial 22.
struct Indom {
  std::uint32_t value = 0xffffffff;

  static constexpr Indom Null() { return Indom{0xffffffff}; }
  static constexpr Indom Of(std::uint32_t domain, std::uint32_t serial) {
    return Indom{(domain & 0x1ff) << 22 | (serial & 0x3fffff)};
  }

  constexpr bool flag() const { return value >> 31 != 0; }
  constexpr std::uint32_t domain() const { return value >> 22 & 0x1ff; }
  constexpr std::uint32_t serial() const { return value & 0x3fffff; }
  constexpr bool IsNull() const { return value == 0xffffffff; }

  // NOLINTNEXTLINE(modernize-use-nullptr): the compiler writes the 0
  friend constexpr auto operator<=>(const Indom&, const Indom&) = default;
};

// The instance identifier of the only value of a singular metric (PM_IN_NULL, ARC-008).
inline constexpr std::int32_t kInstanceNull = -1;

// "29.0.1"; "PM_ID_NULL"; a dynamic root (domain 511, item 0) as "29.*.*" (MET-132). The flag bit
// is not shown.
std::string ToText(Pmid pmid);

// "29.1"; "PM_INDOM_NULL".
std::string ToText(Indom indom);

}  // namespace pmproof

template <>
struct std::hash<pmproof::Pmid> {
  std::size_t operator()(const pmproof::Pmid& pmid) const noexcept {
    return static_cast<std::size_t>(pmid.value * 0x9e3779b97f4a7c15ULL >> 16);
  }
};

template <>
struct std::hash<pmproof::Indom> {
  std::size_t operator()(const pmproof::Indom& indom) const noexcept {
    return static_cast<std::size_t>(indom.value * 0x9e3779b97f4a7c15ULL >> 16);
  }
};

#endif  // PMPROOF_REFERENCE_CORE_IDENTIFIERS_H_
