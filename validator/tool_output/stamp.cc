// SPDX-License-Identifier: Apache-2.0
#include "validator/tool_output/stamp.h"

#include <array>
#include <string_view>

namespace pmproof::validator::tool_output {
namespace {

constexpr std::int64_t kDay = 86'400;
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<std::string_view, 7> kWeekdays = {"Sun", "Mon", "Tue", "Wed",
                                                       "Thu", "Fri", "Sat"};

struct Date {
  std::uint32_t month = 0;
  std::uint32_t day = 0;
};

// `Ddd Mmm dd `, the day in two columns.
std::optional<Date> TakeDate(Scan* scan) {
  Scan ahead = *scan;
  bool weekday = false;
  for (const std::string_view name : kWeekdays) weekday = weekday || ahead.Take(name);
  if (!weekday || !ahead.Take(" ")) return std::nullopt;
  Date date;
  for (std::uint32_t month = 0; month < kMonths.size() && date.month == 0; ++month) {
    if (ahead.Take(kMonths[month])) date.month = month + 1;
  }
  if (date.month == 0 || !ahead.Take(" ")) return std::nullopt;
  const auto day = ahead.TakeDigits(ahead.Take(" ") ? 1 : 2);
  if (!day || !ahead.Take(" ")) return std::nullopt;
  date.day = *day;
  *scan = ahead;
  return date;
}

std::string Two(std::uint32_t number) {
  return {static_cast<char>('0' + number / 10 % 10), static_cast<char>('0' + number % 10)};
}

std::string Fraction(const Stamp& stamp) {
  if (stamp.digits == 0) return "";
  std::string digits = std::to_string(stamp.nanoseconds);
  digits.insert(0, 9 - digits.size(), '0');
  return "." + digits.substr(0, stamp.digits);
}

// OUT-222: a point, then 1 and as many noughts as the second has digits; the number of them. A
// value may touch a stamp of `digits`, but no number has a digit after its leading nought.
std::optional<unsigned> TakeCarry(Scan* scan, std::optional<unsigned> digits) {
  static constexpr std::array<std::string_view, 3> kCarries = {".1000000000", ".1000000", ".1000"};
  for (const std::string_view carry : kCarries) {
    const auto count = static_cast<unsigned>(carry.size() - 2);
    Scan ahead = *scan;
    if ((digits && count != *digits) || !ahead.Take(carry)) continue;
    const char next = ahead.AtEnd() ? ' ' : ahead.rest().front();
    const bool digit = next >= '0' && next <= '9';
    if (digits ? !digit && std::string_view(" -\"[").find(next) == std::string_view::npos : digit) {
      return std::nullopt;
    }
    *scan = ahead;
    return count;
  }
  return std::nullopt;
}

// After a year: ` (OFFSET)` and ` EPOCH`.
void TakeOffset(Scan* scan, Stamp* stamp) {
  Scan ahead = *scan;
  if (!ahead.Take(" (") || !ahead.TakeUntil(")")) return;
  *scan = ahead;
  if (!ahead.Take(" ")) return;
  const auto epoch = ahead.TakeNumber<std::int64_t>();
  // What follows a stamp begins with a number too: ` 3 metrics`.
  if (!epoch || !(ahead.AtEnd() || ahead.rest()[0] == ' ' || ahead.rest()[0] == '\t')) return;
  const bool count = ahead.rest().starts_with(" metric") || ahead.rest().starts_with(" instance");
  if (count) return;
  stamp->epoch = epoch;
  stamp->utc = true;
  *scan = ahead;
}

}  // namespace

std::optional<Stamp> TakeClock(Scan* scan, std::optional<unsigned> digits) {
  Scan ahead = *scan;
  const auto hour = ahead.TakeDigits(2);
  if (!hour || *hour > 23 || !ahead.Take(":")) return std::nullopt;
  const auto minute = ahead.TakeDigits(2);
  if (!minute || *minute > 59 || !ahead.Take(":")) return std::nullopt;
  const auto second = ahead.TakeDigits(2);
  if (!second || *second > 59) return std::nullopt;
  Stamp stamp;
  stamp.second_of_day = static_cast<std::int32_t>(*hour * 3600 + *minute * 60 + *second);
  if (const auto carry = TakeCarry(&ahead, digits)) {
    stamp.digits = *carry;
    ++stamp.second_of_day;
  } else if (Scan fraction = ahead; digits != 0U && fraction.Take(".")) {
    std::size_t count = 0;
    while (count < fraction.rest().size() && fraction.rest()[count] >= '0' &&
           fraction.rest()[count] <= '9') {
      ++count;
    }
    if (digits) count = std::min<std::size_t>(count, *digits);
    if (count != 3 && count != 6 && count != 9) return std::nullopt;
    stamp.digits = static_cast<unsigned>(count);
    stamp.nanoseconds = static_cast<std::int32_t>(*fraction.TakeDigits(count));
    for (std::size_t place = count; place < 9; ++place) stamp.nanoseconds *= 10;
    ahead = fraction;
  }
  if (digits && stamp.digits != *digits) return std::nullopt;
  *scan = ahead;
  return stamp;
}

std::optional<Stamp> TakeStamp(Scan* scan, std::optional<unsigned> digits) {
  Scan ahead = *scan;
  const std::optional<Date> date = TakeDate(&ahead);
  std::optional<Stamp> stamp = TakeClock(&ahead, date ? std::nullopt : digits);
  if (!stamp) return std::nullopt;
  if (date) {
    if (!ahead.Take(" ")) return std::nullopt;
    const auto year = ahead.TakeDigits(4);
    if (!year) return std::nullopt;
    const std::string year_text = Two(*year / 100) + Two(*year % 100);
    const auto midnight = ParseTime(year_text + "-" + Two(date->month) + "-" + Two(date->day));
    if (!midnight) return std::nullopt;
    stamp->epoch = midnight->seconds + stamp->second_of_day;
    TakeOffset(&ahead, &*stamp);
  }
  *scan = ahead;
  return stamp;
}

std::string StampText(const Stamp& stamp) {
  if (!stamp.epoch) return ClockTextOf(stamp);
  const std::string whole = ToEpochText({*stamp.epoch, stamp.nanoseconds});
  return whole.substr(0, whole.size() - (stamp.digits == 0 ? 10 : 9 - stamp.digits));
}

std::string ClockTextOf(const Stamp& stamp) {
  const auto second = static_cast<std::uint32_t>(stamp.second_of_day);
  return Two(second / 3600 % 24) + ":" + Two(second / 60 % 60) + ":" + Two(second % 60) +
         Fraction(stamp);
}

void Days::Learn(const Stamp& stamp) {
  if (!stamp.epoch) return;
  start_ = Timestamp{*stamp.epoch, stamp.nanoseconds};
  Restart();
}

void Days::Place(const Stamp& stamp, Record* record) {
  record->has_time = true;
  record->digits = stamp.digits;
  record->local = !stamp.utc;
  if (stamp.epoch) {
    record->time = Timestamp{*stamp.epoch, stamp.nanoseconds};
  } else if (last_) {
    const std::int64_t last = last_->seconds;
    const std::int64_t second_of_day = (last % kDay + kDay) % kDay;
    std::int64_t seconds = last - second_of_day + stamp.second_of_day;
    if (!backward_ && seconds < last - kDay / 2) seconds += kDay;
    if (backward_ && seconds > last + kDay / 2) seconds -= kDay;
    record->time = Timestamp{seconds, stamp.nanoseconds};
  } else {
    record->clock = ClockTextOf(stamp);
    return;
  }
  last_ = record->time;
}

}  // namespace pmproof::validator::tool_output
