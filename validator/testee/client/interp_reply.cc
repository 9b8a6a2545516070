// SPDX-License-Identifier: Apache-2.0
#include "validator/testee/client/interp_reply.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "reference/core/bytes.h"
#include "validator/replay/read_value.h"
#include "validator/replay/value_text.h"

namespace pmproof::validator {
namespace {

using Kind = InterpReply::Kind;
using Json = nlohmann::json;

constexpr std::size_t kLongestText = 200;
constexpr std::size_t kDeepest = 32;

std::string Cut(const std::string& text) {
  return text.size() > kLongestText ? text.substr(0, kLongestText) + "..." : text;
}

// Reads an answer as it comes: there is no tree of it. What the schema does not know is passed
// over.
class ReplyReader {
 public:
  using number_integer_t = Json::number_integer_t;
  using number_unsigned_t = Json::number_unsigned_t;
  using number_float_t = Json::number_float_t;
  using string_t = Json::string_t;
  using binary_t = Json::binary_t;

  explicit ReplyReader(const InterpAsked& asked) : asked_(asked) {
    for (const InterpAsked::Metric& metric : asked.metrics) types_.push_back(ToText(metric.type));
  }

  InterpReply Read(std::string_view line) {
    const bool read = Json::sax_parse(line, this);
    const bool in_step = read && seq_ && *seq_ == asked_.seq;
    if (!read) {
      Note("no JSON");
    } else if (!in_step) {
      problem_ = "the answer to another request";
    } else if (!kind_) {
      Note("neither result nor reject, skip or error");
    } else if (*kind_ == Kind::kResult && reply_.fetches.size() != asked_.times.size()) {
      Note(std::to_string(reply_.fetches.size()) + " of " + std::to_string(asked_.times.size()) +
           " fetches");
    }
    if (!problem_.empty()) {
      return {in_step ? Kind::kProtocol : Kind::kOutOfStep, problem_, {}, {}};
    }
    reply_.kind = *kind_;
    if (*kind_ != Kind::kResult) return {KindOfError(), text_, {}, {}};
    return std::move(reply_);
  }

  // What nlohmann::json calls; each returns false to end the reading. After a problem the line is
  // read on: whether it answers this request at all may stand at its end.

  bool null() {  // NOLINT
    if (Is(Role::kValue, "instance")) instance_ = kInstanceNull;
    return true;
  }
  bool boolean(bool) { return true; }                                  // NOLINT
  bool number_float(number_float_t, const string_t&) { return true; }  // NOLINT
  bool binary(binary_t&) { return true; }                              // NOLINT
  bool number_unsigned(number_unsigned_t number) {                     // NOLINT
    return number > INT64_MAX || number_integer(static_cast<number_integer_t>(number));
  }
  bool number_integer(number_integer_t number) {  // NOLINT
    const bool fits = number >= INT32_MIN && number <= INT32_MAX;
    if (Is(Role::kValue, "instance")) {
      if (!fits) Note("an instance beyond 32 bits");
      instance_ = static_cast<std::int32_t>(number);
    } else if (Is(Role::kFetch, "status") || Is(Role::kMetric, "status")) {
      if (!fits || number > 0) Note("a status that is no error code of PCP");
      (role() == Role::kFetch ? fetch_status_ : metric_status_) = static_cast<ErrorCode>(number);
    }
    return true;
  }

  bool string(string_t& text) {  // NOLINT
    const std::string& key = keys_[depth_];
    switch (role()) {
      case Role::kTop:
        if (key == "seq") seq_ = std::move(text);
        break;
      case Role::kFetch:
        if (key == "time") time_ = ParseTime("@" + text);
        break;
      case Role::kMetric:
        if (key == "metric") name_ = std::move(text);
        break;
      case Role::kValue:
        if (key == "type") type_ = std::move(text);
        if (key == "value") value_ = std::move(text);
        break;
      case Role::kEnd:
        if (key == "class" || key == "reason" || key == "context") text_ = Cut(text);
        if (key == "outcome") outcome_ = Cut(text);
        break;
      case Role::kResult:
      case Role::kFetches:
      case Role::kMetrics:
      case Role::kValues:
      case Role::kOther:
        break;
    }
    return true;
  }

