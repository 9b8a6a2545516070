// SPDX-License-Identifier: Apache-2.0
#include "validator/replay/answer_writer.h"
#include "validator/text/quote.h"

namespace pmproof::validator {
namespace {

std::string Quoted(std::string_view text) {
  std::string quoted;
  AppendQuoted(text, Quoting::kJson, &quoted);
  return quoted;
}

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
      : asked_(asked), reasons_(reasons), out_(out) {
    for (const AskedMetric& metric : asked) names_.push_back(Quoted(metric.name));
  }

  void Write(const replay::FetchAnswer& fetch, const Deviations& deviations) override {
    const std::string time = TimeText(fetch.time);
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      out_ << "{\"time\": \"" << time << "\", \"metric\": " << names_[i];
      if (fetch.status != ErrorCode::kOk) {
        WriteError(fetch.status, "the time is outside of the archive");
      } else if (fetch.metrics[i].status != ErrorCode::kOk) {
        WriteError(fetch.metrics[i].status, fetch.metrics[i].message);
      } else {
        WriteValues(asked_[i], fetch.metrics[i], MetricDeviations(deviations, i), fetch.time);
      }
      if (!deviations.empty()) {
        WriteMissing(fetch.metrics[i], MetricDeviations(deviations, i));
        WriteNames(MetricDeviations(deviations, i).Of(std::nullopt));
      }
      out_ << "}\n";
    }
  }

 private:
  void WriteError(ErrorCode code, const std::string& message) {
    out_ << ", \"status\": " << static_cast<std::int32_t>(code) << ", \"error\": \""
         << ErrorText(code) << "\", \"message\": " << Quoted(message) << ", \"values\": []";
  }

  void WriteValues(const AskedMetric& asked, const replay::MetricAnswer& answer,
                   const MetricDeviations& deviations, Timestamp time) {
    out_ << ", \"status\": 0, \"values\": [";
    const char* between = "";
    for (const replay::InstanceAnswer& value : answer.values) {
      out_ << between << "{\"instance\": ";
      between = ", ";
      if (asked.names == nullptr) {
        out_ << "null";
      } else {
        out_ << value.instance << ", \"name\": " << Quoted(asked.names->At(value.instance, time));
      }
      text_.clear();
      AppendJsonValue(value.value, &text_);
      out_ << ", \"type\": \"" << ToText(asked.descriptor.type) << "\", \"value\": " << text_;
      if (reasons_) WriteReason(asked, value);
      WriteNames(deviations.Of(value.instance));
      out_ << '}';
    }
    out_ << ']';
  }

  // Values that the reference has and PCP has not.
  void WriteMissing(const replay::MetricAnswer& answer, const MetricDeviations& deviations) {
    const char* between = ", \"missing\": [";
    const std::vector<std::int32_t> missing = deviations.Missing(answer);
    for (const std::int32_t instance : missing) {
      out_ << between << "{\"instance\": ";
      if (instance == kInstanceNull) {
        out_ << "null";
      } else {
        out_ << instance;
      }
      WriteNames(deviations.Of(instance));
      out_ << '}';
      between = ", ";
    }
    if (!missing.empty()) out_ << ']';
  }

  void WriteNames(std::span<const std::string> deviations) {
    const char* between = ", \"deviations\": [\"";
    for (const std::string& name : deviations) {
      out_ << between << name << '"';
      between = ", \"";
    }
    if (!deviations.empty()) out_ << ']';
  }

  void WriteReason(const AskedMetric& asked, const replay::InstanceAnswer& value) {
    if (asked.derivation) {
      out_ << ", \"clause\": \"" << asked.derivation->clause.ToString() << "\", \"operands\": [";
      const char* between = "";
      for (const std::string& name : asked.derivation->names) {
        out_ << between << Quoted(name);
        between = ", ";
      }
      out_ << ']';
      return;
    }
    out_ << ", \"clause\": \"" << value.why.ToString() << '"';
    if (!value.bounds) return;
    WriteBound("prior", value.bounds->prior);
    WriteBound("next", value.bounds->next);
  }

  void WriteBound(const char* name, const replay::Bound& bound) {
    out_ << ", \"" << name << "\": {\"kind\": \"" << KindText(bound.kind) << '"';
    if (bound.kind != replay::Bound::Kind::kNone) {
      out_ << ", \"time\": \"" << TimeText(bound.moment.time)
           << "\", \"record\": " << bound.moment.record;
    }
    if (bound.IsValue() && NumericSize(bound.value.type) > 0) {
      out_ << ", \"value\": \"" << ValueText(bound.value) << '"';
    }
    out_ << '}';
  }

  const std::vector<AskedMetric>& asked_;
  std::vector<std::string> names_;
  std::string text_;  // of one value
  bool reasons_;
  TextBuffer& out_;
};

}  // namespace

std::unique_ptr<AnswerWriter> MakeJsonAnswers(const std::vector<AskedMetric>& asked, bool reasons,
                                              TextBuffer& out) {
  return std::make_unique<JsonAnswers>(asked, reasons, out);
}

}  // namespace pmproof::validator
