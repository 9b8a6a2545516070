#include <charconv>
#include <cmath>

#include "reference/core/bytes.h"
#include "reference/core/utf8.h"
#include "validator/dump/quote.h"
#include "validator/replay/answer_writer.h"

namespace pmproof::validator {
namespace {

template <typename Number>
std::string Shortest(Number number) {
  if (std::isnan(number)) return "nan";
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

std::string StringText(Bytes payload) {
  std::string_view text = AsText(payload);
  if (text.ends_with('\0')) text.remove_suffix(1);
  if (FirstInvalidUtf8(text) == text.size() && !text.starts_with("base64:")) {
    return std::string(text);
  }
  return Base64(AsBytes(text));
}

}  // namespace

std::string ValueText(const replay::Value& value) {
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
      return Shortest(value.AsFloat());
    case MetricType::kDouble:
      return Shortest(value.AsDouble());
    case MetricType::kString:
      return StringText(value.opaque);
    default:
      return Base64(value.opaque);
  }
}

std::string TimeText(Timestamp time) { return ToEpochText(time.Normalised()); }

std::string ErrorText(ErrorCode code) { return ToText(code); }

}  // namespace pmproof::validator
