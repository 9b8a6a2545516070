// SPDX-License-Identifier: Apache-2.0
#include "reference/core/printable.h"
#include "validator/policy/policy.h"
#include "validator/text/duration.h"

namespace pmproof::validator::policy {
namespace {

std::string Words(const std::vector<std::string>& words) {
  constexpr std::size_t kMostShown = 5;
  std::string text;
  for (std::size_t i = 0; i < words.size() && i < kMostShown; ++i) {
    text += (i == 0 ? "" : ", ") + Printable(words[i]);
  }
  if (words.size() > kMostShown) {
    text += " and " + std::to_string(words.size() - kMostShown) + " more";
  }
  return text;
}

std::string Describe(const Place& place) {
  std::string text;
  const auto add = [&](const char* what, const std::optional<std::string>& pattern) {
    if (!pattern) return;
    text += std::string(text.empty() ? " where " : " and ") + what + " is " + Printable(*pattern);
  };
  add("archive", place.archive);
  add("host", place.host);
  add("metric", place.metric);
  return text;
}

}  // namespace

std::string Describe(const Reclassify& entry) {
  return entry.rule.ToString() + " is " + ToText(entry.severity) + Describe(entry.where);
}

std::string Describe(const Require& entry) {
  std::string text;
  const auto add = [&](const std::string& fact) { text += (text.empty() ? "" : "; ") + fact; };
  const auto add_list = [&](const char* what, const std::vector<std::string>& words) {
    if (!words.empty()) add(what + Words(words));
  };
  const auto add_time = [&](const char* what, const std::optional<std::int64_t>& time) {
    if (time) add(what + DurationText(*time));
  };
  add_list("metrics ", entry.metrics);
  add_time("span at least ", entry.min_span);
  add_time("interval at most ", entry.max_interval);
  add_time("gaps at most ", entry.max_gap);
  add_list("host one of ", entry.hosts);
  add_list("labels ", entry.label_keys);
  add_list("time zone one of ", entry.time_zones);
  add_list("compression one of ", entry.compression);
  std::vector<std::string> versions;
  for (const std::int64_t version : entry.versions) versions.push_back(std::to_string(version));
  add_list("version one of ", versions);
  return text + Describe(entry.where);
}

}  // namespace pmproof::validator::policy
