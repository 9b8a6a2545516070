// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/json_writer.h"
#include "validator/replay/answer_writer.h"

namespace pmproof::validator {
namespace {

using Json = JsonWriter<TextBuffer>;

const char* KindText(replay::Bound::Kind kind) {
  switch (kind) {
    case replay::Bound::Kind::kNone:
      return "none";
    case replay::Bound::Kind::kMark:
      return "mark";
    case replay::Bound::Kind::kDamage:
      return "damage";
    case replay::Bound::Kind::kValue:
      return "value";
  }
  return "";
}

// One JSON object for each metric and time, in the form of docs/formats.md.
class JsonAnswers final : public AnswerWriter {
 public:
  JsonAnswers(const std::vector<AskedMetric>& asked, bool reasons, TextBuffer& out)
      : asked_(asked), reasons_(reasons), json_(out, Json::Blanks::kAfterPunctuation) {
    for (const AskedMetric& metric : asked) {
      AppendQuoted(metric.name, Quoting::kJson, &names_.emplace_back());
    }
  }

  void Write(const replay::FetchAnswer& fetch, const Deviations& deviations) override {
    time_.clear();
    AppendEpochText(fetch.time.Normalised(), &time_);
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      json_.Object().Key("time").InQuotes(time_).Key("metric").Raw(names_[i]);
      if (fetch.status != ErrorCode::kOk) {
        WriteError(fetch.status,
                   fetch.message.empty() ? "the time is outside of the archive" : fetch.message);
      } else if (fetch.metrics[i].status != ErrorCode::kOk) {
        WriteError(fetch.metrics[i].status, fetch.metrics[i].message);
      } else {
        WriteValues(asked_[i], fetch.metrics[i], MetricDeviations(deviations, i), fetch.time);
      }
      if (!deviations.empty()) {
        WriteMissing(fetch.metrics[i], MetricDeviations(deviations, i));
        WriteNames(MetricDeviations(deviations, i).Of(std::nullopt));
      }
      json_.EndObject().EndLine();
    }
  }

 private:
  void WriteError(ErrorCode code, const std::string& message) {
    json_.Key("status").Number(static_cast<std::int32_t>(code));
    json_.Key("error").InQuotes(ErrorText(code)).Key("message").String(message);
    json_.Key("values").Array().EndArray();
  }

  void WriteValues(const AskedMetric& asked, const replay::MetricAnswer& answer,
                   const MetricDeviations& deviations, Timestamp time) {
    json_.Key("status").Number(0).Key("values").Array();
    for (const replay::InstanceAnswer& value : answer.values) {
      json_.Object().Key("instance");
      if (asked.names == nullptr) {
        json_.Null();
      } else {
        json_.Number(value.instance).Key("name").String(asked.names->At(value.instance, time));
      }
      text_.clear();
      AppendJsonValue(value.value, &text_);
      json_.Key("type").InQuotes(ToText(asked.descriptor.type)).Key("value").Raw(text_);
      if (reasons_) WriteReason(asked, value);
      WriteNames(deviations.Of(value.instance));
      json_.EndObject();
    }
    json_.EndArray();
  }

  // Values that the reference has and PCP has not.
  void WriteMissing(const replay::MetricAnswer& answer, const MetricDeviations& deviations) {
    const std::vector<std::int32_t> missing = deviations.Missing(answer);
    if (missing.empty()) return;
    json_.Key("missing").Array();
    for (const std::int32_t instance : missing) {
      json_.Object().Key("instance");
      if (instance == kInstanceNull) {
        json_.Null();
      } else {
        json_.Number(instance);
      }
      WriteNames(deviations.Of(instance));
      json_.EndObject();
    }
    json_.EndArray();
  }

  void WriteNames(std::span<const std::string> deviations) {
    if (deviations.empty()) return;
    json_.Key("deviations").Array();
    for (const std::string& name : deviations) json_.InQuotes(name);
    json_.EndArray();
  }

  void WriteReason(const AskedMetric& asked, const replay::InstanceAnswer& value) {
    if (asked.derivation) {
      json_.Key("clause").InQuotes(asked.derivation->clause.ToString()).Key("operands").Array();
      for (const std::string& name : asked.derivation->names) json_.String(name);
      json_.EndArray();
      return;
    }
    json_.Key("clause").InQuotes(value.why.ToString());
    if (!value.bounds) return;
    WriteBound("prior", value.bounds->prior);
    WriteBound("next", value.bounds->next);
  }

  void WriteBound(std::string_view name, const replay::Bound& bound) {
    json_.Key(name).Object().Key("kind").InQuotes(std::string_view(KindText(bound.kind)));
    if (bound.kind != replay::Bound::Kind::kNone) {
      json_.Key("time").InQuotes(TimeText(bound.moment.time));
      json_.Key("record").Number(bound.moment.record);
    }
    if (bound.IsValue() && NumericSize(bound.value.type) > 0) {
      json_.Key("value").InQuotes(ValueText(bound.value));
    }
    json_.EndObject();
  }

  const std::vector<AskedMetric>& asked_;
  std::vector<std::string> names_;  // as JSON has them
  std::string time_;                // of one fetch
  std::string text_;                // of one value
  bool reasons_;
  Json json_;
};

}  // namespace

std::unique_ptr<AnswerWriter> MakeJsonAnswers(const std::vector<AskedMetric>& asked, bool reasons,
                                              TextBuffer& out) {
  return std::make_unique<JsonAnswers>(asked, reasons, out);
}

}  // namespace pmproof::validator
