// SPDX-License-Identifier: Apache-2.0
#include "validator/tool_output/compare/values.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "reference/core/error_code.h"

namespace pmproof::validator::compare {

using tool_output::Item;
using tool_output::Record;
using tool_output::Tool;

namespace {

std::string NumberText(double number) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

std::optional<double> NumberOf(const Item& item) {
  if (!item.value || item.type == "string") return std::nullopt;
  double number = 0;
  const char* const end = item.value->data() + item.value->size();
  const auto [to, error] = std::from_chars(item.value->data(), end, number);
  if (error != std::errc() || to != end) return std::nullopt;
  return number;
}

bool IsEvent(const Item& item) { return item.type == "event" || item.type == "highres_event"; }

constexpr char kEventArray[] = "an event array, which the tool shows in another form than replay";

// The items of what is expected, each of which is taken once: by the instance's number, else by its
// name, which a column may have cut or altered, else by place.
class ItemIndex {
 public:
  explicit ItemIndex(const std::vector<Item>& items) : items_(items), taken_(items.size()) {}

  const Item* Take(const Item& actual, std::size_t place) {
    if (place < items_.size() && !taken_[place] && IsSame(actual, items_[place])) {
      return TakeAt(place);
    }
    Fill(actual.delimiter);
    if (actual.has_instance) {
      const auto found = numbers_.find(Number(actual));
      if (found != numbers_.end()) return taken_[found->second] ? nullptr : TakeAt(found->second);
      if (!numbers_.empty()) return nullptr;
    }
    if (!actual.name) return nullptr;
    const std::string name = CsvName(*actual.name, actual.delimiter);
    for (auto found = names_.lower_bound(name);
         found != names_.end() &&
         (actual.cut ? found->first.starts_with(name) : found->first == name);
         found = names_.erase(found)) {
      if (!taken_[found->second]) return TakeAt(found->second);
    }
    return nullptr;
  }

  bool IsTaken(std::size_t i) const { return taken_[i]; }

 private:
  static std::int64_t Number(const Item& item) { return item.instance.value_or(-1); }

  static bool IsSame(const Item& actual, const Item& item) {
    if (actual.has_instance && item.has_instance) return actual.instance == item.instance;
    if (actual.name && item.name) return *actual.name == *item.name;
    return !actual.name && !actual.has_instance;
  }

  const Item* TakeAt(std::size_t i) {
    taken_[i] = true;
    return &items_[i];
  }

  void Fill(std::string_view delimiter) {
    if (std::exchange(filled_, true)) return;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (items_[i].has_instance) numbers_.try_emplace(Number(items_[i]), i);
      if (items_[i].name) names_.emplace(CsvName(*items_[i].name, delimiter), i);
    }
  }

  const std::vector<Item>& items_;
  std::vector<bool> taken_;
  bool filled_ = false;
  std::unordered_map<std::int64_t, std::size_t> numbers_;
  std::multimap<std::string, std::size_t> names_;
};

std::string ShownValue(const Item& item) {
  if (!item.value) return item.state;
  return item.type == "string" ? "\"" + *item.value + "\"" : *item.value;
}

std::string ShownStatus(const Record& record) {
  if (!record.status) return record.message;
  if (*record.status == 0) return record.items.empty() ? "no values" : "values";
  return ToText(static_cast<ErrorCode>(*record.status));
}

}  // namespace

std::string ShortName(const std::string& metric) {
  std::string text;
  std::size_t at = 0;
  for (std::size_t dot = metric.find('.'); dot != std::string::npos; dot = metric.find('.', at)) {
    text += metric.substr(at, 1) + ".";
    at = dot + 1;
  }
  return text + metric.substr(at);
}

Timestamp CutTime(Timestamp time, unsigned digits) {
  time = time.Normalised();
  std::int32_t unit = 1;
  for (unsigned place = digits; place < 9; ++place) unit *= 10;
  time.nanoseconds -= time.nanoseconds % unit;
  return time;
}

std::string InstanceText(const Item& item) {
  if (item.name) return *item.name;
  if (item.instance) return std::to_string(*item.instance);
  return "";
}

void Comparison::Values::Expect(Record record) {
  const auto [place, fresh] = by_metric_.try_emplace(record.metric, series_.size());
  if (fresh) {
    series_.emplace_back().metric = record.metric;
    by_short_name_[ShortName(record.metric)].push_back(place->second);
    // A golden output of another version may have short names itself.
    if (record.abbreviated) by_short_name_[record.metric] = {place->second};
    for (const std::string& name : record.names) by_metric_.try_emplace(name, place->second);
  }
  series_[place->second].answers.push_back({std::move(record)});
}

void Comparison::Values::ExpectedIsComplete() {
  for (Series& series : series_) {
    series.empty = std::ranges::all_of(series.answers, [](const Expected& answer) {
      return answer.record.status == 0 && answer.record.items.empty();
    });
    // Records of one time stay in their order.
    std::ranges::stable_sort(series.answers, {}, [](const Expected& answer) {
      return answer.record.time.value_or(Timestamp{INT64_MIN, 0});
    });
    if (series.answers.front().record.rate) series.rates = true;
    const bool printed_as_rates =
        std::ranges::find(options_.counters, series.metric) != options_.counters.end();
    if (printed_as_rates) MakeRates(1, &series);
  }
}

