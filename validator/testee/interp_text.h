// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_INTERP_TEXT_H_
#define PMPROOF_VALIDATOR_TESTEE_INTERP_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "reference/core/error_code.h"
#include "reference/core/identifiers.h"
#include "reference/core/json_writer.h"
#include "reference/core/timestamp.h"
#include "reference/core/value.h"
#include "reference/replay/emulation/deviation.h"
#include "validator/replay/value_text.h"
#include "validator/text/string_sink.h"

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
  InterpText() { json_.Object().Key("fetches").Array(); }
  InterpText(const InterpText&) = delete;
  InterpText& operator=(const InterpText&) = delete;

  void BeginFetch(Timestamp time, ErrorCode status) {
    json_.Object().Key("time").InQuotes(TimeText(time));
    Status(status);
    outside_ = status != ErrorCode::kOk;
    if (!outside_) json_.Key("metrics").Array();
  }

  // Of a fetch without an error.
  void BeginMetric(const InterpMetric& metric, ErrorCode status) {
    json_.Object().Key("metric").Raw(metric.name);
    Status(status);
    json_.Key("values").Array();
  }
  void Value(const InterpMetric& metric, std::int32_t instance, const pmproof::Value& value) {
    json_.Object().Key("instance");
    if (metric.singular) {
      json_.Null();
    } else {
      json_.Number(instance);
    }
    json_.Key("type").InQuotes(metric.type).Key("value").Raw("");
    AppendJsonValue(value, &sink_.text);
    json_.EndObject();
  }
  void EndMetric(std::span<const replay::emulation::Deviation> deviations) {
    json_.EndArray();
    if (!deviations.empty()) {
      json_.Key("deviations").Array();
      for (const replay::emulation::Deviation deviation : deviations) {
        json_.InQuotes(ToText(deviation));
      }
      json_.EndArray();
    }
    json_.EndObject();
  }

  // `undefined`: the deviation that has destroyed PCP's memory, empty if none has.
  void EndFetch(std::string_view undefined) {
    if (!outside_) json_.EndArray();
    if (!undefined.empty()) json_.Key("undefined").InQuotes(undefined);
    json_.EndObject();
  }

  std::size_t size() const { return sink_.text.size(); }

  std::string Finish() && {
    json_.EndArray().EndObject();
    return std::move(sink_.text);
  }

 private:
  void Status(ErrorCode status) {
    json_.Key("status").Number(static_cast<std::int32_t>(status));
    if (status != ErrorCode::kOk) json_.Key("error").InQuotes(ErrorText(status));
  }

  StringSink sink_;
  JsonWriter<StringSink> json_{sink_};
  bool outside_ = false;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_INTERP_TEXT_H_
