// SPDX-License-Identifier: Apache-2.0
#include "validator/replay/value_text.h"

#include <charconv>
#include <cmath>

#include "reference/core/bytes.h"
#include "reference/core/utf8.h"
#include "validator/text/quote.h"

namespace pmproof::validator {
namespace {

template <typename Number>
void AppendNumber(Number number, std::string* out) {
  char text[40];
  out->append(text, std::to_chars(text, text + sizeof text, number).ptr);
}

template <typename Number>
void AppendShortest(Number number, std::string* out) {
  if (std::isnan(number)) {
    *out += "nan";
  } else {
    AppendNumber(number, out);
  }
}

// False if the value is not a number.
bool AppendIfNumber(const Value& value, std::string* out) {
  switch (value.type) {
    case MetricType::k32:
      AppendNumber(value.AsI32(), out);
      return true;
    case MetricType::kU32:
      AppendNumber(value.AsU32(), out);
      return true;
    case MetricType::k64:
      AppendNumber(value.AsI64(), out);
      return true;
    case MetricType::kU64:
      AppendNumber(value.AsU64(), out);
      return true;
    case MetricType::kFloat:
      AppendShortest(value.AsFloat(), out);
      return true;
    case MetricType::kDouble:
      AppendShortest(value.AsDouble(), out);
      return true;
    case MetricType::kNoSupport:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  return false;
}

std::string OpaqueText(const Value& value) {
  if (value.type != MetricType::kString) return Base64(value.opaque);
  std::string_view text = AsText(value.opaque);
  if (text.ends_with('\0')) text.remove_suffix(1);
  if (FirstInvalidUtf8(text) == text.size() && !text.starts_with("base64:")) {
    return std::string(text);
  }
  return Base64(AsBytes(text));
}

}  // namespace

std::string ValueText(const Value& value) {
  std::string text;
  return AppendIfNumber(value, &text) ? text : OpaqueText(value);
}

void AppendJsonValue(const Value& value, std::string* out) {
  if (NumericSize(value.type) == 0) return AppendQuoted(OpaqueText(value), Quoting::kJson, out);
  *out += '"';
  AppendIfNumber(value, out);
  *out += '"';
}

std::string TimeText(Timestamp time) { return ToEpochText(time.Normalised()); }

std::string ErrorText(ErrorCode code) { return ToText(code); }

}  // namespace pmproof::validator
