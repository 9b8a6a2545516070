// SPDX-License-Identifier: Apache-2.0
#include "generators/story/label_state.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace pmproof::generators {
namespace {

constexpr std::size_t kMostLabels = 255;   // ARC-017
constexpr std::size_t kMostJson = 0xffff;  // bytes
constexpr std::size_t kLongestName = 254;

bool IsLabelName(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string_view OuterOf(std::string_view name) {
  const std::size_t dot = name.find('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(0, dot);
}

std::string_view InnerOf(std::string_view name) {
  const std::size_t dot = name.find('.');
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

std::string Numbered(const std::string& value, std::int64_t number) {
  std::string text;
  for (const char c : value) {
    if (c == '#') {
      text += std::to_string(number);
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

LabelState::LabelState(const std::vector<LabelText>& labels) {
  for (const LabelText& label : labels) {
    if (label.value.empty() || !Fits(label.name)) continue;
    labels_.emplace(label.name, Entry{label.value, label.optional});
  }
  exists_ = !labels_.empty();
}

// A label is plain or has others within it, not both.
bool LabelState::Fits(const std::string& name) const {
  const std::string_view outer = OuterOf(name);
  const std::string_view inner = InnerOf(name);
  if (!IsLabelName(inner) || (inner.size() != name.size() && !IsLabelName(outer))) return false;
  return std::ranges::none_of(labels_, [&](const auto& label) {
    const std::string& other = label.first;
    if (outer.empty()) return OuterOf(other) == name;
    return other == outer;
  });
}

void LabelState::Change(const LabelText& label) {
  if (!exists_) return;
  const auto found = labels_.find(label.name);
  if (label.value.empty()) {
    if (found == labels_.end()) return;
    labels_.erase(found);
  } else {
    Entry entry{label.value, label.optional};
    if (found != labels_.end()) {
      if (found->second == entry) return;
      found->second = std::move(entry);
    } else {
      if (!Fits(label.name)) return;
      labels_.emplace(label.name, std::move(entry));
    }
  }
  written_ = false;
}

archive::LabelSetModel LabelState::SetOf(LabelClass label_class, std::int64_t number,
                                         std::int32_t instance) const {
  archive::LabelSetModel set;
  set.instance = instance;
  if (labels_.empty()) return set;
  std::string_view open;  // the outer name of the object that is being written
  std::string json = "{";
  for (const auto& [name, entry] : labels_) {
    const std::string_view outer = OuterOf(name);
    const std::string_view inner = InnerOf(name);
    const std::string value = Numbered(entry.value, number);
    const std::size_t most = json.size() + name.size() + value.size() + 16;
    if (set.entries.size() == kMostLabels || most > kMostJson) break;
    if (outer != open && !open.empty()) json += '}';
    if (json.size() > 1) json += ',';
    if (outer != open && !outer.empty()) (json += '"').append(outer) += "\":{";
    open = outer;
    archive::LabelEntryModel stored;
    json += '"';
    stored.name_offset = static_cast<std::uint16_t>(json.size());
    stored.name_length = static_cast<std::uint8_t>(inner.size());
    json.append(inner) += "\":";
    stored.value_offset = static_cast<std::uint16_t>(json.size());
    stored.value_length = static_cast<std::uint16_t>(value.size());
    json += value;
    stored.flags = static_cast<std::uint8_t>(static_cast<std::uint32_t>(label_class) |
                                             (outer.empty() ? 0U : kLabelFlagCompound) |
                                             (entry.optional ? kLabelFlagOptional : 0U));
    set.entries.push_back(stored);
  }
  if (!open.empty()) json += '}';
  json += '}';
  set.json = std::move(json);
  return set;
}

}  // namespace pmproof::generators
