// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/testing/operand_table.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <sstream>

namespace pmproof::derived {
namespace {

constexpr Indom kKnown = Indom::Of(60, 1);
constexpr std::array<std::string_view, 3> kNames = {"a0 zero", "a1 one", "a2 two"};

Value ValueOf(const std::string& text, MetricType type) {
  switch (type) {
    case MetricType::k32:
      return Value::Of(static_cast<std::int32_t>(std::stol(text)));
    case MetricType::kU32:
      return Value::Of(static_cast<std::uint32_t>(std::stoul(text)));
    case MetricType::k64:
      return Value::Of(static_cast<std::int64_t>(std::stoll(text)));
    case MetricType::kU64:
      return Value::Of(static_cast<std::uint64_t>(std::stoull(text)));
    case MetricType::kFloat:
      return Value::Of(std::strtof(text.c_str(), nullptr));
    case MetricType::kDouble:
      return Value::Of(std::strtod(text.c_str(), nullptr));
    case MetricType::kNoSupport:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  return {type, false, 0, {}};
}

ValueSet SetOf(const std::string& text, MetricType type) {
  if (text.starts_with('!')) return {static_cast<ErrorCode>(std::stoi(text.substr(1)))};
  ValueSet set;
  std::istringstream pairs(text);
  for (std::string pair; std::getline(pairs, pair, ',');) {
    const std::size_t colon = pair.find(':');
    const bool singular = colon == std::string::npos;
    set.pairs.push_back({singular ? -1 : std::stoi(pair.substr(0, colon)),
                         ValueOf(singular ? pair : pair.substr(colon + 1), type)});
  }
  return set;
}

std::string ValueText(const Value& value) {
  std::array<char, 64> text{};
  switch (value.type) {
    case MetricType::k32:
      return std::to_string(value.AsI32());
    case MetricType::kU32:
      return std::to_string(value.AsU32());
    case MetricType::k64:
      return std::to_string(value.AsI64());
    case MetricType::kU64:
      return std::to_string(value.AsU64());
    case MetricType::kFloat:
      std::snprintf(text.data(), text.size(), "%.9g", static_cast<double>(value.AsFloat()));
      return text.data();
    case MetricType::kDouble:
      // The sign of a NaN is the processor's.
      if (std::isnan(value.AsDouble())) return "nan";
      std::snprintf(text.data(), text.size(), "%.17g", value.AsDouble());
      return text.data();
    case MetricType::kNoSupport:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  return ToText(value.type);
}

}  // namespace

OperandTable::OperandTable(std::string_view line, const std::vector<Operand>& operands)
    : operands_(operands) {
  std::istringstream words{std::string(line)};
  for (std::string word; words >> word;) {
    if (word.starts_with('@')) {
      const double seconds = std::stod(word.substr(1));
      time_.seconds = static_cast<std::int64_t>(std::floor(seconds));
      time_.nanoseconds =
          static_cast<std::int32_t>(std::lround((seconds - std::floor(seconds)) * 1e9));
      continue;
    }
    const std::size_t equals = word.find('=');
    for (const Operand& operand : operands_) {
      if (operand.name != word.substr(0, equals)) continue;
      sets_[operand.name] = SetOf(word.substr(equals + 1), operand.descriptor.type);
    }
  }
}

const ValueSet& OperandTable::Values(std::uint32_t operand) const {
  static const ValueSet kNone;
  const auto found = sets_.find(operands_.at(operand).name);
  return found == sets_.end() ? kNone : found->second;
}

std::optional<std::int32_t> OperandTable::FindInstance(Indom indom, std::string_view name) const {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const bool found = kNames[i] == name || kNames[i].substr(0, kNames[i].find(' ')) == name;
    if (indom == kKnown && found) return static_cast<std::int32_t>(i);
  }
  return std::nullopt;
}

std::optional<std::string> OperandTable::InstanceName(Indom indom, std::int32_t instance) const {
  const auto index = static_cast<std::size_t>(instance);
  if (indom != kKnown || index >= kNames.size()) return std::nullopt;
  return std::string(kNames[index]);
}

tl::expected<std::vector<std::int32_t>, ErrorCode> OperandTable::Instances(Indom indom) const {
  if (indom != kKnown) return tl::unexpected(ErrorCode::kIndomLog);
  return std::vector<std::int32_t>{0, 1, 2};
}

std::string ValueSetText(const ValueSet& set) {
  if (set.status != ErrorCode::kOk) {
    return "error " + std::to_string(static_cast<std::int32_t>(set.status));
  }
  if (set.pairs.empty()) return "none";
  std::string text;
  for (const Pair& pair : set.pairs) {
    if (!text.empty()) text += ' ';
    if (pair.instance != -1) text += std::to_string(pair.instance) + ":";
    text += ValueText(pair.value);
  }
  return text;
}

}  // namespace pmproof::derived
