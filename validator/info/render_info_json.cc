// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include "validator/info/render_info.h"
#include "validator/text/json_values.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

Json TimeJson(const std::optional<Timestamp>& time) {
  if (!time) return nullptr;
  return {{"epoch", ToEpochText(*time)}, {"iso", ToIsoText(*time)}};
}

// Seconds with nine decimals: not a number, which would lose digits.
Json DurationJson(std::int64_t nanoseconds) { return ToEpochText(Timestamp{0, 0} + nanoseconds); }

Json LabelJson(const archive::ArchiveLabel& label) {
  return {{"version", label.version},
          {"pid", label.pid},
          {"host", label.host},
          {"timezone", label.timezone},
          {"zoneinfo", label.version == 3 ? Json(label.zoneinfo) : Json(nullptr)},
          {"features", label.version == 3 ? Json(label.features) : Json(nullptr)},
          {"start", TimeJson(label.start)}};
}

Json FileJson(const FileInfo& file) {
  return {{"name", file.name},
          {"part", PartText(file.part)},
          {"compression", CompressionName(file.compression)},
          {"stored_bytes", file.stored},
          {"bytes", file.uncompressed ? Json(*file.uncompressed) : Json(nullptr)}};
}

template <typename Map>
Json CountsJson(const Map& counts) {
  Json json = Json::object();
  for (const auto& [key, count] : counts) json[ToText(key)] = count;
  return json;
}

Json TextsJson(const std::map<std::uint32_t, std::uint64_t>& texts) {
  Json json = Json::object();
  for (const auto& [type, count] : texts) json[HelpTextName(type)] = count;
  return json;
}

Json MetadataJson(const ArchiveInfo& info) {
  const MetadataCounts& counts = info.metadata;
  return {{"metrics", counts.metrics},
          {"names", counts.names},
          {"types", CountsJson(counts.types)},
          {"semantics", CountsJson(counts.semantics)},
          {"descriptors", counts.descriptors},
          {"indoms", counts.indoms},
          {"indom_records", counts.full_records},
          {"indom_deltas", counts.delta_records},
          {"labels", CountsJson(counts.labels)},
          {"texts", TextsJson(counts.texts)},
          {"undecoded", counts.undecoded}};
}

Json DataJson(const DataCounts& counts) {
  return {{"records", counts.records},
          {"marks", counts.marks},
          {"value_sets", counts.value_sets},
          {"values", counts.values},
          {"undecoded", counts.undecoded}};
}

Json SpanJson(const ArchiveInfo& info) {
  const bool any = info.data.first.has_value();
  return {{"first", TimeJson(info.data.first)},
          {"last", TimeJson(info.data.last)},
          {"length", any ? DurationJson(NanosecondsBetween(*info.data.first, *info.data.last))
                         : Json(nullptr)},
          {"median_interval",
           info.median_interval > 0 ? DurationJson(info.median_interval) : Json(nullptr)}};
}

Json ArchiveJson(const ArchiveInfo& info) {
  Json json = {{"archive", info.archive},
               {"failure", info.failure ? StatusJson(*info.failure) : Json(nullptr)},
               {"label", info.label ? LabelJson(*info.label) : Json(nullptr)}};
  Json& files = json["files"] = Json::array();
  for (const FileInfo& file : info.files) files.push_back(FileJson(file));
  json["span"] = SpanJson(info);
  json["volumes"] = info.volumes;
  json["metadata"] = MetadataJson(info);
  json["index_entries"] = info.index_entries;
  json["data"] = DataJson(info.data);
  Json& marks = json["marks"] = Json::array();
  for (const MarkInfo& mark : info.marks) {
    marks.push_back({{"time", TimeJson(mark.time)},
                     {"before", TimeJson(mark.before)},
                     {"after", TimeJson(mark.after)}});
  }
  Json& gaps = json["gaps"] = Json::array();
  for (const GapInfo& gap : info.gaps) {
    gaps.push_back({{"from", TimeJson(gap.from)},
                    {"to", TimeJson(gap.to)},
                    {"length", DurationJson(gap.nanoseconds)}});
  }
  Json& problems = json["problems"] = Json::array();
  for (const Status& problem : info.problems) problems.push_back(StatusJson(problem));
  return json;
}

}  // namespace

void RenderInfoJson(const InfoReport& report, std::ostream& out) {
  Json json = {{"schema", "pmproof-info/1"},
               {"tool", {{"name", "pmproof"}, {"version", kVersion}}}};
  Json& archives = json["archives"] = Json::array();
  for (const ArchiveInfo& info : report.archives) archives.push_back(ArchiveJson(info));
  Json& errors = json["errors"] = Json::array();
  for (const Status& error : report.errors) errors.push_back(StatusJson(error));
  json["footer"] = {{"complete", true}, {"archives", report.archives.size()}};
  out << DumpJson(json, 2) << '\n';
}

}  // namespace pmproof::validator
