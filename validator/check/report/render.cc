// SPDX-License-Identifier: Apache-2.0
#include "validator/check/report/render.h"

namespace pmproof::validator {

const char* ToText(Format format) {
  switch (format) {
    case Format::kText:
      return "text";
    case Format::kJson:
      return "json";
    case Format::kJsonLines:
      return "jsonl";
    case Format::kSarif:
      return "sarif";
    case Format::kJunit:
      return "junit";
    case Format::kHtml:
      return "html";
    case Format::kGithub:
      return "github";
    case Format::kOpenMetrics:
      return "openmetrics";
    case Format::kBatch:
      return "batch";
  }
  return "?";
}

std::optional<Format> ParseFormat(std::string_view text) {
  for (const Format format : kFormats) {
    if (text == ToText(format)) return format;
  }
  return std::nullopt;
}

std::string HelpUri(const std::string& docs, Clause id) {
  std::string anchor = id.ToString();
  for (char& c : anchor) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return docs + "reference/spec/archive.html#" + anchor;
}

void Render(Format format, const Report& report, const Catalogue& catalogue,
            const RenderOptions& options, std::ostream& out) {
  switch (format) {
    case Format::kText:
      return RenderText(report, catalogue, options, out);
    case Format::kJson:
      return RenderJson(report, catalogue, options, out);
    case Format::kJsonLines:
      return RenderJsonLines(report, catalogue, options, out);
    case Format::kSarif:
      return RenderSarif(report, catalogue, options, out);
    case Format::kJunit:
      return RenderJunit(report, options, out);
    case Format::kHtml:
      return RenderHtml(report, catalogue, options, out);
    case Format::kGithub:
      return RenderGithub(report, catalogue, options, out);
    case Format::kOpenMetrics:
      return RenderOpenMetrics(report, catalogue, options, out);
    case Format::kBatch:
      return RenderBatch(report, catalogue, options, out);
  }
}

}  // namespace pmproof::validator
