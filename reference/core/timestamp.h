// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_TIMESTAMP_H_
#define PMPROOF_REFERENCE_CORE_TIMESTAMP_H_

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace pmproof {

// A point in time: seconds since 1970-01-01 UTC (64 bits: beyond 2038 and 2106, ARC-504) and
// nanoseconds. As decoded from an archive the nanoseconds are not range-checked (ARC-003: rule
// ARC-1718 reports it), so compare times after Normalised() where that matters.
struct Timestamp {
  std::int64_t seconds = 0;
  std::int32_t nanoseconds = 0;

  bool IsNormalised() const { return nanoseconds >= 0 && nanoseconds < 1'000'000'000; }

  // The same point with nanoseconds in 0..999999999; seconds saturate at the limits of 64 bits.
  Timestamp Normalised() const;

  friend bool operator==(const Timestamp&, const Timestamp&) = default;
  // Several times for each record of an archive: compilers call the one that they make themselves.
  [[gnu::always_inline]] friend constexpr std::strong_ordering operator<=>(const Timestamp& a,
                                                                           const Timestamp& b) {
    return a.seconds != b.seconds ? a.seconds <=> b.seconds : a.nanoseconds <=> b.nanoseconds;
  }
};

// `time` plus a number of nanoseconds, normalised, saturating.
Timestamp operator+(Timestamp time, std::int64_t nanoseconds);

// later - earlier in nanoseconds, saturating at the limits of 64 bits (about 292 years). Inline,
// for it is asked for each record of an archive.
inline std::int64_t NanosecondsBetween(Timestamp earlier, Timestamp later) {
  __extension__ using Wide = __int128;
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  const Wide difference = (Wide{later.seconds} - earlier.seconds) * 1'000'000'000 +
                          (std::int64_t{later.nanoseconds} - earlier.nanoseconds);
  if (difference > kMax) return kMax;
  if (difference < kMin) return kMin;
  return static_cast<std::int64_t>(difference);
}

// "1700000000.500000000": a decimal number of seconds with nine digits after the dot (half a second
// before 1970: "-0.500000000"). Not normalised times are shown as stored, the seconds, a dot and
// the nanoseconds with their sign: "5.+2000000000", "5.-1".
std::string ToEpochText(Timestamp time);
void AppendEpochText(Timestamp time, std::string* text);

// "2023-11-14T22:13:20.500000000Z"; years outside 0000..9999 are written with a sign and all
// digits.
std::string ToIsoText(Timestamp time);

// "@EPOCH[.FRACTION]" or ISO 8601 in UTC ("2023-11-14T22:13:20[.5][Z]", "2023-11-14", a blank for
// the T); offsets from UTC are taken (+01:00). Fractions have one to nine digits. Whatever
// ToIsoText and
// "@" + ToEpochText write for normalised times is read. Nothing if the text is neither, names no
// day of the calendar, or is out of range.
std::optional<Timestamp> ParseTime(std::string_view text);

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_TIMESTAMP_H_
