#include "validator/replay/answer_writer.h"

namespace pmproof::validator {
namespace {

// RFC 4180: a field with a quote, a comma or a line break stands in quotes.
std::string Field(std::string_view text) {
  if (text.find_first_of("\",\r\n") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + "\"";
}

// One row for each value; one without instance and value for a metric that has none.
class CsvAnswers final : public AnswerWriter {
 public:
  CsvAnswers(const std::vector<AskedMetric>& asked, bool reasons, TextBuffer& out)
      : asked_(asked), reasons_(reasons), out_(out) {
    out_ << "time,metric,instance,name,type,value,status";
    if (reasons_) out_ << ",clause,prior_time,prior_record,next_time,next_record";
    out_ << "\r\n";
  }

  void Write(const replay::FetchAnswer& fetch) override {
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      const AskedMetric& asked = asked_[i];
      const bool outside = fetch.status != ErrorCode::kOk;
      if (outside || fetch.metrics[i].values.empty()) {
        const ErrorCode code = outside ? fetch.status : fetch.metrics[i].status;
        Lead(fetch, asked);
        out_ << ",,,," << (code == ErrorCode::kOk ? "" : ErrorText(code));
        if (reasons_) out_ << ",,,,,";
        out_ << "\r\n";
        continue;
      }
      for (const replay::InstanceAnswer& value : fetch.metrics[i].values) {
        Lead(fetch, asked);
        if (asked.names == nullptr) {
          out_ << ",,";
        } else {
          out_ << ',' << value.instance << ','
               << Field(asked.names->At(value.instance, fetch.time));
        }
        out_ << ',' << ToText(asked.descriptor.type) << ',' << Field(ValueText(value.value)) << ",";
        if (reasons_) Reason(value);
        out_ << "\r\n";
      }
    }
  }

 private:
  void Lead(const replay::FetchAnswer& fetch, const AskedMetric& asked) {
    out_ << TimeText(fetch.time) << ',' << Field(asked.name);
  }

  void Reason(const replay::InstanceAnswer& value) {
    out_ << ',' << value.why.ToString();
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
  TextBuffer& out_;
};

}  // namespace

std::unique_ptr<AnswerWriter> MakeCsvAnswers(const std::vector<AskedMetric>& asked, bool reasons,
                                             TextBuffer& out) {
  return std::make_unique<CsvAnswers>(asked, reasons, out);
}

}  // namespace pmproof::validator
