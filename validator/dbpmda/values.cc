// SPDX-License-Identifier: Apache-2.0
#include "validator/dbpmda/values.h"

#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <system_error>

#include "reference/core/bytes.h"
#include "reference/core/descriptor_text.h"
#include "reference/core/event_summary.h"
#include "reference/core/print_value.h"

namespace pmproof::agent_script {
namespace {

// Seconds east of UTC, here and now.
std::int64_t Zone() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  return localtime_r(&now, &local) != nullptr ? local.tm_gmtoff : 0;
}

std::string Printed(const StoreValue& value, MetricType type) {
  return ValueText(value.At(kInstanceNull, type), value.format, type);
}

std::string Incompatible(const std::string& text, MetricType type) {
  return "Error: Value \"" + text + "\" is incompatible with metric type (PM_TYPE_" +
         TypeSymbol(type) + ")";
}

std::string Unsupported(const char* type) {
  return std::string("Error: dbpmda does not support storing into ") + type + " metrics";
}

std::string OutOfRange() {
  return "Error: Decoding value: " + std::error_code(ERANGE, std::generic_category()).message();
}

// As C's strtol and its family take them, with blanks before and nothing after; 32 bits are the
// low ones of 64.
tl::expected<std::uint64_t, std::string> Integer(const std::string& text, MetricType type) {
  char* end = nullptr;
  errno = 0;
  const bool is_unsigned = type == MetricType::kU32 || type == MetricType::kU64;
  const std::uint64_t number =
      is_unsigned ? std::strtoull(text.c_str(), &end, 10)
                  : static_cast<std::uint64_t>(std::strtoll(text.c_str(), &end, 10));
  if (*end != '\0') return tl::unexpected(Incompatible(text, type));
  if (errno == ERANGE) return tl::unexpected(OutOfRange());
  return number;
}

template <typename Word>
std::vector<std::uint8_t> BigEndian(Word word) {
  std::vector<std::uint8_t> bytes(sizeof word);
  if constexpr (sizeof word == 8) {
    StoreU64(bytes.data(), word);
  } else {
    StoreU32(bytes.data(), word);
  }
  return bytes;
}

tl::expected<std::vector<std::uint8_t>, std::string> Real(const std::string& text,
                                                          MetricType type) {
  char* end = nullptr;
  errno = 0;
  std::vector<std::uint8_t> bytes =
      type == MetricType::kFloat
          ? BigEndian(std::bit_cast<std::uint32_t>(std::strtof(text.c_str(), &end)))
          : BigEndian(std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), &end)));
  if (*end != '\0') return tl::unexpected(Incompatible(text, type));
  if (errno == ERANGE) return tl::unexpected(OutOfRange());
  return bytes;
}

}  // namespace

std::string ValueText(const pdu::InstanceValue& value, pdu::ValueFormat format,
                      std::optional<MetricType> type) {
  const bool insitu = format == pdu::ValueFormat::kInsitu;
  const MetricType shown = type ? *type : insitu ? MetricType::kUnknown : value.type;
  if (!insitu && IsEvent(shown)) {
    return PrintEvents(SummaryOf(value.body, shown == MetricType::kHighresEvent, Zone()));
  }
  const StoredValue stored{.format = insitu ? ValueFormat::kInPlace : ValueFormat::kPointer,
                           .word = value.word,
                           .block_type = value.type,
                           .payload = value.body};
  return PrintValue(stored, shown, 1);
}

tl::expected<StoreValue, std::string> ParseStoreValue(const std::string& text, MetricType type) {
  StoreValue value{.format = pdu::ValueFormat::kDynamic};
  const auto printed = [&value, type] {
    value.text = Printed(value, type);
    return std::move(value);
  };
  switch (type) {
    case MetricType::k32:
    case MetricType::kU32:
    case MetricType::k64:
    case MetricType::kU64: {
      const auto number = Integer(text, type);
      if (!number) return tl::unexpected(number.error());
      if (type == MetricType::k64 || type == MetricType::kU64) {
        value.body = BigEndian(*number);
      } else {
        value.format = pdu::ValueFormat::kInsitu;
        value.word = static_cast<std::uint32_t>(*number);
      }
      return printed();
    }
    case MetricType::kFloat:
    case MetricType::kDouble: {
      auto number = Real(text, type);
      if (!number) return tl::unexpected(number.error());
      value.body = std::move(*number);
      return printed();
    }
    case MetricType::kString:
      value.body.assign(text.begin(), text.end());
      value.body.push_back(0);
      return printed();
    case MetricType::kNoSupport:
      return tl::unexpected(Unsupported("NO_SUPPORT"));
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
      return tl::unexpected(Unsupported("EVENT"));
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kUnknown:
      break;
  }
  return tl::unexpected(Unsupported("AGGREGATE"));
}

}  // namespace pmproof::agent_script
