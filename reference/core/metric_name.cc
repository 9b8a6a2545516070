// SPDX-License-Identifier: Apache-2.0
#include "reference/core/metric_name.h"

namespace pmproof {
namespace {

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsBelow(std::string_view name, std::string_view node) {
  return name.size() > node.size() && name.starts_with(node) && name[node.size()] == '.';
}

}  // namespace

bool IsMetricName(std::string_view name) {
  bool start_of_component = true;
  for (const char c : name) {
    if (start_of_component ? !IsLetter(c) : !(IsLetter(c) || IsDigit(c) || c == '_' || c == '.')) {
      return false;
    }
    start_of_component = c == '.';
  }
  return !start_of_component;
}

std::string JoinNames(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " or ") + name;
  return text;
}

bool NameSpace::IsInner(std::string_view name) const {
  const auto next = leaves_.lower_bound(std::string(name) + ".");
  return next != leaves_.end() && IsBelow(next->first, name);
}

NameSpace::Outcome NameSpace::Add(std::string_view name, Pmid pmid) {
  if (const auto found = leaves_.find(name); found != leaves_.end()) {
    return found->second == pmid ? Outcome::kThereAlready : Outcome::kTaken;
  }
  if (IsInner(name)) return Outcome::kInner;
  for (std::size_t dot = name.find('.'); dot != std::string_view::npos;
       dot = name.find('.', dot + 1)) {
    if (leaves_.contains(name.substr(0, dot))) return Outcome::kInner;
  }
  leaves_.emplace(name, pmid);
  return Outcome::kAdded;
}

tl::expected<Pmid, ErrorCode> NameSpace::Find(std::string_view name) const {
  if (const auto found = leaves_.find(name); found != leaves_.end()) return found->second;
  return tl::unexpected(IsInner(name) ? ErrorCode::kNonLeaf : ErrorCode::kName);
}

std::vector<std::string> NameSpace::NamesOf(Pmid pmid) const {
  std::vector<std::string> names;
  for (const auto& [name, of] : leaves_) {
    if (of == pmid) names.push_back(name);
  }
  return names;
}

std::vector<std::string> NameSpace::LeavesBelow(std::string_view node) const {
  std::vector<std::string> names;
  if (leaves_.contains(node)) names.emplace_back(node);
  auto at = node.empty() ? leaves_.begin() : leaves_.lower_bound(std::string(node) + ".");
  for (; at != leaves_.end() && (node.empty() || IsBelow(at->first, node)); ++at) {
    names.push_back(at->first);
  }
  return names;
}

}  // namespace pmproof
