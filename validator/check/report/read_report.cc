// SPDX-License-Identifier: Apache-2.0
#include "validator/check/report/read_report.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "reference/archive/layout.h"
#include "validator/check/report/read_triaged.h"
#include "validator/text/json_members.h"
#include "validator/text/json_stream.h"
#include "validator/text/json_string.h"

namespace pmproof::validator {
namespace {

using Json = nlohmann::json;

// Of what is told as one value, such as all that was not checked of an archive.
constexpr std::size_t kMostValue = std::size_t{64} << 20;

// The text of a member; nothing if it is none.
std::optional<std::string> TextOf(const Json& object, const char* member) {
  if (!object.is_object()) return std::nullopt;
  const auto found = object.find(member);
  if (found == object.end() || !found->is_string()) return std::nullopt;
  return FromJsonString(found->get_ref<const std::string&>());
}

std::string ReadTexts(const Json& value, std::vector<std::string>* texts) {
  if (!value.is_array()) return "is not a list";
  for (const Json& text : value) {
    if (!text.is_string()) return "is not a list of texts";
    texts->push_back(FromJsonString(text.get_ref<const std::string&>()));
  }
  return "";
}

// As StatusJson() writes them.
Status::Kind KindOf(std::string_view text) {
  static constexpr std::pair<std::string_view, Status::Kind> kKinds[] = {
      {"not_found", Status::Kind::kNotFound},
      {"unreadable", Status::Kind::kUnreadable},
      {"not_an_archive", Status::Kind::kNotAnArchive},
      {"unsupported", Status::Kind::kUnsupported},
      {"budget", Status::Kind::kBudget},
      {"usage", Status::Kind::kUsage}};
  for (const auto& [name, kind] : kKinds) {
    if (text == name) return kind;
  }
  return Status::Kind::kDamaged;
}

Status StatusOf(const Json& value) {
  Status status;
  status.kind = KindOf(TextOf(value, "kind").value_or(""));
  status.file = TextOf(value, "file").value_or("");
  status.message = TextOf(value, "message").value_or("no verdict");
  status.clause = Clause::Parse(TextOf(value, "rule").value_or("")).value_or(Clause());
  if (!value.is_object()) return status;
  const auto offset = value.find("offset");
  if (offset != value.end() && offset->is_number_unsigned())
    status.offset = offset->get<std::uint64_t>();
  return status;
}

std::string ReadSummary(const Json& value, Summary* summary) {
  JsonMembers members(value);
  summary->files = members.Count("files");
  summary->bytes = members.Count("bytes");
  summary->records = members.Count("records");
  summary->values = members.Count("values");
  summary->metrics = members.Count("metrics");
  summary->indoms = members.Count("indoms");
  summary->marks = members.Count("marks");
  summary->volumes = members.Count("volumes");
  summary->index_entries = members.Count("index_entries");
  ReadTime(members, "start", &summary->start);
  ReadTime(members, "finish", &summary->finish);
  return members.wrong();
}

std::string ReadCounts(const Json& value, Counts* counts) {
  JsonMembers members(value);
  counts->fatal = members.Count("fatal");
  counts->error = members.Count("error");
  counts->warning = members.Count("warning");
  counts->info = members.Count("info");
  return members.wrong();
}

class ReportReader final : public JsonConsumer {
 public:
  explicit ReportReader(const ReportReading& reading) : reading_(reading) {}

  ReportFrame& frame() { return frame_; }

  bool IsStreamed(std::string_view pattern, bool is_array) const override {
    return is_array ? pattern == "archives" || pattern == "archives[].findings"
                    : pattern.empty() || pattern == "archives[]";
  }

  std::string OnBegin(std::string_view pattern, std::uint64_t) override {
    if (pattern == "archives[]") {
      if (!has_schema_) return "has no schema in front";
      archive_ = {};
      note_ = {};
    }
    return "";
  }

  std::string OnEnd(std::string_view pattern, std::uint64_t) override {
    if (pattern.empty()) return is_complete_ ? "" : "is no report that is complete";
    if (pattern != "archives[]") return "";
    if (archive_.archive.empty()) return "has no name";
    return reading_.entry(std::move(archive_), std::move(note_));
  }

  std::string OnValue(std::string_view pattern, const Json& value, std::uint64_t) override {
    if (pattern == "archives[].findings[]") {
      return ReadFinding(value, &archive_.findings.emplace_back());
    }
    if (pattern.starts_with("archives[].")) {
      return OnMember(pattern.substr(std::string_view("archives[].").size()), value);
    }
    if (pattern == "footer") {
      is_complete_ = value.is_object() && value.value("complete", Json()) == true;
      return "";
    }
    if (pattern == "errors") {
      if (!value.is_array()) return "is not a list";
      for (const Json& error : value) frame_.errors.push_back(StatusOf(error));
      return "";
    }
    return OnFrame(pattern, value);
  }

 private:
  std::string OnFrame(std::string_view name, const Json& value) {
    if (name == "schema") {
      has_schema_ = value == "pmproof-report/1";
      return has_schema_ ? "" : "is not pmproof-report/1";
    }
    if (name == "policy") {
      frame_.judged = true;
    } else if (name == "tool") {
      frame_.version = TextOf(value, "version").value_or("");
      frame_.rules = TextOf(value, "rules").value_or("");
    } else if (name == "profile") {
      const auto profile =
          value.is_string() ? ParseProfile(value.get<std::string>()) : std::nullopt;
      if (!profile) return "is unknown";
      frame_.profile = *profile;
    } else {
      return "";
    }
    return reading_.frame ? reading_.frame(frame_) : "";
  }

  std::string OnMember(std::string_view name, const Json& value) {
    if (name == "archive") {
      if (!value.is_string()) return "is not a text";
      archive_.archive = FromJsonString(value.get_ref<const std::string&>());
    } else if (name == "members") {
      return ReadTexts(value, &archive_.members);
    } else if (name == "failure") {
      if (!value.is_null()) archive_.failure = StatusOf(value);
    } else if (name == "internal_errors") {
      return ReadTexts(value, &archive_.internal_errors);
    } else if (name == "readable" || name == "conformant") {
      if (!value.is_boolean()) return "is neither true nor false";
      (name == "readable" ? archive_.readable : archive_.conformant) = value.get<bool>();
    } else if (name == "archive_version") {
      if (value.is_number_unsigned() && value < 4U) archive_.archive_version = value.get<int>();
    } else if (name == "summary") {
      return ReadSummary(value, &archive_.summary);
    } else if (name == "counts") {
      return ReadCounts(value, &archive_.counts);
    } else if (name == "triage") {
      return ReadTriageNote(value, &note_);
    } else if (name == "not_checked") {
      if (!value.is_array()) return "is not a list";
      for (const Json& item : value) {
        archive_.not_checked.push_back(
            {TextOf(item, "rule").value_or(""), TextOf(item, "because").value_or("")});
      }
    }
    return "";
  }

  const ReportReading& reading_;
  ReportFrame frame_;
  ArchiveReport archive_;  // that is being read
  TriageNote note_;
  bool has_schema_ = false;
  bool is_complete_ = false;
};

}  // namespace

Result<ReportFrame> ReadReport(Bytes document, const std::string& file,
                               const ReportReading& reading) {
  ReportReader reader(reading);
  if (std::optional<Status> error = ReadJson(document, file, reader, {.value = kMostValue})) {
    return tl::unexpected(std::move(*error));
  }
  return std::move(reader.frame());
}

}  // namespace pmproof::validator
