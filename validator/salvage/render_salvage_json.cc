// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <optional>
#include <utility>

#include "reference/core/timestamp.h"
#include "validator/salvage/render_salvage.h"
#include "validator/text/json_values.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

Json TimeJson(const std::optional<Timestamp>& time) {
  return time ? Json(ToIsoText(*time)) : Json(nullptr);
}

Json TextJson(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json LossJson(const Loss& loss) {
  const bool has_place = loss.kind != Loss::Kind::kLabel && loss.kind != Loss::Kind::kFile;
  return {{"kind", ToText(loss.kind)},
          {"rule", loss.clause.ToString()},
          {"file", loss.file},
          {"part", PartText(loss.part)},
          {"offset", has_place ? Json(loss.offset) : Json(nullptr)},
          {"length", has_place && loss.length > 0 ? Json(loss.length) : Json(nullptr)},
          {"count", loss.count > 0 ? Json(loss.count) : Json(nullptr)},
          {"values", loss.kind == Loss::Kind::kValues ? Json(loss.values) : Json(nullptr)},
          {"from", TimeJson(loss.from)},
          {"until", TimeJson(loss.until)},
          {"subject", TextJson(loss.subject)},
          {"message", loss.message}};
}

Json AnswersJson(const SalvageReport& report, const AnswerSpan& span) {
  Json metrics;
  for (const std::size_t metric : span.metrics) metrics.push_back(report.metrics[metric]);
  return {{"from", TimeJson(span.from)},
          {"until", TimeJson(span.until)},
          {"metrics", std::move(metrics)}};
}

}  // namespace

void RenderSalvageJson(const SalvageReport& report, const Catalogue& catalogue, std::ostream& out) {
  const bool saved = report.outcome != SalvageReport::Outcome::kNothing;
  const SalvageReport::Kept& kept = report.kept;
  const SalvageReport::Lost& lost = report.lost;
  LongJson json(out);
  json.Object().Members(
      {{"schema", "pmproof-salvage/1"},
       {"tool", {{"name", "pmproof"}, {"version", kVersion}, {"rules", catalogue.digest()}}},
       {"in", report.in},
       {"out", saved ? Json(report.out) : Json(nullptr)},
       {"outcome", ToText(report.outcome)},
       {"why_nothing", TextJson(report.why_nothing)},
       {"archive_version", report.version == 0 ? Json(nullptr) : Json(report.version)},
       {"label_from", TextJson(report.label_from)},
       {"index_was_missing", report.index_was_missing},
       {"kept",
        {{"records", kept.records},
         {"marks", kept.marks},
         {"value_sets", kept.value_sets},
         {"values", kept.values},
         {"metadata", kept.metadata},
         {"volumes", kept.volumes},
         {"bytes", kept.bytes},
         {"first", TimeJson(kept.first)},
         {"last", TimeJson(kept.last)}}},
       {"marks_written", report.marks_written},
       {"lost",
        {{"bytes", lost.bytes},
         {"records", lost.records},
         {"marks", lost.marks},
         {"value_sets", lost.value_sets},
         {"values", lost.values},
         {"metadata", lost.metadata}}}});
  json.Key("losses").Array();
  for (const Loss& loss : report.losses) json.Value(LossJson(loss));
  json.Close();
  json.Key("answers").Array();
  for (const AnswerSpan& span : report.answers) json.Value(AnswersJson(report, span));
  json.Close().Close();
  out << '\n';
}

}  // namespace pmproof::validator
