// SPDX-License-Identifier: Apache-2.0
#include "reference/core/units_text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "reference/core/bytes.h"
#include "reference/core/extra_units.h"

namespace pmproof {
namespace {

constexpr char kBadNumber[] = "invalid floating point literal";
constexpr char kBadUnit[] = "unrecognized or duplicate base unit";
constexpr char kTwoExtras[] = "multiple extra units not allowed";
constexpr char kExtraTwice[] = "extra units cannot appear in both dividend and divisor";

// Space, time and count; the order of MET-211.
constexpr std::size_t kSpace = 0;
constexpr std::size_t kTime = 1;
constexpr std::size_t kCount = 2;
constexpr std::array<const char*, 3> kOutOfBounds = {"space dimension out of bounds",
                                                     "time dimension out of bounds",
                                                     "count dimension out of bounds"};
constexpr std::array<int, 3> kDefaultScale = {0, 3, 0};  // byte, sec, 1 (MET-227)

struct Keyword {
  std::string_view name;  // in small letters
  std::size_t dimension;
  int scale;
};

// MET-224, without the forms with numbers and those of kPrefixes.
constexpr Keyword kKeywords[] = {
    {"nanoseconds", kTime, 0},
    {"nanosecond", kTime, 0},
    {"nanosec", kTime, 0},
    {"ns", kTime, 0},
    {"microseconds", kTime, 1},
    {"microsecond", kTime, 1},
    {"microsec", kTime, 1},
    {"us", kTime, 1},
    {"milliseconds", kTime, 2},
    {"millisecond", kTime, 2},
    {"millisec", kTime, 2},
    {"ms", kTime, 2},
    {"seconds", kTime, 3},
    {"second", kTime, 3},
    {"sec", kTime, 3},
    {"s", kTime, 3},
    {"minutes", kTime, 4},
    {"minute", kTime, 4},
    {"min", kTime, 4},
    {"hours", kTime, 5},
    {"hour", kTime, 5},
    {"hr", kTime, 5},
    {"h", kTime, 5},
    {"bytes", kSpace, 0},
    {"byte", kSpace, 0},
    {"counts", kCount, 0},
    {"count", kCount, 0},
};

// The space scales from 1 on: the letter and the two words before "byte".
struct Prefix {
  std::string_view binary;
  std::string_view decimal;
};
constexpr Prefix kPrefixes[] = {{"kibi", "kilo"},  {"mebi", "mega"}, {"gibi", "giga"},
                                {"tebi", "tera"},  {"pebi", "peta"}, {"exbi", "exa"},
                                {"zebi", "zetta"}, {"yobi", "yotta"}};

bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
char Small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

// Takes `wanted`, which is in small letters, off the front of `text`.
bool TakeWord(std::string_view* text, std::string_view wanted) {
  if (text->size() < wanted.size()) return false;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (Small((*text)[i]) != Small(wanted[i])) return false;
  }
  text->remove_prefix(wanted.size());
  return true;
}

// Takes a number low..high, written without needless characters.
std::optional<int> TakeNumber(std::string_view* text, int low, int high) {
  std::string_view rest = *text;
  const bool negative = TakeWord(&rest, "-");
  std::size_t size = 0;
  int number = 0;
  while (size < rest.size() && size < 3 && IsDigit(rest[size])) {
    number = number * 10 + (rest[size++] - '0');
  }
  if (size == 0 || (rest[0] == '0' && (size > 1 || negative))) return std::nullopt;
  if (negative) number = -number;
  if (number < low || number > high) return std::nullopt;
  *text = rest.substr(size);
  return number;
}

struct BaseUnit {
  std::size_t dimension = 0;
  int scale = 0;
};

// "space-7"
bool TakeNumbered(std::string_view* text, std::string_view word, std::size_t dimension,
                  BaseUnit* unit) {
  std::string_view rest = *text;
  if (!TakeWord(&rest, word)) return false;
  const auto scale = TakeNumber(&rest, 0, 15);
  if (!scale) return false;
  *unit = {dimension, *scale};
  *text = rest;
  return true;
}

bool TakePrefixed(std::string_view* text, BaseUnit* unit) {
  for (std::size_t i = 0; i < std::size(kPrefixes); ++i) {
    const Prefix& prefix = kPrefixes[i];
    std::string_view rest = *text;
    if (!TakeWord(&rest, prefix.binary) && !TakeWord(&rest, prefix.decimal) &&
        !TakeWord(&rest, prefix.binary.substr(0, 1))) {
      continue;
    }
    const bool long_form = TakeWord(&rest, "bytes") || TakeWord(&rest, "byte");
    // The short forms stand after the letter alone.
    const bool letter = text->size() - rest.size() == 1;
    if (!long_form && !(letter && (TakeWord(&rest, "ib") || TakeWord(&rest, "b")))) continue;
    *unit = {kSpace, static_cast<int>(i) + 1};
    *text = rest;
    return true;
  }
  return false;
}

// "count x 10", "count x 10^3", blanks exactly so; not "count x 10^1", whose ^1 is an exponent.
bool TakeScaledCount(std::string_view* text, BaseUnit* unit) {
  std::string_view rest = *text;
  if (!TakeWord(&rest, "count x 10")) return false;
  *unit = {kCount, 1};
  *text = rest;
  if (!TakeWord(&rest, "^")) return true;
  const auto scale = TakeNumber(&rest, -8, 7);
  if (scale && *scale != 0 && *scale != 1) {
    unit->scale = *scale;
    *text = rest;
  }
  return true;
}

// MET-224: the keyword at the front of `text`, whatever follows.
bool TakeKeyword(std::string_view* text, BaseUnit* unit) {
  if (TakeScaledCount(text, unit) || TakeNumbered(text, "space-", kSpace, unit) ||
      TakeNumbered(text, "time-", kTime, unit) || TakePrefixed(text, unit)) {
    return true;
  }
  for (const Keyword& keyword : kKeywords) {
    std::string_view rest = *text;
    if (!TakeWord(&rest, keyword.name)) continue;
    if (!rest.empty() && !IsBlank(rest[0]) && rest[0] != '^') continue;
    *unit = {keyword.dimension, keyword.scale};
    *text = rest;
    return true;
  }
  return false;
}

struct Extra {
  int unit = 0;  // 0: none
  int scale = 0;
  std::size_t position = 0;
};

// MET-226
bool TakeExtra(std::string_view* text, Extra* extra) {
  for (std::size_t i = 0; i < std::size(kExtraUnits); ++i) {
    std::string_view named = *text;
    if (!TakeWord(&named, kExtraUnits[i].name) || !TakeWord(&named, " (")) continue;
    // Of two scales that differ by case alone the first one found counts ("MW" is milliwatt).
    for (std::size_t scale = 1; scale < std::size(kExtraUnits[i].scales); ++scale) {
      const std::string_view name = kExtraUnits[i].scales[scale];
      std::string_view rest = named;
      if (name.empty() || !TakeWord(&rest, name) || !TakeWord(&rest, ")")) continue;
      extra->unit = static_cast<int>(i) + 1;
      extra->scale = static_cast<int>(scale);
      *text = rest;
      return true;
    }
  }
  return false;
}

// One side of the slash.
struct Part {
  std::array<int, 3> dimensions{};
  std::array<int, 3> scales{};
  Extra extra;
  double multiplier = 1;
};

struct FreeLocale {
  void operator()(locale_t locale) const { freelocale(locale); }
};

// Reads the two parts of a text; positions count from its start.
class Parser {
 public:
  Parser(const std::string& text, PcpVersion version)
      : text_(text),
        extras_(version == PcpVersion::k7_2),
        c_locale_(newlocale(LC_ALL_MASK, "C", nullptr)) {}

