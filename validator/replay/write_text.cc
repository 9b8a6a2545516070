// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "validator/replay/answer_writer.h"
#include "validator/text/display.h"
#include "validator/text/quote.h"

namespace pmproof::validator {
namespace {

// A line for each value, the time at the head of the first one of each fetch.
class TextAnswers final : public AnswerWriter {
 public:
  TextAnswers(const std::vector<AskedMetric>& asked, bool reasons, TextBuffer& out)
      : asked_(asked), reasons_(reasons), out_(out) {
    for (const AskedMetric& metric : asked) {
      width_ = std::max(width_, Columns(Displayable(metric.name)));
    }
  }

  void Write(const replay::FetchAnswer& fetch, const Deviations& deviations) override {
    lead_ = ToIsoText(fetch.time.Normalised());
    if (fetch.status != ErrorCode::kOk && fetch.message.empty()) {
      Lead() << "outside of the archive (" << ErrorText(fetch.status) << ")\n";
      return;
    }
    if (fetch.status != ErrorCode::kOk) {
      Lead() << ErrorText(fetch.status) << ": " << Displayable(fetch.message) << '\n';
      return;
    }
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      WriteMetric(asked_[i], fetch.metrics[i], MetricDeviations(deviations, i), fetch.time);
    }
  }

 private:
  void WriteMetric(const AskedMetric& asked, const replay::MetricAnswer& metric,
                   const MetricDeviations& deviations, Timestamp time) {
    const std::vector<std::int32_t> missing = deviations.Missing(metric);
    if (metric.status != ErrorCode::kOk) {
      Name(asked.name) << ErrorText(metric.status) << ": " << Displayable(metric.message);
      Names(deviations.Of(std::nullopt));
      out_ << '\n';
    } else if (metric.values.empty() && missing.empty()) {
      Name(asked.name) << "no value";
      Names(deviations.Of(std::nullopt));
      out_ << '\n';
    }
    for (const replay::InstanceAnswer& value : metric.values) {
      Name(asked.name);
      Instance(asked, value.instance, time);
      const std::string text = ValueText(value.value);
      out_ << (asked.descriptor.type == MetricType::kString ? Quoted(text) : text);
      if (reasons_) Reason(asked, value);
      Names(deviations.Of(value.instance));
      out_ << '\n';
    }
    for (const std::int32_t instance : missing) {
      Name(asked.name);
      Instance(asked, instance, time);
      out_ << "no value";
      Names(deviations.Of(instance));
      out_ << '\n';
    }
  }

  void Instance(const AskedMetric& asked, std::int32_t instance, Timestamp time) {
    if (asked.names == nullptr) return;
    out_ << '[' << instance << ' ' << Quoted(asked.names->At(instance, time)) << "]  ";
  }

  void Names(std::span<const std::string> deviations) {
    const char* between = "    [deviates by ";
    for (const std::string& name : deviations) {
      out_ << between << name;
      between = ", ";
    }
    if (!deviations.empty()) out_ << ']';
  }

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
    const std::string shown = Displayable(name);
    Lead() << shown;
    for (std::size_t i = Columns(shown); i < width_ + 2; ++i) out_ << ' ';
    return out_;
  }

  void Reason(const AskedMetric& asked, const replay::InstanceAnswer& value) {
    if (asked.derivation) return Reason(*asked.derivation);
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

  void Reason(const Derivation& derivation) {
    out_ << "    [" << derivation.clause.ToString();
    const char* between = ": from ";
    for (const std::string& name : derivation.names) {
      out_ << between << Displayable(name);
      between = ", ";
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
