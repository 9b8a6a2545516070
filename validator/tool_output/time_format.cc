// SPDX-License-Identifier: Apache-2.0
#include "validator/tool_output/time_format.h"

#include <algorithm>
#include <array>
#include <utility>

#include "reference/core/timestamp.h"

namespace pmproof::validator::tool_output {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<std::string_view, 7> kWeekdays = {"Sun", "Mon", "Tue", "Wed",
                                                       "Thu", "Fri", "Sat"};
constexpr std::array<std::pair<char, std::string_view>, 4> kCompounds = {
    {{'F', "%Y-%m-%d"}, {'T', "%H:%M:%S"}, {'R', "%H:%M"}, {'c', "%a %b %e %H:%M:%S %Y"}}};
constexpr std::string_view kSingles = "YmdebaHMSfs%";

struct Parts {
  std::uint32_t year = 0;
  std::uint32_t month = 0;
  std::uint32_t day = 0;
  std::uint32_t hour = 0;
  std::uint32_t minute = 0;
  std::uint32_t second = 0;
  Stamp stamp;
};

template <std::size_t Size>
std::optional<std::uint32_t> TakeName(Scan* scan, const std::array<std::string_view, Size>& names) {
  for (std::size_t i = 0; i < Size; ++i) {
    if (scan->Take(names[i])) return static_cast<std::uint32_t>(i + 1);
  }
  return std::nullopt;
}

bool Assign(std::optional<std::uint32_t> taken, std::uint32_t most, std::uint32_t* part) {
  if (!taken || *taken > most) return false;
  *part = *taken;
  return true;
}

bool TakePart(char conversion, Scan* scan, Parts* parts) {
  std::uint32_t unused = 0;
  switch (conversion) {
    case 'Y':
      return Assign(scan->TakeDigits(4), 9999, &parts->year);
    case 'm':
      return Assign(scan->TakeDigits(2), 12, &parts->month);
    case 'b':
      return Assign(TakeName(scan, kMonths), 12, &parts->month);
    case 'd':
      return Assign(scan->TakeDigits(2), 31, &parts->day);
    case 'e':
      return Assign(scan->TakeDigits(scan->Take(" ") ? 1 : 2), 31, &parts->day);
    case 'a':
      return Assign(TakeName(scan, kWeekdays), 7, &unused);
    case 'H':
      return Assign(scan->TakeDigits(2), 23, &parts->hour);
    case 'M':
      return Assign(scan->TakeDigits(2), 59, &parts->minute);
    case 'S':
      return Assign(scan->TakeDigits(2), 59, &parts->second);
    case 'f': {
      const auto microseconds = scan->TakeDigits(6);
      if (!microseconds) return false;
      parts->stamp.nanoseconds = static_cast<std::int32_t>(*microseconds * 1000);
      parts->stamp.digits = 6;
      return true;
    }
    case 's':
      parts->stamp.epoch = scan->TakeNumber<std::int64_t>();
      parts->stamp.utc = true;
      return parts->stamp.epoch.has_value();
    default:
      return scan->Take("%");
  }
}

bool SetDay(const Parts& parts, Stamp* stamp) {
  const auto two = [](std::uint32_t number) {
    return std::string{static_cast<char>('0' + number / 10 % 10),
                       static_cast<char>('0' + number % 10)};
  };
  const auto midnight = ParseTime(two(parts.year / 100) + two(parts.year % 100) + "-" +
                                  two(parts.month) + "-" + two(parts.day));
  if (!midnight) return false;
  stamp->epoch = midnight->seconds + stamp->second_of_day;
  return true;
}

}  // namespace

tl::expected<TimeFormat, std::string> TimeFormat::Parse(std::string_view format) {
  TimeFormat parsed;
  std::string seen;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      parsed.format_ += format[i];
      continue;
    }
    const char conversion = ++i < format.size() ? format[i] : ' ';
    std::string expanded = "%";
    expanded += conversion;
    for (const auto& [name, parts] : kCompounds) {
      if (name == conversion) expanded = parts;
    }
    for (std::size_t k = 0; k + 1 < expanded.size(); ++k) {
      if (expanded[k] != '%') continue;
      if (kSingles.find(expanded[k + 1]) == std::string_view::npos) {
        return tl::unexpected("%" + std::string(1, conversion) + " is not read");
      }
      seen += expanded[++k];
    }
    parsed.format_ += expanded;
  }
  const auto has = [&](std::string_view all) {
    return std::ranges::all_of(all, [&](char c) { return seen.find(c) != std::string::npos; });
  };
  if (has("s")) return parsed;
  if (!has("HMS")) return tl::unexpected(std::string("it has no time to the second"));
  const bool month = has("m") || has("b");
  const bool day = has("d") || has("e");
  if (has("Y") != month || month != day) {
    return tl::unexpected(std::string("it has a part of the date alone"));
  }
  return parsed;
}

std::optional<Stamp> TimeFormat::Take(Scan* scan) const {
  Scan ahead = *scan;
  Parts parts;
  bool day = false;
  for (std::size_t i = 0; i < format_.size(); ++i) {
    if (format_[i] != '%') {
      if (!ahead.Take(std::string_view(format_).substr(i, 1))) return std::nullopt;
      continue;
    }
    day = day || format_[i + 1] == 'Y';
    if (!TakePart(format_[++i], &ahead, &parts)) return std::nullopt;
  }
  Stamp stamp = parts.stamp;
  if (stamp.utc) {
    stamp.second_of_day = static_cast<std::int32_t>((*stamp.epoch % 86'400 + 86'400) % 86'400);
  } else {
    stamp.second_of_day =
        static_cast<std::int32_t>(parts.hour * 3600 + parts.minute * 60 + parts.second);
    if (day && !SetDay(parts, &stamp)) return std::nullopt;
  }
  *scan = ahead;
  return stamp;
}

}  // namespace pmproof::validator::tool_output
