// SPDX-License-Identifier: Apache-2.0
#include "validator/policy/read_report.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "validator/custody/json_stream.h"
#include "validator/text/json_string.h"

namespace pmproof::validator::policy {
namespace {

using Json = nlohmann::json;

// Of what is told as one value, such as all that was not checked of an archive.
constexpr std::size_t kMostValue = std::size_t{64} << 20;

// The text of a member; nothing if it is none.
std::optional<std::string> TextOf(const Json& object, const char* member) {
  if (!object.is_object()) return std::nullopt;
  const auto found = object.find(member);
  if (found == object.end() || !found->is_string()) return std::nullopt;
  return FromJsonString(found->get<std::string>());
}

class ReportReader final : public JsonConsumer {
 public:
  Report& report() { return report_; }

  bool IsStreamed(std::string_view pattern, bool is_array) const override {
    return is_array ? pattern == "archives" || pattern == "archives[].findings"
                    : pattern.empty() || pattern == "archives[]";
  }

  std::string OnBegin(std::string_view pattern, std::uint64_t) override {
    if (pattern == "archives[]") {
      if (!has_schema_) return "has no schema in front";
      report_.archives.emplace_back();
    }
    return "";
  }

  std::string OnEnd(std::string_view pattern, std::uint64_t) override {
    if (pattern.empty()) return is_complete_ ? "" : "is no report that is complete";
    if (pattern != "archives[]") return "";
    ArchiveReport& archive = report_.archives.back();
    if (archive.archive.empty()) return "has no name";
    archive.readable = !archive.failure && archive.counts.fatal == 0;
    archive.conformant = archive.readable && archive.counts.error == 0;
    return "";
  }

  std::string OnValue(std::string_view pattern, const Json& value, std::uint64_t) override {
    if (pattern == "schema") {
      has_schema_ = value == "pmproof-report/1";
      return has_schema_ ? "" : "is not pmproof-report/1";
    }
    if (pattern == "policy") return "the report was judged by a policy already";
    if (pattern == "profile") {
      const auto profile =
          value.is_string() ? ParseProfile(value.get<std::string>()) : std::nullopt;
      if (!profile) return "is unknown";
      report_.profile = *profile;
    } else if (pattern == "footer") {
      is_complete_ = value.is_object() && value.value("complete", Json()) == true;
    } else if (pattern == "archives[].findings[]") {
      return OnFinding(value);
    } else if (pattern.starts_with("archives[].")) {
      return OnMember(pattern.substr(std::string_view("archives[].").size()), value);
    }
    return "";
  }

 private:
  std::string OnMember(std::string_view name, const Json& value) {
    ArchiveReport& archive = report_.archives.back();
    if (name == "archive") {
      if (!value.is_string()) return "is not a text";
      archive.archive = FromJsonString(value.get<std::string>());
    } else if (name == "members") {
      if (!value.is_array()) return "is not a list";
      archive.members.resize(value.size());
    } else if (name == "failure") {
      if (value.is_null()) return "";
      archive.failure = Status{.message = TextOf(value, "message").value_or("no verdict")};
    } else if (name == "not_checked") {
      if (!value.is_array()) return "is not a list";
      for (const Json& item : value) {
        archive.not_checked.push_back(
            {TextOf(item, "rule").value_or(""), TextOf(item, "because").value_or("")});
      }
    }
    return "";
  }

  std::string OnFinding(const Json& value) {
    const auto rule = Clause::Parse(TextOf(value, "rule").value_or(""));
    const auto severity = ParseSeverity(TextOf(value, "severity").value_or(""));
    if (!rule || !severity) return "is not a finding";
    const auto count = value.find("count");
    if (count == value.end() || !count->is_number_unsigned()) return "has no count";
    ArchiveReport& archive = report_.archives.back();
    Finding& finding = archive.findings.emplace_back();
    finding.rule = *rule;
    finding.severity = *severity;
    finding.count = count->get<std::uint64_t>();
    CountOf(archive.counts, *severity) += finding.count;
    const auto metric = value.find("metric");
    if (metric == value.end()) return "";
    if (!metric->is_array()) return "has a metric that is not a list";
    for (const Json& name : *metric) {
      if (!name.is_string()) return "has a metric whose name is not a text";
      finding.metric.push_back(FromJsonString(name.get<std::string>()));
    }
    return "";
  }

  Report report_;
  bool has_schema_ = false;
  bool is_complete_ = false;
};

}  // namespace

Result<Report> ReadReport(Bytes document, const std::string& file) {
  ReportReader reader;
  if (std::optional<Status> error = ReadJson(document, file, reader, {.value = kMostValue})) {
    return tl::unexpected(std::move(*error));
  }
  return std::move(reader.report());
}

}  // namespace pmproof::validator::policy
