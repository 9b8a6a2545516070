// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_INTERP_TEXT_H_
#define PMPROOF_VALIDATOR_TESTEE_INTERP_TEXT_H_

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "reference/core/error_code.h"
#include "reference/core/identifiers.h"
#include "reference/core/timestamp.h"
#include "reference/core/value.h"
#include "reference/replay/emulation/deviation.h"
#include "validator/replay/value_text.h"

namespace pmproof::validator {

// A metric as results write it.
struct InterpMetric {
  std::string name;  // as a JSON string
  std::string type;
  bool singular = false;
};

// The result of replay.interp and derive.eval, written as it comes: no tree, no blanks, keys in the
// order of the schema, so that equal texts are equal answers.
class InterpText {
 public:
  void BeginFetch(Timestamp time, ErrorCode status) {
    text_ += first_ ? "{\"fetches\":[{\"time\":\"" : ",{\"time\":\"";
    first_ = false;
    text_ += TimeText(time);
    text_ += "\",";
    Status(status);
    outside_ = status != ErrorCode::kOk;
    if (!outside_) text_ += ",\"metrics\":[";
    between_metrics_ = false;
  }

  // Of a fetch without an error.
  void BeginMetric(const InterpMetric& metric, ErrorCode status) {
    text_ += between_metrics_ ? ",{\"metric\":" : "{\"metric\":";
    between_metrics_ = true;
    text_ += metric.name;
    text_ += ',';
    Status(status);
    text_ += ",\"values\":[";
    between_values_ = false;
  }
  void Value(const InterpMetric& metric, std::int32_t instance, const pmproof::Value& value) {
    text_ += between_values_ ? ",{\"instance\":" : "{\"instance\":";
    between_values_ = true;
    if (metric.singular) {
      text_ += "null";
    } else {
      Number(instance);
    }
    text_ += ",\"type\":\"";
    text_ += metric.type;
    text_ += "\",\"value\":";
    AppendJsonValue(value, &text_);
    text_ += '}';
  }
  void EndMetric(std::span<const replay::emulation::Deviation> deviations) {
    text_ += ']';
    const char* before = ",\"deviations\":[\"";
    for (const replay::emulation::Deviation deviation : deviations) {
      text_ += before;
      text_ += ToText(deviation);
      text_ += '"';
      before = ",\"";
    }
    text_ += deviations.empty() ? "}" : "]}";
  }

  // `undefined`: the deviation that has destroyed PCP's memory, empty if none has.
  void EndFetch(std::string_view undefined) {
    if (!outside_) text_ += ']';
    if (!undefined.empty()) {
      text_ += ",\"undefined\":\"";
      text_ += undefined;
      text_ += '"';
    }
    text_ += '}';
  }

  std::size_t size() const { return text_.size(); }

  std::string Finish() && {
    if (first_) text_ += "{\"fetches\":[";
    text_ += "]}";
    return std::move(text_);
  }

 private:
  void Status(ErrorCode status) {
    text_ += "\"status\":";
    Number(static_cast<std::int32_t>(status));
    if (status == ErrorCode::kOk) return;
    text_ += ",\"error\":\"";
    text_ += ErrorText(status);
    text_ += '"';
  }
  void Number(std::int32_t number) {
    char digits[12];
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  }

  std::string text_;
  bool first_ = true;
  bool outside_ = false;
  bool between_metrics_ = false;
  bool between_values_ = false;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_INTERP_TEXT_H_
