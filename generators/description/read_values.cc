// SPDX-License-Identifier: Apache-2.0
#include "generators/description/read_values.h"

#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "reference/archive/layout.h"
#include "reference/core/bytes.h"

namespace pmproof::generators {
namespace {

using archive::ValueModel;
using archive::ValueSetModel;

constexpr std::int64_t kLeast32 = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kMost32 = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMostU32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::string_view kBase64 = "base64:";

std::optional<std::string> DecodeBase64(std::string_view text) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && text.ends_with('=')) {
    text.remove_suffix(1);
    ++padding;
  }
  std::string bytes;
  std::uint32_t word = 0;
  unsigned bits = 0;
  for (const char letter : text) {
    const std::size_t six = kLetters.find(letter);
    if (six == std::string_view::npos) return std::nullopt;
    word = word << 6 | static_cast<std::uint32_t>(six);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(word >> bits & 0xff);
  }
  return bytes;
}

// A number of any JSON kind as text, so that integers of all 64 bits are read in one way.
std::string NumberText(const Node& node) {
  const Json& json = node.json();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_number()) return json.dump();
  node.Fail("is not a number");
  return "";
}

template <typename Number>
Number ReadNumber(const Node& node, MetricType type) {
  const std::string text = NumberText(node);
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    node.Fail("is not a value of the type " + ToText(type));
  return number;
}

std::string BigEndian(std::uint64_t bits, std::size_t size) {
  std::array<std::uint8_t, 8> bytes{};
  StoreU64(bytes.data(), bits);
  return {reinterpret_cast<const char*>(bytes.data()) + 8 - size, size};
}

// The bits of a numeric value, as wide as its type.
std::uint64_t ReadBits(const Node& node, MetricType type) {
  switch (type) {
    case MetricType::k32:
      return static_cast<std::uint32_t>(ReadNumber<std::int32_t>(node, type));
    case MetricType::kU32:
      return ReadNumber<std::uint32_t>(node, type);
    case MetricType::k64:
      return static_cast<std::uint64_t>(ReadNumber<std::int64_t>(node, type));
    case MetricType::kU64:
      return ReadNumber<std::uint64_t>(node, type);
    case MetricType::kFloat:
      return std::bit_cast<std::uint32_t>(ReadNumber<float>(node, type));
    case MetricType::kNoSupport:
    case MetricType::kDouble:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  return std::bit_cast<std::uint64_t>(ReadNumber<double>(node, type));
}

// The bytes of a block: of a text with its NUL (ARC-235), or as they are told in base64.
std::string ReadPayload(const Node& node, MetricType type) {
  if (const std::uint32_t size = NumericSize(type); size != 0)
    return BigEndian(ReadBits(node, type), size);
  const std::string text = node.Text();
  if (text.starts_with(kBase64)) {
    if (auto bytes = DecodeBase64(std::string_view(text).substr(kBase64.size())))
      return *std::move(bytes);
    node.Fail("is not base64");
  }
  return type == MetricType::kString ? text + '\0' : text;
}

// A word in the place of a block (ARC-206): of types wider than it, just a number.
std::uint32_t ReadWord(const Node& node, MetricType type) {
  if (NumericSize(type) == 4) return static_cast<std::uint32_t>(ReadBits(node, type));
  return static_cast<std::uint32_t>(node.Integer(kLeast32, kMostU32));
}

class ValueReader {
 public:
  ValueReader(const Descriptor& metric, ValueSetModel* set) : metric_(metric), set_(set) {}

  void Read(const Node& node) {
    if (node.json().is_object()) return ReadInstances(node);
    if (node.json().is_array()) {
      for (const Node& element : node.Elements()) ReadInstances(element);
      return;
    }
    if (!metric_.indom.IsNull()) return node.Fail("the metric has instances: write {\"0\": ...}");
    Add(kInstanceNull, node);
  }

 private:
  void ReadInstances(const Node& node) {
    for (const auto& [name, value] : node.Members()) {
      const auto instance = ParseInteger(name, kLeast32, kMost32);
      if (!instance) return node.Fail("\"" + std::string(name) + "\" is not an instance number");
      Add(static_cast<std::int32_t>(*instance), value);
    }
  }

  void Add(std::int32_t instance, const Node& node) {
    ValueModel& value = set_->values.emplace_back();
    value.instance = instance;
    if (set_->format == archive::kInsitu) {
      value.value = ReadWord(node, metric_.type);
    } else {
      value.value = archive::BlockModel{static_cast<std::uint8_t>(metric_.type),
                                        ReadPayload(node, metric_.type), std::nullopt};
    }
  }

  const Descriptor& metric_;
  ValueSetModel* set_;
};

}  // namespace

archive::ValueSetModel ReadValues(const Node& node, const Descriptor& metric) {
  ValueSetModel set;
  set.pmid = metric.pmid;
  const bool word = metric.type == MetricType::k32 || metric.type == MetricType::kU32;
  set.format = word ? archive::kInsitu : archive::kDynamic;
  if (node.json().is_null()) return set;
  if (const auto error = node.Find("error")) {
    node.Expect({"error"});
    set.status = static_cast<std::int32_t>(error->Integer(kLeast32, -1));
    return set;
  }
  Node value = node;
  if (const auto stored = node.Find("stored")) {
    node.Expect({"stored", "value"});
    const std::string how = stored->Text();
    if (how != "insitu" && how != "block") stored->Fail("is neither \"insitu\" nor \"block\"");
    set.format = how == "insitu" ? archive::kInsitu : archive::kDynamic;
    value = node.At("value");
  }
  ValueReader(metric, &set).Read(value);
  return set;
}

}  // namespace pmproof::generators