  // MET-222. `begin` and `end` are offsets of the text.
  tl::expected<Part, UnitsError> ParsePart(std::size_t begin, std::size_t end) const {
    Part part;
    std::size_t at = begin;
    while (true) {
      while (at < end && IsBlank(text_[at])) ++at;
      if (at == end) return part;
      const char* error = IsDigit(text_[at]) || text_[at] == '-' || text_[at] == '.'
                              ? Multiplier(&at, &part)
                              : Unit(&at, end, &part);
      if (error != nullptr) return tl::unexpected(UnitsError{error, at});
    }
  }

 private:
  // MET-223. A number ends at a slash at the latest: none has one.
  const char* Multiplier(std::size_t* at, Part* part) const {
    const char* const begin = text_.c_str() + *at;
    char* end = nullptr;
    errno = 0;
    const double number = strtod_l(begin, &end, c_locale_.get());
    if (end == begin || errno == ERANGE) return kBadNumber;
    part->multiplier *= number;
    *at += static_cast<std::size_t>(end - begin);
    return nullptr;
  }

  // MET-224..226
  const char* Unit(std::size_t* at, std::size_t end, Part* part) const {
    std::string_view rest(text_.data() + *at, end - *at);
    Extra extra;
    if (extras_ && TakeExtra(&rest, &extra)) {
      if (part->extra.unit != 0) return kTwoExtras;
      extra.position = *at;
      part->extra = extra;
    } else if (!BaseAndExponent(&rest, part)) {
      return kBadUnit;
    }
    *at = end - rest.size();
    return nullptr;
  }

