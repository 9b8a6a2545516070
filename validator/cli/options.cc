// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/options.h"

#include <array>
#include <charconv>
#include <cmath>

namespace pmproof::validator {
namespace {

std::vector<std::string> Split(std::string_view text, char delimiter) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(delimiter, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

TakeValue SizeTaker(std::function<void(std::uint64_t)> set) {
  return [set = std::move(set)](std::string_view text) -> std::string {
    const std::optional<std::uint64_t> size = ParseSize(text);
    if (!size) {
      return std::string(text) +
             " is not a size: bytes, or a number with K, M, G or T, such as 64M";
    }
    set(*size);
    return "";
  };
}

}  // namespace

std::string TakeUnsigned(std::string_view text, std::uint64_t least, std::uint64_t most,
                         std::uint64_t* number) {
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, *number);
  const bool whole = rest == end && !text.empty();
  const bool negative = text.starts_with('-');
  if (error == std::errc() && whole && *number >= least && *number <= most) return "";
  if ((error == std::errc::invalid_argument || !whole) && !negative) {
    return std::string(text) + " is not a whole number";
  }
  if (most == kMostNumber && !negative && error == std::errc::result_out_of_range) {
    return std::string(text) + " is more than 64 bits hold";
  }
  if (most == kMostNumber) return std::string(text) + " is less than " + std::to_string(least);
  return std::string(text) + " is not from " + std::to_string(least) + " to " +
         std::to_string(most);
}

std::string TakeNumber(std::string_view text, double least, double most, double* number) {
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, *number);
  if (error != std::errc() || rest != end || !std::isfinite(*number)) {
    return std::string(text) + " is not a number";
  }
  if (*number >= least && *number <= most) return "";
  const auto shown = [](double value) {
    std::array<char, 32> digits{};
    const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                       std::chars_format::fixed);
    return std::string(digits.data(), written.ptr);
  };
  return std::string(text) + " is not from " + shown(least) + " to " + shown(most);
}

std::optional<std::uint64_t> ParseSize(std::string_view text) {
  if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
  const char* const end = text.data() + text.size();
  std::uint64_t whole = 0;
  auto [rest, error] = std::from_chars(text.data(), end, whole);
  if (error != std::errc()) return std::nullopt;
  double fraction = 0;
  if (rest != end && *rest == '.') {
    const auto parsed = std::from_chars(rest, end, fraction, std::chars_format::fixed);
    if (parsed.ec != std::errc()) return std::nullopt;
    rest = parsed.ptr;
  }
  std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  unsigned shift = 0;
  constexpr std::string_view kPrefixes = "kmgtpe";
  if (!unit.empty()) {
    const char prefix = static_cast<char>(unit[0] | 0x20);
    if (const std::size_t power = kPrefixes.find(prefix); power != std::string_view::npos) {
      shift = static_cast<unsigned>(power + 1) * 10;
      unit.remove_prefix(1);
      if (unit == "iB" || unit == "ib" || unit == "i") unit = {};
    }
  }
  if (!unit.empty() && unit != "B" && unit != "b") return std::nullopt;
  if (shift == 0 && fraction != 0) return std::nullopt;
  if (shift > 0 && whole > (kMostNumber >> shift)) return std::nullopt;
  const std::uint64_t bytes = whole << shift;
  const auto more =
      static_cast<std::uint64_t>(fraction * static_cast<double>(std::uint64_t{1} << shift));
  if (bytes > kMostNumber - more) return std::nullopt;
  return bytes + more;
}

Option& Options::Add(Option option) {
  options_.push_back(std::move(option));
  return options_.back();
}

Option& Options::AddValue(std::string_view names, std::string value_name, std::string help,
                          TakeValue take) {
  Option option;
  option.names = Split(names, ',');
  option.value_name = std::move(value_name);
  option.help = std::move(help);
  option.take = std::move(take);
  return Add(std::move(option));
}

Option& Options::Flag(std::string_view names, std::string help, bool* to) {
  Option& option = AddValue(names, "", std::move(help), [to](std::string_view) {
    *to = true;
    return std::string();
  });
  option.kind = Option::Kind::kFlag;
  return option;
}

Option& Options::Text(std::string_view names, std::string value_name, std::string help,
                      std::string* to) {
  return AddValue(names, std::move(value_name), std::move(help), [to](std::string_view text) {
    *to = text;
    return std::string();
  });
}

Option& Options::Text(std::string_view names, std::string value_name, std::string help,
                      std::optional<std::string>* to) {
  return AddValue(names, std::move(value_name), std::move(help), [to](std::string_view text) {
    *to = text;
    return std::string();
  });
}

Option& Options::Texts(std::string_view names, std::string value_name, std::string help,
                       std::vector<std::string>* to) {
  Option& option =
      AddValue(names, std::move(value_name), std::move(help), [to](std::string_view text) {
        to->emplace_back(text);
        return std::string();
      });
  option.repeats = true;
  return option;
}

Option& Options::Operand(std::string name, std::string help, std::string* to) {
  Option& option = Text(name, "", std::move(help), to);
  option.kind = Option::Kind::kOperand;
  return option;
}

Option& Options::Operands(std::string name, std::string help, std::vector<std::string>* to) {
  Option& option = Texts(name, "", std::move(help), to);
  option.kind = Option::Kind::kOperand;
  return option;
}

Option& Options::Choice(std::string_view names, std::string value_name, std::string help,
                        std::vector<std::string> words, std::string* to) {
  Option& option = Text(names, std::move(value_name), std::move(help), to);
  option.choices = std::move(words);
  return option;
}

Option& Options::Size(std::string_view names, std::string help, std::uint64_t* to) {
  return AddValue(names, "SIZE", std::move(help),
                  SizeTaker([to](std::uint64_t size) { *to = size; }));
}

Option& Options::Size(std::string_view names, std::string help, std::optional<std::uint64_t>* to) {
  return AddValue(names, "SIZE", std::move(help),
                  SizeTaker([to](std::uint64_t size) { *to = size; }));
}

Option& Options::Decimal(std::string_view names, std::string value_name, std::string help,
                         double least, double most, double* to) {
  return AddValue(
      names, std::move(value_name), std::move(help),
      [least, most, to](std::string_view text) { return TakeNumber(text, least, most, to); });
}

}  // namespace pmproof::validator
