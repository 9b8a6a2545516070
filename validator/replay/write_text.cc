#include <algorithm>

#include "validator/display.h"
#include "validator/dump/quote.h"
#include "validator/replay/answer_writer.h"

namespace pmproof::validator {
namespace {

// A line for each value, the time at the head of the first one of each fetch.
class TextAnswers final : public AnswerWriter {
 public:
  TextAnswers(const std::vector<AskedMetric>& asked, bool reasons, TextBuffer& out)
      : asked_(asked), reasons_(reasons), out_(out) {
    for (const AskedMetric& metric : asked) width_ = std::max(width_, Columns(metric.name));
  }

  void Write(const replay::FetchAnswer& fetch) override {
    lead_ = ToIsoText(fetch.time.Normalised());
    if (fetch.status != ErrorCode::kOk) {
      Lead() << "outside of the archive (" << ErrorText(fetch.status) << ")\n";
      return;
    }
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      const AskedMetric& asked = asked_[i];
      const replay::MetricAnswer& metric = fetch.metrics[i];
      if (metric.status != ErrorCode::kOk) {
        Name(asked.name) << ErrorText(metric.status) << ": " << Displayable(metric.message) << '\n';
      } else if (metric.values.empty()) {
        Name(asked.name) << "no value\n";
      }
      for (const replay::InstanceAnswer& value : metric.values) {
        Name(asked.name);
        if (asked.names != nullptr) {
          out_ << '[' << value.instance << ' '
               << Quoted(asked.names->At(value.instance, fetch.time)) << "]  ";
        }
        const std::string text = ValueText(value.value);
        out_ << (asked.descriptor.type == MetricType::kString ? Quoted(text) : text);
        if (reasons_) Reason(value);
        out_ << '\n';
      }
    }
  }

 private:
  static std::string Quoted(std::string_view text) {
    std::string quoted;
    AppendQuoted(text, Quoting::kText, &quoted);
    return quoted;
  }

  TextBuffer& Lead() {
    out_ << lead_ << "  ";
    lead_.assign(lead_.size(), ' ');
    return out_;
  }

  TextBuffer& Name(const std::string& name) {
    Lead() << Displayable(name);
    for (std::size_t i = Columns(name); i < width_ + 2; ++i) out_ << ' ';
    return out_;
  }

  void Reason(const replay::InstanceAnswer& value) {
    out_ << "    [" << value.why.ToString();
    if (value.bounds) {
      out_ << ": ";
      Bound(value.bounds->prior);
      if (value.bounds->prior.moment != value.bounds->next.moment) {
        out_ << " .. ";
        Bound(value.bounds->next);
      }
    }
    out_ << ']';
  }

  void Bound(const replay::Bound& bound) {
    if (bound.kind == replay::Bound::Kind::kNone) {
      out_ << "nothing";
      return;
    }
    if (bound.kind == replay::Bound::Kind::kMark) out_ << "mark";
    if (bound.kind == replay::Bound::Kind::kDamage) out_ << "damage";
    if (bound.IsValue()) {
      out_ << (NumericSize(bound.value.type) > 0 ? ValueText(bound.value) : "value");
    }
    out_ << " at " << TimeText(bound.moment.time) << " (record " << bound.moment.record << ')';
  }

  const std::vector<AskedMetric>& asked_;
  bool reasons_;
  TextBuffer& out_;
  std::size_t width_ = 0;
  std::string lead_;
};

}  // namespace

std::unique_ptr<AnswerWriter> MakeTextAnswers(const std::vector<AskedMetric>& asked, bool reasons,
                                              TextBuffer& out) {
  return std::make_unique<TextAnswers>(asked, reasons, out);
}

}  // namespace pmproof::validator