  bool key(string_t& text) {  // NOLINT
    keys_[depth_].swap(text);
    return true;
  }

  bool start_object(std::size_t) {  // NOLINT
    if (depth_ == 0) return Enter(Role::kTop);
    if (!problem_.empty()) return Enter(Role::kOther);
    const std::string& key = keys_[depth_];
    switch (role()) {
      case Role::kTop:
        return key == "result"   ? Decide(Kind::kResult, Role::kResult)
               : key == "reject" ? Decide(Kind::kReject, Role::kEnd)
               : key == "skip"   ? Decide(Kind::kSkip, Role::kEnd)
               : key == "error"  ? Decide(Kind::kError, Role::kEnd)
                                 : Enter(Role::kOther);
      case Role::kFetches:
        fetch_status_.reset();
        time_.reset();
        metrics_.clear();
        return Enter(Role::kFetch);
      case Role::kMetrics:
        if (metrics_.size() == CountOfFetch()) {
          Note("more metrics than asked for");
          return Enter(Role::kOther);
        }
        metric_status_.reset();
        name_.clear();
        values_.clear();
        return Enter(Role::kMetric);
      case Role::kValues:
        instance_.reset();
        type_.clear();
        value_.reset();
        return Enter(Role::kValue);
      case Role::kResult:
      case Role::kFetch:
      case Role::kMetric:
      case Role::kValue:
      case Role::kEnd:
      case Role::kOther:
        break;
    }
    return Enter(Role::kOther);
  }

  bool start_array(std::size_t) {  // NOLINT
    if (Is(Role::kResult, "fetches")) return Enter(Role::kFetches);
    if (Is(Role::kFetch, "metrics")) return Enter(Role::kMetrics);
    if (Is(Role::kMetric, "values")) return Enter(Role::kValues);
    return Enter(Role::kOther);
  }

  bool end_array() { return Leave(); }  // NOLINT
  bool end_object() {                   // NOLINT
    const Role ended = role();
    Leave();
    if (!problem_.empty()) return true;
    if (ended == Role::kValue) EndValue();
    if (ended == Role::kMetric) EndMetric();
    if (ended == Role::kFetch) EndFetch();
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const Json::exception&) {  // NOLINT
    return false;
  }

 private:
  // What an open object or array is.
  enum class Role : std::uint8_t {
    kTop,
    kResult,
    kFetches,
    kFetch,
    kMetrics,
    kMetric,
    kValues,
    kValue,
    kEnd,  // what stands under reject, skip or error
    kOther,
  };

  Role role() const { return depth_ == 0 ? Role::kOther : roles_[depth_]; }
  bool Is(Role role, std::string_view key) const {
    return this->role() == role && keys_[depth_] == key;
  }
  bool Enter(Role role) {
    if (depth_ + 1 == kDeepest) {
      Note("objects within objects, too deep");
      return false;
    }
    roles_[++depth_] = role;
    keys_[depth_].clear();
    return true;
  }
  bool Leave() {
    --depth_;
    return true;
  }
  // The first problem counts.
  void Note(const std::string& problem) {
    if (problem_.empty()) problem_ = Cut(problem);
  }
  bool Decide(Kind kind, Role role) {
    if (kind_) Note("two answers in one");
    kind_ = kind;
    return Enter(role);
  }

  std::size_t CountAt(std::size_t fetch) const {
    return fetch < asked_.lists.size() ? asked_.lists[fetch].size() : asked_.metrics.size();
  }
  std::size_t PositionAt(std::size_t fetch, std::size_t place) const {
    return fetch < asked_.lists.size() ? asked_.lists[fetch][place] : place;
  }
  // Of the fetch that is being read.
  std::size_t CountOfFetch() const { return CountAt(reply_.fetches.size()); }
  std::size_t PositionOf(std::size_t place) const {
    return PositionAt(reply_.fetches.size(), place);
  }

  Kind KindOfError() const {
    if (*kind_ != Kind::kError) return *kind_;
    return outcome_ == "crash"     ? Kind::kCrash
           : outcome_ == "timeout" ? Kind::kTimeout
                                   : Kind::kError;
  }