  static bool BaseAndExponent(std::string_view* rest, Part* part) {
    BaseUnit unit;
    if (!TakeKeyword(rest, &unit)) return false;
    int dimension = 1;
    if (TakeWord(rest, "^")) {
      const auto exponent = TakeNumber(rest, -8, 15);  // MET-225
      if (!exponent) return false;
      dimension = *exponent;
    }
    if (!rest->empty() && !IsBlank((*rest)[0])) return false;
    if (part->dimensions[unit.dimension] != 0) return false;
    part->dimensions[unit.dimension] = dimension;
    part->scales[unit.dimension] = unit.scale;
    return true;
  }

  const std::string& text_;
  bool extras_;
  std::unique_ptr<std::remove_pointer_t<locale_t>, FreeLocale> c_locale_;
};

// The size of a scale in its dimension's unit (MET-202); nothing if the dimension has no such scale
// (MET-229).
std::optional<double> ScaleSize(std::size_t dimension, int scale) {
  static constexpr double kSeconds[] = {0.000000001, 0.000001, 0.001, 1, 60, 3600};
  if (dimension == kSpace) return std::ldexp(1.0, 10 * scale);
  if (dimension == kCount) return std::pow(10.0, scale);
  if (scale >= static_cast<int>(std::size(kSeconds))) return std::nullopt;
  return kSeconds[scale];
}

std::uint32_t Field(int value, unsigned bits, unsigned shift) {
  return (static_cast<std::uint32_t>(value) & ((1U << bits) - 1)) << shift;
}

// MET-227
tl::expected<ParsedUnits, UnitsError> Divide(const Part& dividend, const Part& divisor) {
  ParsedUnits result;
  result.multiplier = divisor.multiplier / dividend.multiplier;
  std::array<int, 3> dimensions{};
  std::array<int, 3> scales{};
  // Multiplied in this order the product is rounded as PCP's is.
  for (const std::size_t i : {kCount, kTime, kSpace}) {
    const int above = dividend.dimensions[i];
    const int below = divisor.dimensions[i];
    dimensions[i] = above - below;
    if (above == 0 || below == 0) {
      scales[i] = above != 0 ? dividend.scales[i] : below != 0 ? divisor.scales[i] : 0;
      continue;
    }
    const auto size_above = ScaleSize(i, dividend.scales[i]);
    const auto size_below = ScaleSize(i, divisor.scales[i]);
    if (!size_above || !size_below) return tl::unexpected(UnitsError{kBadUnit, {}});
    result.multiplier *= std::pow(*size_above, -above);
    result.multiplier *= std::pow(*size_below, below);
    scales[i] = dimensions[i] == 0 ? 0 : kDefaultScale[i];
  }
  for (const std::size_t i : {kSpace, kTime, kCount}) {
    if (dimensions[i] < -8 || dimensions[i] > 7) {
      return tl::unexpected(UnitsError{kOutOfBounds[i], {}});
    }
  }
  if (dividend.extra.unit != 0 && divisor.extra.unit != 0) {
    return tl::unexpected(UnitsError{kExtraTwice, divisor.extra.position});
  }
  const Extra& extra = dividend.extra.unit != 0 ? dividend.extra : divisor.extra;
  result.units.word = Field(dimensions[kSpace], 4, 28) | Field(dimensions[kTime], 4, 24) |
                      Field(dimensions[kCount], 4, 20) | Field(scales[kSpace], 4, 16) |
                      Field(scales[kTime], 4, 12) | Field(scales[kCount], 4, 8) |
                      Field(dividend.extra.unit != 0 ? extra.unit : -extra.unit, 5, 3) |
                      Field(extra.scale, 3, 0);
  return result;
}

}  // namespace

std::string UnitsText(Units units, PcpVersion version) {
  if (version == PcpVersion::k7_2) return ToText(units);
  units.word &= ~0xffU;
  std::string text = ToText(units);
  const bool anomaly = (units.word >> 20) == 0 && !text.empty();  // MET-214
  return anomaly ? text.substr(std::strlen("count ")) : text;
}

tl::expected<ParsedUnits, UnitsError> ParseUnits(std::string_view text, PcpVersion version) {
  const std::string terminated(UpToNul(text));
  const Parser parser(terminated, version);
  const std::size_t slash = std::min(terminated.find('/'), terminated.size());
  const auto dividend = parser.ParsePart(0, slash);
  if (!dividend) return tl::unexpected(dividend.error());
  Part below;
  if (slash < terminated.size()) {
    const auto divisor = parser.ParsePart(slash + 1, terminated.size());
    if (!divisor) return tl::unexpected(divisor.error());
    below = *divisor;
  }
  return Divide(*dividend, below);
}

}  // namespace pmproof
