// SPDX-License-Identifier: Apache-2.0
#include "validator/tool_output/compare/other_records.h"

#include <algorithm>
#include <array>
#include <utility>

#include "validator/tool_output/compare/same_value.h"
#include "validator/tool_output/compare/values.h"
#include "validator/tool_output/record_json.h"

namespace pmproof::validator::compare {

using tool_output::Attribute;
using tool_output::Item;
using tool_output::Record;
using tool_output::TextOf;

namespace {

// What a record is about, beside its kind, time and metric.
constexpr std::array<std::string_view, 13> kAbout = {
    "indom", "pmid", "form",  "level", "of",     "instance", "name",
    "index", "file", "place", "at",    "offset", "host"};
// The same of records that have nothing else.
constexpr std::array<std::string_view, 4> kWhole = {"finding", "progress", "record", "mark"};

// Where an archive lies, and what only some versions print (OUT-814, OUT-821).
constexpr std::array<std::string_view, 3> kMayDiffer = {"archive", "of", "difference"};

// Text of attributes that are times, with as many decimals as were printed.
constexpr std::array<std::string_view, 9> kTimes = {"start",        "finish",      "minimum_time",
                                                    "maximum_time", "before_time", "after_time",
                                                    "at",           "than",        "interval"};

template <std::size_t size>
bool IsOneOf(const std::array<std::string_view, size>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// A record's own name, where it may have several.
std::string_view FirstName(const Record& record) {
  std::string_view first = record.metric;
  for (const std::string& name : record.names) first = std::min(first, std::string_view(name));
  return first;
}

std::string KeyOf(const Record& record) {
  std::string key = record.kind;
  const auto add = [&key](std::string_view text) {
    key += '\n';
    key += text;
  };
  add(FirstName(record));
  if (record.time) add(ToEpochText(CutTime(*record.time, record.digits)));
  add(record.clock);
  if (record.Find("on_disk") != nullptr) add("on disk");
  const bool by_name = record.Find("name") != nullptr && record.kind == "summary";
  for (const std::string_view name : kAbout) {
    // A finding's place is part of what it says; the descriptor's domain is none of it.
    if (record.kind == "descriptor" && name != "pmid") continue;
    if (record.kind == "finding" && name == "of") continue;
    if (record.kind == "archive" || record.kind == "header") continue;
    if (record.kind == "index" || (name == "pmid" && !record.metric.empty())) continue;
    if (by_name && name == "instance") continue;
    if (const Attribute* attribute = record.Find(name)) add(attribute->json);
  }
  if (IsOneOf(kWhole, record.kind)) {
    for (const char* name : {"message", "text"}) {
      if (const Attribute* attribute = record.Find(name)) add(attribute->json);
    }
  }
  return key;
}

// Of two times as text the longer one is cut.
bool SameTime(std::string a, std::string b) {
  const std::size_t size = std::min(a.size(), b.size());
  if (a.find('.') == a.npos && b.find('.') == b.npos) return a == b;
  a.resize(size);
  b.resize(size);
  return a == b;
}

Difference About(const char* what, const Record& record) {
  Difference difference;
  difference.what = what;
  difference.field = record.kind;
  difference.metric = FirstName(record);
  difference.line = record.line;
  if (record.time) difference.time = ToEpochText(*record.time);
  if (difference.metric.empty()) {
    for (const char* name : {"file", "indom", "of", "pmid"}) {
      const Attribute* const attribute = record.Find(name);
      if (attribute == nullptr || !difference.metric.empty()) continue;
      const bool indom = name == std::string_view("indom");
      difference.metric = (indom ? "InDom " : "") + TextOf(*attribute);
    }
  }
  for (const char* name : {"name", "instance", "place"}) {
    const Attribute* const attribute = record.Find(name);
    if (attribute == nullptr || !difference.instance.empty() || attribute->json == "null") continue;
    difference.instance = TextOf(*attribute);
  }
  return difference;
}

std::string Content(const Record& record) {
  for (const char* name : {"message", "text", "json", "digest", "metrics", "type"}) {
    if (const Attribute* attribute = record.Find(name)) return TextOf(*attribute);
  }
  return record.items.empty() ? "" : std::to_string(record.items.size()) + " " + record.list;
}

// What says which of a record's items one is.
std::string ItemKey(const Item& item) {
  if (item.instance) return std::to_string(*item.instance);
  return item.metric + "\n" + item.name.value_or("");
}

}  // namespace

void Comparison::OtherRecords::Expect(Record record) {
  // Notes name time zones and paths.
  if (record.kind == "note") return;
  if (record.kind == "unparsed") {
    ++outcome_->not_compared["a line of the golden output that fitted no rule"];
    return;
  }
  kinds_.insert(record.kind);
  std::string key = KeyOf(record);
  auto& records = expected_[key];
  if (records.empty()) order_.push_back(std::move(key));
  records.push_back(std::move(record));
}

void Comparison::OtherRecords::Take(const Record& actual) {
  if (!kinds_.contains(actual.kind)) {
    if (actual.kind != "note") {
      ++outcome_->not_compared["\"" + actual.kind + "\", of which nothing is expected"];
    }
    return;
  }
  const auto found = expected_.find(KeyOf(actual));
  if (found == expected_.end() || found->second.empty()) {
    Difference difference = About("extra", actual);
    difference.actual = Content(actual);
    outcome_->differences.push_back(std::move(difference));
    return;
  }
  ++outcome_->records;
  CompareRecords(actual, found->second.front());
  found->second.pop_front();
}

void Comparison::OtherRecords::CompareRecords(const Record& actual, const Record& expected) {
  const Difference at = About("field", actual);
  const auto differ = [&](std::string field, std::string now, std::string wanted) {
    Difference difference = at;
    difference.field = std::move(field);
    difference.actual = std::move(now);
    difference.expected = std::move(wanted);
    outcome_->differences.push_back(std::move(difference));
  };
  if (actual.has_status != expected.has_status || actual.status != expected.status) {
    differ("error", actual.message, expected.message);
  }
  const Attribute* const within = expected.Find("within");
  for (const Attribute& wanted : expected.attributes) {
    if (wanted.name == "within" || IsOneOf(kMayDiffer, wanted.name)) continue;
    const Attribute* const now = actual.Find(wanted.name);
    if (now == nullptr) {
      differ(wanted.name, "", TextOf(wanted));
      continue;
    }
    if (now->json == wanted.json) continue;
    const std::string a = TextOf(*now);
    const std::string b = TextOf(wanted);
    const bool numeric = within != nullptr;
    if (IsOneOf(kTimes, wanted.name) && SameTime(a, b)) continue;
    if (wanted.name == "units" && PlainUnits(a) == PlainUnits(b)) continue;
    if (numeric && SameNumber(a, b, TextOf(*within), options_.tolerance)) continue;
    differ(wanted.name, a, b);
  }
  for (const Attribute& now : actual.attributes) {
    if (now.name == "within" || IsOneOf(kMayDiffer, now.name)) continue;
    if (expected.Find(now.name) == nullptr) differ(now.name, TextOf(now), "");
  }
  CompareItems(actual, expected, at);
}

void Comparison::OtherRecords::CompareItems(const Record& actual, const Record& expected,
                                            const Difference& at) {
  std::unordered_map<std::string, std::deque<const Item*>> wanted;
  for (const Item& item : expected.items) wanted[ItemKey(item)].push_back(&item);
  const auto differ = [&](const char* what, const Item& item, std::string now, std::string then) {
    Difference difference = at;
    difference.what = what;
    difference.field = actual.kind;
    difference.instance = item.instance ? std::to_string(*item.instance) : item.name.value_or("");
    if (!item.metric.empty()) difference.instance = item.metric;
    difference.actual = std::move(now);
    difference.expected = std::move(then);
    outcome_->differences.push_back(std::move(difference));
  };
  for (const Item& item : actual.items) {
    auto& left = wanted[ItemKey(item)];
    if (left.empty()) {
      differ("extra item", item, item.name.value_or(item.value.value_or("")), "");
      continue;
    }
    const Item& then = *left.front();
    left.pop_front();
    if (item.name != then.name || item.removed != then.removed) {
      differ("item", item, item.removed ? "removed" : item.name.value_or(""),
             then.removed ? "removed" : then.name.value_or(""));
    }
    if (!SameValue(item, then, Printing::kSignificant, options_.tolerance)) {
      differ("item", item, item.value.value_or(item.state), then.value.value_or(then.state));
    }
  }
  for (const Item& item : expected.items) {
    auto& left = wanted[ItemKey(item)];
    if (left.empty()) continue;
    differ("missing item", *left.front(), "",
           left.front()->name.value_or(left.front()->value.value_or("")));
    left.pop_front();
  }
}

void Comparison::OtherRecords::Finish() {
  for (const std::string& key : order_) {
    for (const Record& record : expected_[key]) {
      Difference difference = About("missing", record);
      difference.expected = Content(record);
      difference.line = 0;
      outcome_->differences.push_back(std::move(difference));
    }
  }
}

}  // namespace pmproof::validator::compare
