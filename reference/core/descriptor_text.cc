// SPDX-License-Identifier: Apache-2.0
#include "reference/core/descriptor_text.h"

#include <charconv>

#include "reference/core/units_text.h"

namespace pmproof {
namespace {

struct TypeName {
  MetricType type;
  const char* symbol;
  const char* description;
};

// MET-111..123
constexpr TypeName kTypes[] = {
    {MetricType::kNoSupport, "NO_SUPPORT", "Not Supported"},
    {MetricType::k32, "32", "32-bit int"},
    {MetricType::kU32, "U32", "32-bit unsigned int"},
    {MetricType::k64, "64", "64-bit int"},
    {MetricType::kU64, "U64", "64-bit unsigned int"},
    {MetricType::kFloat, "FLOAT", "float"},
    {MetricType::kDouble, "DOUBLE", "double"},
    {MetricType::kString, "STRING", "string"},
    {MetricType::kAggregate, "AGGREGATE", "aggregate"},
    {MetricType::kAggregateStatic, "AGGREGATE_STATIC", "static aggregate"},
    {MetricType::kEvent, "EVENT", "event record array"},
    {MetricType::kHighresEvent, "HIGHRES_EVENT", "highres event record array"},
    {MetricType::kUnknown, "UNKNOWN", nullptr},
};

const TypeName* Find(MetricType type) {
  for (const TypeName& name : kTypes) {
    if (name.type == type) return &name;
  }
  return nullptr;
}

std::string Unknown(int number) { return "??? (" + std::to_string(number) + ")"; }

std::string SemanticsText(Semantics semantics) {
  const auto number = static_cast<int>(semantics);
  const bool known = number == 1 || number == 3 || number == 4;
  return known ? ToText(semantics) : Unknown(number);
}

std::string Hex(std::uint32_t word) {
  char digits[8];
  return std::string(digits, std::to_chars(digits, digits + sizeof digits, word, 16).ptr);
}

}  // namespace

std::string TypeSymbol(MetricType type) {
  const TypeName* const name = Find(type);
  return name == nullptr ? "???" : name->symbol;
}

std::string TypeDescription(MetricType type) {
  const TypeName* const name = Find(type);
  if (name == nullptr || name->description == nullptr) return Unknown(static_cast<int>(type));
  return name->description;
}

std::string DescriptorText(const Descriptor& descriptor, PcpVersion version) {
  const std::string first = "    Data Type: " + TypeDescription(descriptor.type);
  if (descriptor.type == MetricType::kNoSupport) return first + "\n";
  const std::string units = UnitsText(descriptor.units, version);
  return first + "  InDom: " + ToText(descriptor.indom) + " 0x" + Hex(descriptor.indom.value) +
         "\n    Semantics: " + SemanticsText(descriptor.semantics) +
         "  Units: " + (units.empty() ? "none" : units) + "\n";
}

}  // namespace pmproof
