// SPDX-License-Identifier: Apache-2.0
#include "reference/core/clock_text.h"

namespace pmproof {
namespace {

constexpr std::int64_t kDay = 86'400;

Timestamp InZone(Timestamp time, std::int64_t zone) {
  return (time.Normalised() + zone * 1'000'000'000).Normalised();
}

// "22:13:20.500000" of "2023-11-14T22:13:20.500000000Z"
std::string ClockOf(const std::string& iso, unsigned digits) {
  return iso.substr(iso.find('T') + 1, digits == 0 ? 8 : 9 + digits);
}

}  // namespace

std::string ClockText(Timestamp time, unsigned digits, std::int64_t zone) {
  return ClockOf(ToIsoText(InZone(time, zone)), digits);
}

std::string DateClockText(Timestamp time, unsigned digits, std::int64_t zone) {
  static constexpr const char* kDays[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const Timestamp there = InZone(time, zone);
  const std::string iso = ToIsoText(there);
  const std::size_t year_end = iso.find('-', 1);
  const std::string year = std::to_string(std::stoll(iso.substr(0, year_end)));
  const auto month = static_cast<std::size_t>(std::stoi(iso.substr(year_end + 1, 2)));
  std::string day = iso.substr(year_end + 4, 2);
  if (day[0] == '0') day[0] = ' ';
  // 1970-01-01 was a Thursday.
  const std::int64_t second = there.seconds % (7 * kDay);
  const std::int64_t since = (second < 0 ? second + 7 * kDay : second) / kDay;
  return std::string(kDays[since]) + " " + kMonths[month - 1] + " " + day + " " +
         ClockOf(iso, digits) + " " + year;
}

}  // namespace pmproof
