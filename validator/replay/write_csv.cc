// SPDX-License-Identifier: Apache-2.0
#include "validator/replay/answer_writer.h"

namespace pmproof::validator {
namespace {

// One row for each value; one without instance and value for a metric that has none.
class CsvAnswers final : public AnswerWriter {
 public:
  CsvAnswers(const std::vector<AskedMetric>& asked, bool reasons, Formulas formulas,
             TextBuffer& out)
      : asked_(asked), reasons_(reasons), formulas_(formulas), out_(out) {
    out_ << "time,metric,instance,name,type,value,status";
    if (reasons_)
      out_ << ",clause,prior_time,prior_record,next_time,next_record,deviations,operands";
    out_ << "\r\n";
  }

  void Write(const replay::FetchAnswer& fetch, const Deviations& deviations) override {
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      if (fetch.status != ErrorCode::kOk) {
        Lead(fetch.time, asked_[i]);
        out_ << ",,";
        WithoutValue(fetch.status, {});
      } else {
        WriteMetric(asked_[i], fetch.metrics[i], MetricDeviations(deviations, i), fetch.time);
      }
    }
  }

 private:
  void WriteMetric(const AskedMetric& asked, const replay::MetricAnswer& metric,
                   const MetricDeviations& deviations, Timestamp time) {
    const std::vector<std::int32_t> missing = deviations.Missing(metric);
    if (metric.values.empty() && missing.empty()) {
      Lead(time, asked);
      out_ << ",,";
      WithoutValue(metric.status, deviations.Of(std::nullopt));
    }
    for (const replay::InstanceAnswer& value : metric.values) {
      Lead(time, asked);
      Instance(asked, value.instance, time);
      out_ << ',' << ToText(asked.descriptor.type) << ',' << ValueField(value.value) << ",";
      if (reasons_) {
        Reason(asked, value);
        Names(deviations.Of(value.instance));
        Operands(asked);
      }
      out_ << "\r\n";
    }
    for (const std::int32_t instance : missing) {
      Lead(time, asked);
      Instance(asked, instance, time);
      WithoutValue(ErrorCode::kOk, deviations.Of(instance));
    }
  }

  std::string Field(std::string_view text) const { return CsvField(text, formulas_); }

  // Numbers are no texts: "-1" is no formula.
  std::string ValueField(const Value& value) const {
    return NumericSize(value.type) > 0 ? ValueText(value) : Field(ValueText(value));
  }

  void Lead(Timestamp time, const AskedMetric& asked) {
    out_ << TimeText(time) << ',' << Field(asked.name);
  }

  void Instance(const AskedMetric& asked, std::int32_t instance, Timestamp time) {
    if (asked.names == nullptr) {
      out_ << ",,";
    } else {
      out_ << ',' << instance << ',' << Field(asked.names->At(instance, time));
    }
  }

  // The rest of a row.
  void WithoutValue(ErrorCode code, std::span<const std::string> deviations) {
    out_ << ",,," << (code == ErrorCode::kOk ? "" : ErrorText(code));
    if (reasons_) {
      out_ << ",,,,,";
      Names(deviations);
      out_ << ',';
    }
    out_ << "\r\n";
  }

  // In one field, with spaces between.
  void Names(std::span<const std::string> deviations) {
    const char* between = ",";
    for (const std::string& name : deviations) {
      out_ << between << name;
      between = " ";
    }
    if (deviations.empty()) out_ << ',';
  }

  // Likewise, of a derived metric.
  void Operands(const AskedMetric& asked) {
    std::string names;
    if (asked.derivation) {
      for (const std::string& name : asked.derivation->names) {
        names += (names.empty() ? "" : " ") + name;
      }
    }
    out_ << ',' << Field(names);
  }

  void Reason(const AskedMetric& asked, const replay::InstanceAnswer& value) {
    out_ << ',' << (asked.derivation ? asked.derivation->clause : value.why).ToString();
    Bound(value.bounds ? value.bounds->prior : replay::Bound());
    Bound(value.bounds ? value.bounds->next : replay::Bound());
  }

  void Bound(const replay::Bound& bound) {
    if (bound.kind == replay::Bound::Kind::kNone) {
      out_ << ",,";
    } else {
      out_ << ',' << TimeText(bound.moment.time) << ',' << bound.moment.record;
    }
  }

  const std::vector<AskedMetric>& asked_;
  bool reasons_;
  Formulas formulas_;
  TextBuffer& out_;
};

}  // namespace

std::unique_ptr<AnswerWriter> MakeCsvAnswers(const std::vector<AskedMetric>& asked, bool reasons,
                                             Formulas formulas, TextBuffer& out) {
  return std::make_unique<CsvAnswers>(asked, reasons, formulas, out);
}

}  // namespace pmproof::validator