  void EndValue() {
    const std::size_t position = PositionOf(metrics_.size());
    const InterpAsked::Metric& asked = asked_.metrics[position];
    if (!instance_ || !value_) return Note(asked.name + ": a value without instance or value");
    if (type_ != types_[position]) {
      return Note(asked.name + ": a value of type " + type_ + ", the archive has " +
                  types_[position]);
    }
    if (++count_ > asked_.most_values) return Note("more values than the archive has instances");
    std::optional<Value> value;
    if (NumericSize(asked.type) > 0) {
      value = ParseNumber(asked.type, *value_);
    } else {
      value = Content(asked.type);
    }
    if (!value) return Note(asked.name + ": no value of type " + type_ + ": " + *value_);
    values_.push_back({*instance_, *value, {}, std::nullopt});
  }

  std::optional<Value> Content(MetricType type) {
    if (value_->starts_with("base64:")) {
      auto bytes = ParseBase64(*value_);
      if (!bytes) return std::nullopt;
      reply_.contents.push_back(std::move(*bytes));
    } else if (type == MetricType::kString) {
      reply_.contents.push_back(std::move(*value_));
    } else {
      return std::nullopt;
    }
    Value value;
    value.type = type;
    value.opaque = AsBytes(reply_.contents.back());
    return value;
  }

  void EndMetric() {
    const InterpAsked::Metric& asked = asked_.metrics[PositionOf(metrics_.size())];
    if (name_ != asked.name) return Note("not " + asked.name + " in its place: " + name_);
    if (!metric_status_) return Note(asked.name + ": no status");
    const auto by_instance = &replay::InstanceAnswer::instance;
    if (!std::ranges::is_sorted(values_, {}, by_instance)) {
      std::ranges::stable_sort(values_, {}, by_instance);
    }
    replay::MetricAnswer& answer = metrics_.emplace_back();
    answer.pmid = asked.pmid;
    answer.status = *metric_status_;
    if (answer.status == ErrorCode::kOk) answer.values = values_;
  }

  void EndFetch() {
    const std::size_t number = reply_.fetches.size();
    if (number == asked_.times.size()) return Note("more fetches than asked for");
    if (!fetch_status_ || !time_) return Note("a fetch without time or status");
    const Timestamp expected = asked_.times[number];
    if (time_->Normalised() != expected) {
      return Note("a fetch at " + TimeText(*time_) + " in place of " + TimeText(expected));
    }
    replay::FetchAnswer& fetch = reply_.fetches.emplace_back();
    fetch.time = expected;
    if (*fetch_status_ == ErrorCode::kEndOfLog) {
      fetch.status = ErrorCode::kEndOfLog;
      return;
    }
    if (*fetch_status_ != ErrorCode::kOk) {
      for (std::size_t i = 0; i < CountAt(number); ++i) {
        fetch.metrics.push_back(
            {asked_.metrics[PositionAt(number, i)].pmid, *fetch_status_, {}, {}});
      }
      return;
    }
    if (metrics_.size() != CountAt(number)) {
      return Note("a fetch with " + std::to_string(metrics_.size()) + " of " +
                  std::to_string(CountAt(number)) + " metrics");
    }
    fetch.metrics = std::exchange(metrics_, {});
  }

  const InterpAsked& asked_;
  std::vector<std::string> types_;
  InterpReply reply_;
  std::string problem_;
  std::size_t count_ = 0;

  // By the depth of what is open; the outermost is at 1.
  std::size_t depth_ = 0;
  std::array<Role, kDeepest> roles_{};
  std::array<std::string, kDeepest> keys_;

  std::optional<std::string> seq_;
  std::optional<Kind> kind_;
  std::string text_;
  std::string outcome_;

  std::optional<ErrorCode> fetch_status_;
  std::optional<Timestamp> time_;
  std::vector<replay::MetricAnswer> metrics_;
  std::optional<ErrorCode> metric_status_;
  std::string name_;
  std::vector<replay::InstanceAnswer> values_;
  std::optional<std::int32_t> instance_;
  std::string type_;
  std::optional<std::string> value_;
};

}  // namespace

InterpReply ReadInterpReply(std::string_view line, const InterpAsked& asked) {
  return ReplyReader(asked).Read(line);
}

}  // namespace pmproof::validator
