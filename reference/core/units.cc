// SPDX-License-Identifier: Apache-2.0
#include "reference/core/units.h"

#include <cstdlib>
#include <iterator>
#include <string_view>

#include "reference/core/extra_units.h"

namespace pmproof {
namespace {

constexpr std::size_t kMaxExtra = 19;  // MET-213

constexpr std::string_view kSpace[] = {"byte",  "Kbyte", "Mbyte", "Gbyte", "Tbyte",
                                       "Pbyte", "Ebyte", "Zbyte", "Ybyte"};
constexpr std::string_view kTime[] = {"nanosec", "microsec", "millisec", "sec", "min", "hour"};

// The name of a space or time scale (MET-212).
template <std::size_t N>
std::string ScaleName(const std::string_view (&names)[N], const char* kind, unsigned scale) {
  if (scale < N) return std::string(names[scale]);
  return std::string(kind) + "-" + std::to_string(scale);
}

std::string CountName(int scale) {
  if (scale == 0) return "count";
  if (scale == 1) return "count x 10";
  return "count x 10^" + std::to_string(scale);
}

// MET-213. `unit` is the absolute value of extraUnit.
std::string ExtraName(unsigned unit, unsigned scale) {
  if (unit > std::size(kExtraUnits)) return "extra-" + std::to_string(unit);
  const ExtraUnit& extra = kExtraUnits[unit - 1];
  const std::string_view known = extra.scales[scale];
  const std::string name = known.empty() ? "scale-" + std::to_string(scale) : std::string(known);
  return (std::string(extra.name) + " (" + name + ")").substr(0, kMaxExtra);
}

// Numerator and denominator of the text; parts come in the order of MET-211.
class Fraction {
 public:
  void Add(int dimension, const std::string& name) {
    if (dimension == 0) return;
    std::string& side = dimension > 0 ? numerator_ : denominator_;
    if (!side.empty()) side += " ";
    side += name;
    if (std::abs(dimension) != 1) side += "^" + std::to_string(std::abs(dimension));
  }

  std::string Text() const {
    if (denominator_.empty()) return numerator_;
    return (numerator_.empty() ? "/ " : numerator_ + " / ") + denominator_;
  }

 private:
  std::string numerator_;
  std::string denominator_;
};

}  // namespace

std::string ToText(Units units) {
  Fraction fraction;
  if (const int extra = units.extra_unit(); extra != 0) {
    const auto unit = static_cast<unsigned>(std::abs(extra));
    fraction.Add(extra > 0 ? 1 : -1, ExtraName(unit, units.extra_scale()));
  }
  fraction.Add(units.dim_space(), ScaleName(kSpace, "space", units.scale_space()));
  fraction.Add(units.dim_time(), ScaleName(kTime, "time", units.scale_time()));
  fraction.Add(units.dim_count(), CountName(units.scale_count()));
  std::string text = fraction.Text();
  // MET-214: a scale without a dimension shows for counts only.
  if (text.empty() && units.scale_count() != 0) text = CountName(units.scale_count());
  return text;  // at most 58 characters: the limit of MET-215, 59, cuts nothing
}

}  // namespace pmproof
