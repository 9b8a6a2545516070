// SPDX-License-Identifier: Apache-2.0
#include "validator/check/report/read_triaged.h"

#include <charconv>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "reference/archive/layout.h"
#include "validator/text/json_string.h"

namespace pmproof::validator {
namespace {

using Json = nlohmann::json;

template <typename Number>
std::optional<Number> NumberOf(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// What is not normalised is written as it is stored: "5.+2000000000".
std::optional<Timestamp> ParseEpochText(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos || dot + 1 == text.size()) return std::nullopt;
  std::string_view fraction = text.substr(dot + 1);
  if (fraction.front() != '+' && fraction.front() != '-') {
    return ParseTime("@" + std::string(text));
  }
  if (fraction.front() == '+') fraction.remove_prefix(1);
  const auto seconds = NumberOf<std::int64_t>(text.substr(0, dot));
  const auto nanoseconds = NumberOf<std::int32_t>(fraction);
  if (!seconds || !nanoseconds) return std::nullopt;
  return Timestamp{*seconds, *nanoseconds};
}

// PartText() read back.
std::optional<std::int32_t> ParsePart(std::string_view text) {
  if (text == "archive") return archive::kWholeArchive;
  if (text == "meta") return archive::kMetaPart;
  if (text == "index") return archive::kIndexPart;
  return NumberOf<std::int32_t>(text);
}

class NeighboursReader {
 public:
  explicit NeighboursReader(Neighbours& directory) : directory_(directory) {}

  std::string Read(const Json& value) {
    JsonMembers members(value);
    directory_.directory = members.Text("directory");
    directory_.metrics = members.Count("metrics");
    // The places of the archives are needed by all that follows.
    for (const char* list : {"archives", "gaps", "overlaps", "hiding", "partial", "findings"}) {
      const Json* items = members.Find(list);
      if (items == nullptr || !items->is_array()) members.Fail(list, "is not a list");
      if (!members.wrong().empty()) return members.wrong();
      for (const Json& item : *items) {
        if (const std::string wrong = ReadItem(list, item); !wrong.empty()) {
          return std::string(list) + "[]: " + wrong;
        }
      }
    }
    return "";
  }

 private:
  std::string ReadItem(std::string_view list, const Json& item) {
    if (list == "archives") {
      if (!item.is_string()) return "is not a text";
      const std::string name = FromJsonString(item.get_ref<const std::string&>());
      places_.emplace(name, directory_.members.size());
      directory_.members.push_back({.name = name});
      return "";
    }
    if (list == "gaps") return ReadSeam(item, &directory_.gaps.emplace_back());
    if (list == "overlaps") return ReadSeam(item, &directory_.overlaps.emplace_back());
    if (list == "hiding") return ReadHiding(item);
    if (list == "partial") return ReadPartial(item, &directory_.partial.emplace_back());
    return ReadFinding(item, &directory_.findings.emplace_back());
  }

  std::size_t PlaceOf(JsonMembers& members, const char* member) {
    const auto place = places_.find(members.Text(member));
    if (place != places_.end()) return place->second;
    members.Fail(member, "is none of the archives");
    return 0;
  }

  std::string ReadSeam(const Json& item, Seam* seam) {
    JsonMembers members(item);
    seam->before = PlaceOf(members, "before");
    seam->after = PlaceOf(members, "after");
    std::optional<Timestamp> from;
    std::optional<Timestamp> to;
    ReadTime(members, "from", &from);
    ReadTime(members, "to", &to);
    if (!from || !to) members.Fail("from and to", "are not two times");
    seam->from = from.value_or(Timestamp());
    seam->to = to.value_or(Timestamp());
    seam->nanoseconds = NanosecondsBetween(seam->from, seam->to);
    return members.wrong();
  }

  std::string ReadHiding(const Json& item) {
    JsonMembers members(item);
    const std::size_t place = PlaceOf(members, "archive");
    const bool opens = members.Flag("opens");
    if (!members.wrong().empty()) return members.wrong();
    directory_.members[place].opens = opens;
    directory_.hiding.push_back(place);
    return "";
  }

  std::string ReadPartial(const Json& item, PartialMetric* metric) const {
    JsonMembers members(item);
    metric->name = members.Text("name");
    const Json* missing = members.Find("missing");
    if (missing == nullptr || !missing->is_array() || missing->empty()) {
      members.Fail("missing", "is not a list");
      return members.wrong();
    }
    for (const Json& run : *missing) {
      const bool is_run = run.is_array() && run.size() == 2 && run[0].is_number_unsigned() &&
                          run[1].is_number_unsigned();
      const auto [first, last] =
          is_run ? std::pair(run[0].get<std::size_t>(), run[1].get<std::size_t>())
                 : std::pair<std::size_t, std::size_t>(1, 0);
      if (first > last || last >= directory_.members.size()) return "missing is no run of archives";
      metric->missing.emplace_back(first, last);
    }
    return members.wrong();
  }

  Neighbours& directory_;
  std::map<std::string, std::size_t, std::less<>> places_;
};

}  // namespace

void ReadTime(JsonMembers& members, const char* member, std::optional<Timestamp>* time) {
  const Json* value = members.Find(member);
  if (value == nullptr || value->is_null()) return;
  if (value->is_string()) *time = ParseEpochText(value->get_ref<const std::string&>());
  if (!*time) members.Fail(member, "is not a time");
}

std::string ReadFinding(const Json& value, Finding* finding) {
  const auto text = [&](const char* member) {
    const auto found = value.find(member);
    if (found == value.end() || !found->is_string()) return std::string();
    return FromJsonString(found->get_ref<const std::string&>());
  };
  const auto number = [&](const char* member) -> std::optional<std::uint64_t> {
    const auto found = value.find(member);
    if (found == value.end() || !found->is_number_unsigned()) return std::nullopt;
    return found->get<std::uint64_t>();
  };
  if (!value.is_object()) return "is not a finding";
  const auto rule = Clause::Parse(text("rule"));
  const auto severity = ParseSeverity(text("severity"));
  if (!rule || !severity) return "is not a finding";
  const auto count = number("count");
  if (!count) return "has no count";
  finding->rule = *rule;
  finding->severity = *severity;
  finding->count = *count;
  finding->file = text("file");
  finding->part = ParsePart(text("part")).value_or(archive::kWholeArchive);
  finding->offset = number("offset").value_or(0);
  finding->length = number("length").value_or(0);
  finding->record = number("record").value_or(0);
  finding->field = text("field");
  finding->actual = text("actual");
  finding->expected = text("expected");
  finding->message = text("message");
  const auto metric = value.find("metric");
  if (metric == value.end()) return "";
  if (!metric->is_array()) return "has a metric that is not a list";
  for (const Json& name : *metric) {
    if (!name.is_string()) return "has a metric whose name is not a text";
    finding->metric.push_back(FromJsonString(name.get_ref<const std::string&>()));
  }
  return "";
}

std::string ReadTriageNote(const Json& value, TriageNote* note) {
  JsonMembers members(value);
  if (members.Find("directory") != nullptr) {
    return NeighboursReader(note->set.emplace()).Read(value);
  }
  Triaged& triaged = note->archive.emplace();
  triaged.condition = members.Parsed("condition", ParseCondition);
  triaged.why = members.Text("why");
  triaged.next = members.Text("next");
  triaged.host = members.Text("host");
  return members.wrong();
}

}  // namespace pmproof::validator
