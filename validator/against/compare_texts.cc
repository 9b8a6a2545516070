// SPDX-License-Identifier: Apache-2.0
#include "validator/against/compare_texts.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace pmproof::validator::against {
namespace {

// Type and identifier (ARC-433).
using HelpKey = std::pair<std::uint32_t, std::uint32_t>;

bool IsOfMetric(std::uint32_t type) { return (type & 4) != 0 && (type & 8) == 0; }

std::string TypeText(std::uint32_t type) {
  switch (static_cast<TextType>(type)) {
    case TextType::kMetricOneLine:
    case TextType::kIndomOneLine:
      return "one line";
    case TextType::kMetricHelp:
    case TextType::kIndomHelp:
      return "help";
  }
  return "type " + std::to_string(type);
}

template <typename InOriginal>
std::map<HelpKey, std::string_view> CollectHelp(const Side& side, InOriginal&& in_original) {
  std::map<HelpKey, std::string_view> texts;
  for (const SideMember& member : side.members()) {
    for (const archive::TextRecord& text : member.opened.metadata.texts) {
      const std::uint32_t identifier = IsOfMetric(text.type)
                                           ? in_original(Pmid{text.identifier}).value
                                           : in_original(Indom{text.identifier}).value;
      texts[{text.type, identifier}] = text.text;
    }
  }
  return texts;
}

void LogText(DifferenceLog& log, const HelpKey& key, const MetricPairs& metrics,
             std::optional<std::string_view> was, std::optional<std::string_view> is) {
  if (was == is) return;
  const auto [type, identifier] = key;
  const bool remains =
      IsOfMetric(type) ? metrics.metrics().Remain(identifier) : metrics.indoms().Remain(identifier);
  if (!remains) return;
  const Change change = !is ? Change::kLost : !was ? Change::kAdded : Change::kChanged;
  log.Add(
      {Kind::kHelp, change, identifier, IsOfMetric(type) ? 0U : 1U}, std::nullopt, std::nullopt,
      [&, type = type, identifier = identifier] {
        Difference difference;
        if (IsOfMetric(type)) {
          const Pmid pmid{identifier};
          const auto pair = metrics.all().find(pmid);
          difference.pmid = pmid;
          difference.subject = pair == metrics.all().end() ? ToText(pmid) : pair->second.Name();
        } else {
          difference.subject = "instance domain " + ToText(Indom{identifier});
        }
        return difference;
      },
      [&, type = type] {
        return Example{.at = {},
                       .item = TypeText(type),
                       .was = Shortened(was.value_or("")),
                       .is = Shortened(is.value_or(""))};
      });
}

// The texts of the labels of a side.
template <typename Field>
std::set<std::string> TextsOf(const Side& side, Field&& field) {
  std::set<std::string> texts;
  for (const SideMember& member : side.members()) texts.insert(field(*member.opened.label));
  texts.erase("");
  return texts;
}

template <typename Field>
void CompareField(const Side& original, const Side& replacement, Kind kind, const char* name,
                  Field&& field, DifferenceLog& log) {
  const auto add = [&](Change change, const std::string& was, const std::string& is) {
    log.Add(
        {kind, change}, std::nullopt, std::nullopt, [] { return Difference{}; },
        [&] {
          return Example{.at = {}, .item = name, .was = Shortened(was), .is = Shortened(is)};
        });
  };
  const std::string& first = field(*original.members().front().opened.label);
  const std::string& first_instead = field(*replacement.members().front().opened.label);
  if (first != first_instead) {
    add(first_instead.empty() ? Change::kLost
        : first.empty()       ? Change::kAdded
                              : Change::kChanged,
        first, first_instead);
  }
  const std::set<std::string> was = TextsOf(original, field);
  const std::set<std::string> is = TextsOf(replacement, field);
  for (const std::string& text : was) {
    if (text != first && !is.contains(text)) add(Change::kLost, text, "");
  }
  for (const std::string& text : is) {
    if (text != first_instead && !was.contains(text)) add(Change::kAdded, "", text);
  }
}

}  // namespace

void CompareHelp(const Side& original, const Side& replacement, const MetricPairs& metrics,
                 DifferenceLog& log) {
  const auto was = CollectHelp(original, [](auto number) { return number; });
  const auto is = CollectHelp(replacement, [&](auto number) { return metrics.InOriginal(number); });
  for (const auto& [key, text] : was) {
    const auto found = is.find(key);
    LogText(log, key, metrics, text,
            found == is.end() ? std::nullopt : std::optional(found->second));
  }
  for (const auto& [key, text] : is) {
    if (!was.contains(key)) LogText(log, key, metrics, std::nullopt, text);
  }
}

void CompareOrigin(const Side& original, const Side& replacement, DifferenceLog& log) {
  using archive::ArchiveLabel;
  CompareField(
      original, replacement, Kind::kHost, "host",
      [](const ArchiveLabel& label) -> const std::string& { return label.host; }, log);
  CompareField(
      original, replacement, Kind::kZone, "timezone",
      [](const ArchiveLabel& label) -> const std::string& { return label.timezone; }, log);
  CompareField(
      original, replacement, Kind::kZone, "zoneinfo",
      [](const ArchiveLabel& label) -> const std::string& { return label.zoneinfo; }, log);
}

}  // namespace pmproof::validator::against
