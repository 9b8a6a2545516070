// SPDX-License-Identifier: Apache-2.0
#include "validator/text/chart_ticks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace pmproof::validator {
namespace {

std::string Fixed(double number, int digits) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, number);
  return text.data();
}

// A step of 1, 2 or 5 times a power of ten that makes some five of `span`.
long double StepOf(long double span) {
  const long double about = span / 5;
  const long double power = std::pow(10.0L, std::floor(std::log10(about)));
  for (const long double factor : {1.0L, 2.0L, 5.0L}) {
    if (factor * power >= about * 0.999L) return factor * power;
  }
  return 10 * power;
}

// "1500", "0.25", "1.2e+09": with as many digits as tell multiples of `step` apart.
std::string TickText(long double number, long double step, long double largest) {
  const int power = static_cast<int>(std::floor(std::log10(step) + 1e-9L));
  if (number == 0) return "0";
  if (largest < 1e7 && power >= -6) return Fixed(static_cast<double>(number), std::max(0, -power));
  const int digits = static_cast<int>(std::floor(std::log10(largest))) - power + 1;
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.*Lg", std::clamp(digits, 1, 17), number);
  return text.data();
}

}  // namespace

std::vector<ChartTick> ChartTicks(long double low, long double high) {
  const long double step = StepOf(high - low);
  const long double largest = std::max(std::abs(low), std::abs(high));
  std::vector<ChartTick> ticks;
  for (long double k = std::ceil(low / step); k * step <= high && ticks.size() < 12; ++k) {
    ticks.push_back({k * step, TickText(k * step, step, largest)});
  }
  return ticks;
}

}  // namespace pmproof::validator