// OUT-217, OUT-716: from the values at two fetches that have them.
void Comparison::Values::MakeRates(double factor, Series* series) const {
  if (series->rates) return;
  series->rates = true;
  using Key = std::pair<std::int64_t, std::string>;
  std::map<Key, double> before;
  std::optional<Timestamp> time_before;
  for (Expected& answer : series->answers) {
    Record& record = answer.record;
    if (!record.time) return;
    const double seconds =
        time_before ? static_cast<double>(NanosecondsBetween(*time_before, *record.time)) / 1e9 : 0;
    std::map<Key, double> now;
    std::vector<Item> rates;
    for (Item& item : record.items) {
      const auto number = NumberOf(item);
      if (!number) continue;
      const Key key{item.instance.value_or(-1), item.name.value_or("")};
      now[key] = *number;
      const auto last = before.find(key);
      if (last == before.end() || seconds <= 0) continue;
      const double rate = (*number - last->second) / (seconds * factor);
      item.type = "double";
      item.value = NumberText(rate);
      if (rate < 0) {
        // OUT-214 `!`, OUT-716 N/A.
        if (tool_ == Tool::kPmrep) continue;
        item.value.reset();
        item.state = "decreased";
      }
      rates.push_back(std::move(item));
    }
    record.items = std::move(rates);
    before = std::move(now);
    time_before = record.time;
  }
}

bool Comparison::Values::ShowsErrors() const {
  return tool_ != Tool::kPmval && tool_ != Tool::kPmevent && tool_ != Tool::kPmrep;
}

// OUT-425, OUT-511.
bool Comparison::Values::LeavesOutWhatHasNoValue() const {
  return tool_ == Tool::kPmdumplog || tool_ == Tool::kPmlogsummary;
}

Difference Comparison::Values::Differ(const char* what, const Record& record) const {
  Difference difference;
  difference.what = what;
  difference.metric = record.metric;
  if (record.time) difference.time = ToEpochText(*record.time);
  difference.line = record.line;
  return difference;
}

Comparison::Values::Series* Comparison::Values::Find(const Record& actual) {
  if (actual.abbreviated) {
    // It may be cut to the width of its column, too.
    const auto found = by_short_name_.lower_bound(actual.metric);
    const bool known = found != by_short_name_.end() && found->first.starts_with(actual.metric);
    const auto next = known ? std::next(found) : found;
    const bool whole = known && found->first == actual.metric;
    const bool alone =
        whole || next == by_short_name_.end() || !next->first.starts_with(actual.metric);
    if (known && alone && found->second.size() == 1) return &series_[found->second.front()];
    if (known) {
      ++outcome_->not_compared["a column's short name stands for several metrics: run pmrep -g"];
    }
    return nullptr;
  }
  if (const auto found = by_metric_.find(actual.metric); found != by_metric_.end()) {
    return &series_[found->second];
  }
  for (const std::string& name : actual.names) {
    if (const auto found = by_metric_.find(name); found != by_metric_.end()) {
      return &series_[found->second];
    }
  }
  return nullptr;
}

// Of several answers at what was printed as one time the first that was not found yet.
Comparison::Values::Expected* Comparison::Values::FindAnswer(const Record& actual, Series* series) {
  if (!actual.time) {
    // OUT-321, OUT-604: of the first record that has the metric.
    series->timeless = true;
    for (std::size_t& i = series->first; i < series->answers.size(); ++i) {
      Expected& answer = series->answers[i];
      const bool empty = answer.record.status == 0 && answer.record.items.empty();
      if (!answer.found && (!empty || series->empty)) return &answer;
    }
    return nullptr;
  }
  auto at =
      std::ranges::lower_bound(series->answers, *actual.time, {}, [&](const Expected& answer) {
        return answer.record.time ? CutTime(*answer.record.time, actual.digits)
                                  : Timestamp{INT64_MIN, 0};
      });
  for (; at != series->answers.end(); ++at) {
    if (!at->record.time || CutTime(*at->record.time, actual.digits) != *actual.time) break;
    if (!at->found) return &*at;
  }
  return nullptr;
}

