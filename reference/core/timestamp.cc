// SPDX-License-Identifier: Apache-2.0
#include "reference/core/timestamp.h"

#include <array>
#include <charconv>
#include <limits>

namespace pmproof {
namespace {

__extension__ using Int128 = __int128;

constexpr std::int64_t kNanos = 1'000'000'000;
constexpr std::int64_t kDay = 86'400;
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

Int128 TotalNanoseconds(Timestamp time) { return Int128{time.seconds} * kNanos + time.nanoseconds; }

Timestamp FromNanoseconds(Int128 total) {
  Int128 seconds = total / kNanos;
  auto nanoseconds = static_cast<std::int32_t>(total % kNanos);
  if (nanoseconds < 0) {
    nanoseconds += static_cast<std::int32_t>(kNanos);
    --seconds;
  }
  if (seconds > kMax) return {kMax, static_cast<std::int32_t>(kNanos - 1)};
  if (seconds < kMin) return {kMin, 0};
  return {static_cast<std::int64_t>(seconds), nanoseconds};
}

std::string Padded(std::uint64_t number, std::size_t width) {
  std::string digits = std::to_string(number);
  if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
  return digits;
}

// The proleptic Gregorian calendar, with a year 0. std::chrono's ends at the year 32767.
struct Civil {
  std::int64_t year;
  unsigned month;
  unsigned day;
};

// Days are counted from 1970-01-01; an era is 400 years that start on 1 March, so that a leap day
// is the last day of its year.
constexpr std::int64_t kEraDays = 146'097;
constexpr std::int64_t kDaysBefore1970 = 719'468;  // from 0000-03-01

Civil CivilFromDays(std::int64_t days) {
  const std::int64_t shifted = days + kDaysBefore1970;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - (kEraDays - 1)) / kEraDays;
  const std::int64_t day_of_era = shifted - era * kEraDays;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t from_march = (5 * day_of_year + 2) / 153;
  const auto day = static_cast<unsigned>(day_of_year - (153 * from_march + 2) / 5 + 1);
  const auto month = static_cast<unsigned>(from_march < 10 ? from_march + 3 : from_march - 9);
  return {era * 400 + year_of_era + (month <= 2 ? 1 : 0), month, day};
}

Int128 DaysFromCivil(const Civil& civil) {
  const Int128 year = Int128{civil.year} - (civil.month <= 2 ? 1 : 0);
  const Int128 era = (year >= 0 ? year : year - 399) / 400;
  const Int128 year_of_era = year - era * 400;
  const unsigned from_march = civil.month > 2 ? civil.month - 3 : civil.month + 9;
  const unsigned day_of_year = (153 * from_march + 2) / 5 + civil.day - 1;
  const Int128 day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * kEraDays + day_of_era - kDaysBefore1970;
}

bool IsLeapYear(std::int64_t year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

unsigned DaysOfMonth(std::int64_t year, unsigned month) {
  static constexpr unsigned kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && IsLeapYear(year) ? 29 : kDays[month - 1];
}

std::string YearText(std::int64_t year) {
  if (year < 0) return "-" + Padded(-static_cast<std::uint64_t>(year), 4);
  return (year > 9999 ? "+" : "") + Padded(static_cast<std::uint64_t>(year), 4);
}

// Takes what it recognises off the front of a text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool AtEnd() const { return rest_.empty(); }

  bool Take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view Digits() {
    std::size_t size = 0;
    while (size < rest_.size() && rest_[size] >= '0' && rest_[size] <= '9') ++size;
    const std::string_view digits = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return digits;
  }

  // Two digits, low..high.
  std::optional<unsigned> TwoDigits(unsigned low, unsigned high) {
    const std::string_view digits = Digits();
    if (digits.size() != 2) return std::nullopt;
    const auto number = static_cast<unsigned>((digits[0] - '0') * 10 + (digits[1] - '0'));
    if (number < low || number > high) return std::nullopt;
    return number;
  }

  // A dot and one to nine digits as nanoseconds; 0 if there is no dot.
  std::optional<std::int32_t> Fraction() {
    if (!Take('.')) return 0;
    std::string digits(Digits());
    if (digits.empty() || digits.size() > 9) return std::nullopt;
    digits.resize(9, '0');
    return static_cast<std::int32_t>(std::stol(digits));
  }

 private:
  std::string_view rest_;
};

std::optional<std::int64_t> Number(std::string_view digits) {
  if (digits.empty()) return std::nullopt;
  std::int64_t number = 0;
  for (const char c : digits) {
    if (__builtin_mul_overflow(number, 10, &number) ||
        __builtin_add_overflow(number, c - '0', &number)) {
      return std::nullopt;
    }
  }
  return number;
}

std::optional<Timestamp> InRange(Int128 nanoseconds) {
  const Timestamp time = FromNanoseconds(nanoseconds);
  if (TotalNanoseconds(time) != nanoseconds) return std::nullopt;
  return time;
}

// "EPOCH[.FRACTION]", a decimal number of seconds.
std::optional<Timestamp> ParseEpoch(std::string_view text) {
  Scanner scan(text);
  const bool negative = scan.Take('-');
  const auto seconds = Number(scan.Digits());
  const auto fraction = scan.Fraction();
  if (!seconds || !fraction || !scan.AtEnd()) return std::nullopt;
  const Int128 total = Int128{*seconds} * kNanos + *fraction;
  return InRange(negative ? -total : total);
}

// Four digits; or a sign and what YearText() writes for years outside 0000..9999.
std::optional<std::int64_t> ParseYear(Scanner& scan) {
  const bool minus = scan.Take('-');
  const bool plus = !minus && scan.Take('+');
  const std::string_view digits = scan.Digits();
  const auto number = Number(digits);
  if (!number) return std::nullopt;
  const std::int64_t year = minus ? -*number : *number;
  const std::string as_given = (minus ? "-" : plus ? "+" : "") + std::string(digits);
  if (YearText(year) != as_given) return std::nullopt;
  return year;
}

// Seconds east of UTC. Nothing given means UTC.
std::optional<std::int64_t> ParseOffset(Scanner& scan) {
  if (scan.AtEnd() || scan.Take('Z')) return 0;
  const bool west = scan.Take('-');
  if (!west && !scan.Take('+')) return std::nullopt;
  const auto hours = scan.TwoDigits(0, 23);
  const bool colon = scan.Take(':');
  const auto minutes = scan.TwoDigits(0, 59);
  if (!hours || !colon || !minutes) return std::nullopt;
  const std::int64_t offset = std::int64_t{*hours} * 3600 + std::int64_t{*minutes} * 60;
  return west ? -offset : offset;
}

std::optional<Timestamp> ParseIso(std::string_view text) {
  Scanner scan(text);
  const auto year = ParseYear(scan);
  if (!year || !scan.Take('-')) return std::nullopt;
  const auto month = scan.TwoDigits(1, 12);
  if (!month || !scan.Take('-')) return std::nullopt;
  const auto day = scan.TwoDigits(1, DaysOfMonth(*year, *month));
  if (!day) return std::nullopt;
  Int128 seconds = DaysFromCivil({*year, *month, *day}) * kDay;
  if (scan.AtEnd()) return InRange(seconds * kNanos);

  if (!scan.Take('T') && !scan.Take(' ')) return std::nullopt;
  const auto hour = scan.TwoDigits(0, 23);
  if (!hour || !scan.Take(':')) return std::nullopt;
  const auto minute = scan.TwoDigits(0, 59);
  if (!minute || !scan.Take(':')) return std::nullopt;
  const auto second = scan.TwoDigits(0, 59);
  const auto fraction = scan.Fraction();
  if (!second || !fraction) return std::nullopt;
  const auto offset = ParseOffset(scan);
  if (!offset || !scan.AtEnd()) return std::nullopt;
  seconds += Int128{*hour} * 3600 + Int128{*minute} * 60 + *second - *offset;
  return InRange(seconds * kNanos + *fraction);
}

}  // namespace

