// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/names/name_tree.h"

#include <algorithm>

#include "reference/core/metric_name.h"

namespace pmproof::pmda {

std::pair<NameTree::Index, std::string_view> NameTree::Descend(std::string_view name) const {
  Index node = kRoot;
  while (!name.empty()) {
    const std::size_t dot = name.find('.');
    const auto found = children_.find(std::pair(node, name.substr(0, dot)));
    if (found == children_.end()) break;
    node = found->second;
    if (dot == std::string_view::npos) return {node, {}};
    // "a." names nothing, as "a" is what has a node.
    if (dot + 1 == name.size()) return {node, name.substr(dot)};
    name.remove_prefix(dot + 1);
  }
  return {node, name};
}

NameTree::Index NameTree::NodeOf(std::string_view name) const {
  const auto [node, rest] = Descend(name);
  return rest.empty() ? node : kNone;
}

NameTree::Outcome NameTree::Add(std::string_view name, Pmid pmid) {
  if (!IsMetricName(name)) return Outcome::kBadName;
  if (pmid.flag() || (pmid.domain() == 511 && !IsDynamicRoot(pmid))) return Outcome::kBadPmid;
  auto [node, rest] = Descend(name);
  if (rest.empty()) {
    if (nodes_[node].pmid.IsNull()) return Outcome::kInner;
    return nodes_[node].pmid == pmid ? Outcome::kThereAlready : Outcome::kTaken;
  }
  if (!nodes_[node].pmid.IsNull()) return Outcome::kInner;
  while (!rest.empty()) {
    const std::size_t dot = rest.find('.');
    const std::string_view component = rest.substr(0, dot);
    rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
    const Index added = nodes_.size();
    nodes_.push_back({.component = std::string(component), .parent = node});
    Index& link = nodes_[node].last_child == kNone ? nodes_[node].first_child
                                                   : nodes_[nodes_[node].last_child].next_sibling;
    link = added;
    nodes_[node].last_child = added;
    children_.emplace(std::pair(node, std::string(component)), added);
    node = added;
  }
  nodes_[node].pmid = pmid;
  if (!IsDynamicRoot(pmid)) by_pmid_[pmid].push_back(node);
  ++size_;
  return Outcome::kAdded;
}

std::string NameTree::FullName(Index node) const {
  std::vector<Index> path;
  for (; node != kRoot; node = nodes_[node].parent) path.push_back(node);
  std::string name;
  for (auto at = path.rbegin(); at != path.rend(); ++at) {
    if (!name.empty()) name += '.';
    name += nodes_[*at].component;
  }
  return name;
}

tl::expected<Pmid, ErrorCode> NameTree::Find(std::string_view name) const {
  const Index node = NodeOf(name);
  if (node == kNone) return tl::unexpected(ErrorCode::kName);
  if (nodes_[node].pmid.IsNull()) return tl::unexpected(ErrorCode::kNonLeaf);
  return nodes_[node].pmid;
}

std::vector<std::string> NameTree::NamesOf(Pmid pmid) const {
  std::vector<std::string> names;
  if (const auto found = by_pmid_.find(pmid); found != by_pmid_.end()) {
    for (const Index node : found->second) names.push_back(FullName(node));
  }
  return names;
}

tl::expected<std::vector<NameTree::Child>, ErrorCode> NameTree::Children(
    std::string_view name) const {
  const Index node = NodeOf(name);
  if (node == kNone) return tl::unexpected(ErrorCode::kName);
  std::vector<Child> children;
  for (Index at = nodes_[node].first_child; at != kNone; at = nodes_[at].next_sibling) {
    const Pmid pmid = nodes_[at].pmid;
    children.push_back({nodes_[at].component, !pmid.IsNull() && !IsDynamicRoot(pmid)});
  }
  return children;
}

tl::expected<std::vector<NameTree::Leaf>, ErrorCode> NameTree::Traverse(
    std::string_view name) const {
  const Index top = NodeOf(name);
  if (top == kNone) return tl::unexpected(ErrorCode::kName);
  std::vector<Leaf> leaves;
  std::string full(name);
  Index node = top;
  // Down to the first child, else on to the next sibling of the nearest node that has one; `full`
  // is always the name of `node`.
  while (true) {
    if (!nodes_[node].pmid.IsNull()) leaves.push_back({full, nodes_[node].pmid});
    if (nodes_[node].first_child != kNone) {
      node = nodes_[node].first_child;
      full += full.empty() ? "" : ".";
      full += nodes_[node].component;
      continue;
    }
    const auto up = [&] {
      const std::size_t size = nodes_[node].component.size();
      full.resize(full.size() - std::min(full.size(), size + 1));
    };
    while (node != top && nodes_[node].next_sibling == kNone) {
      up();
      node = nodes_[node].parent;
    }
    if (node == top) return leaves;
    up();
    node = nodes_[node].next_sibling;
    full += full.empty() ? "" : ".";
    full += nodes_[node].component;
  }
}

Pmid NameTree::DynamicRootAbove(std::string_view name) const {
  const auto [node, rest] = Descend(name);
  return IsDynamicRoot(nodes_[node].pmid) ? nodes_[node].pmid : Pmid::Null();
}

}  // namespace pmproof::pmda