void Comparison::Values::Take(const Record& actual) {
  Series* const series = Find(actual);
  if (series == nullptr) {
    if (unexpected_.insert(actual.metric).second) {
      outcome_->differences.push_back(Differ("extra metric", actual));
    }
    return;
  }
  series->seen = true;
  if (actual.rate) MakeRates(actual.factor, series);
  Expected* const answer = FindAnswer(actual, series);
  if (answer == nullptr) {
    if (actual.items.empty() && actual.status == 0) return;
    Difference difference = Differ("extra time", actual);
    difference.metric = series->metric;
    difference.actual =
        actual.status == 0 ? std::to_string(actual.items.size()) + " values" : ShownStatus(actual);
    outcome_->differences.push_back(std::move(difference));
    return;
  }
  answer->found = true;
  const Record& expected = answer->record;
  const bool failed = expected.status != 0 && ShowsErrors();
  if (!failed && actual.status == 0 && actual.items.empty() && expected.items.empty()) {
    ++outcome_->absences;
    return;
  }
  if (failed || actual.status != 0) {
    // OUT-321: of a metric that no record has, a tool that looks for the first one finds the end.
    const bool none = series->timeless && series->empty &&
                      actual.status == static_cast<std::int32_t>(ErrorCode::kEndOfLog);
    const bool same = none || (actual.status == expected.status &&
                               (actual.status.has_value() || actual.message == expected.message));
    if (!same) {
      Difference difference = Differ("error", actual);
      difference.metric = series->metric;
      difference.actual = ShownStatus(actual);
      difference.expected = ShownStatus(expected);
      if (!expected.time.has_value()) difference.time.clear();
      outcome_->differences.push_back(std::move(difference));
    }
    ++outcome_->values;
    return;
  }
  CompareItems(actual, expected);
}

void Comparison::Values::CompareItem(const Record& actual, const Item& item, const Record& expected,
                                     const Item& wanted) {
  if (IsEvent(item) || IsEvent(wanted)) {
    ++outcome_->not_compared[kEventArray];
    return;
  }
  if (item.state == "too wide" || wanted.state == "too wide") {
    ++outcome_->not_compared["a value for which its column is too narrow (OUT-715)"];
    return;
  }
  ++outcome_->values;
  const Printing printing =
      tool_ == Tool::kPminfo || tool_ == Tool::kPmdumplog || tool_ == Tool::kPmprobe
          ? Printing::kSignificant
          : Printing::kFixed;
  const bool renamed = item.has_instance && wanted.has_instance && item.name && wanted.name &&
                       *item.name != *wanted.name && !item.cut && !wanted.cut;
  Difference difference = Differ(renamed ? "name" : "value", actual);
  difference.metric = expected.metric;
  if (expected.time && actual.time) difference.time = ToEpochText(*expected.time);
  difference.instance = InstanceText(wanted.name ? wanted : item);
  if (renamed) {
    difference.actual = *item.name;
    difference.expected = *wanted.name;
    outcome_->differences.push_back(std::move(difference));
  }
  if (SameValue(item, wanted, printing, options_.tolerance)) return;
  difference.what = "value";
  difference.actual = ShownValue(item);
  difference.expected = ShownValue(wanted);
  outcome_->differences.push_back(std::move(difference));
}

void Comparison::Values::CompareItems(const Record& actual, const Record& expected) {
  ItemIndex index(expected.items);
  for (std::size_t i = 0; i < actual.items.size(); ++i) {
    const Item& item = actual.items[i];
    if (const Item* const wanted = index.Take(item, i)) {
      CompareItem(actual, item, expected, *wanted);
      continue;
    }
    Difference difference = Differ("extra value", actual);
    difference.metric = expected.metric;
    difference.instance = InstanceText(item);
    difference.actual = ShownValue(item);
    outcome_->differences.push_back(std::move(difference));
  }
  for (std::size_t i = 0; i < expected.items.size(); ++i) {
    if (index.IsTaken(i)) continue;
    const Item& item = expected.items[i];
    if (IsEvent(item)) {
      ++outcome_->not_compared[kEventArray];
      continue;
    }
    Difference difference = Differ("missing value", actual);
    difference.metric = expected.metric;
    if (expected.time && actual.time) difference.time = ToEpochText(*expected.time);
    difference.instance = InstanceText(item);
    difference.expected = ShownValue(item);
    outcome_->differences.push_back(std::move(difference));
  }
}

void Comparison::Values::Finish() {
  for (const Series& series : series_) {
    const auto has_content = [&](const Expected& answer) {
      if (answer.record.status != 0) return ShowsErrors();
      return std::ranges::any_of(answer.record.items,
                                 [](const Item& item) { return !IsEvent(item); });
    };
    if (!series.seen) {
      if (std::ranges::none_of(series.answers, has_content)) {
        // Saying nothing is how the tool says that there is none.
        if (series.empty && LeavesOutWhatHasNoValue()) outcome_->absences += series.answers.size();
        continue;
      }
      Difference difference;
      difference.what = "missing metric";
      difference.metric = series.metric;
      outcome_->differences.push_back(std::move(difference));
      continue;
    }
    ++outcome_->metrics;
    for (const Expected& answer : series.answers) {
      if (answer.found || !has_content(answer)) continue;
      if (series.timeless) {
        ++outcome_->not_compared["an expected time after the first, of a tool that shows one"];
        continue;
      }
      Difference difference = Differ("missing time", answer.record);
      difference.line = 0;
      difference.expected = answer.record.status == 0
                                ? std::to_string(answer.record.items.size()) + " values"
                                : ShownStatus(answer.record);
      outcome_->differences.push_back(std::move(difference));
    }
  }
}

}  // namespace pmproof::validator::compare