Timestamp Timestamp::Normalised() const {
  return IsNormalised() ? *this : FromNanoseconds(TotalNanoseconds(*this));
}

Timestamp operator+(Timestamp time, std::int64_t nanoseconds) {
  return FromNanoseconds(TotalNanoseconds(time) + nanoseconds);
}

void AppendEpochText(Timestamp time, std::string* text) {
  if (!time.IsNormalised()) {
    *text += std::to_string(time.seconds) + "." + (time.nanoseconds < 0 ? "" : "+") +
             std::to_string(time.nanoseconds);
    return;
  }
  // The fraction counts up from the seconds; the text is a decimal number.
  const bool counts_down = time.seconds < 0 && time.nanoseconds > 0;
  if (counts_down && time.seconds == -1) *text += '-';
  auto left =
      static_cast<std::uint32_t>(counts_down ? kNanos - time.nanoseconds : time.nanoseconds);
  constexpr std::size_t kFraction = 10;  // the point and nine digits
  std::array<char, 20 + kFraction> digits;
  char* const point = std::to_chars(digits.data(), digits.data() + digits.size() - kFraction,
                                    time.seconds + (counts_down ? 1 : 0))
                          .ptr;
  *point = '.';
  for (std::size_t i = kFraction; --i > 0; left /= 10)
    point[i] = static_cast<char>('0' + left % 10);
  text->append(digits.data(), point + kFraction);
}

std::string ToEpochText(Timestamp time) {
  std::string text;
  AppendEpochText(time, &text);
  return text;
}

std::string ToIsoText(Timestamp time) {
  time = time.Normalised();
  std::int64_t days = time.seconds / kDay;
  std::int64_t of_day = time.seconds % kDay;
  if (of_day < 0) {
    of_day += kDay;
    --days;
  }
  const Civil civil = CivilFromDays(days);
  const auto second = static_cast<std::uint64_t>(of_day);
  return YearText(civil.year) + "-" + Padded(civil.month, 2) + "-" + Padded(civil.day, 2) + "T" +
         Padded(second / 3600, 2) + ":" + Padded(second / 60 % 60, 2) + ":" +
         Padded(second % 60, 2) + "." + Padded(static_cast<std::uint64_t>(time.nanoseconds), 9) +
         "Z";
}

std::optional<Timestamp> ParseTime(std::string_view text) {
  if (text.substr(0, 1) == "@") return ParseEpoch(text.substr(1));
  return ParseIso(text);
}

}  // namespace pmproof
