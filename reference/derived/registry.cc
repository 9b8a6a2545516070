// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/registry.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace pmproof::derived {
namespace {

constexpr std::uint32_t kDomain = 511;
// DER-207: the clusters below are those of derived metrics; a logger sets the bit (DER-1301).
constexpr std::uint32_t kClusters = 2048;
constexpr std::uint32_t kLastItem = 1023;

RegistrationError NameError(std::string message, Clause clause) {
  return {RegistrationError::Stage::kName, 0, std::move(message), clause, {}};
}

bool IsAlpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsNameCharacter(char c) { return IsAlpha(c) || (c >= '0' && c <= '9') || c == '_'; }

}  // namespace

Registry::Registry(Scope scope, const Dialect& dialect)
    : scope_(scope),
      dialect_(dialect),
      next_(scope == Scope::kGlobal ? Pmid::Of(kDomain, 0, 1)
                                    : Pmid::Of(kDomain, kClusters - 1, kLastItem)) {
  if (dialect.controls) RegisterEventMetrics();
}

std::optional<RegistrationError> Registry::CheckName(std::string_view name) const {
  const bool global = scope_ == Scope::kGlobal;
  const std::string scope = global ? "global" : "per-context";
  if (limit_ && count_ >= *limit_) {
    return NameError("Too many " + scope + " derived metrics", "DER-405"_clause);
  }
  if (by_name_.contains(name)) {
    return NameError("Duplicate " + scope + " derived metric name", "DER-203"_clause);
  }
  if (!next_) return NameError(scope + " PMID space exhausted", "DER-1401"_clause);
  return std::nullopt;
}

// DER-207.
void Registry::AdvancePmid() {
  const std::uint32_t cluster = next_->cluster();
  const std::uint32_t item = next_->item();
  if (scope_ == Scope::kGlobal) {
    if (item < kLastItem) {
      next_ = Pmid::Of(kDomain, cluster, item + 1);
    } else if (cluster + 1 < kClusters) {
      next_ = Pmid::Of(kDomain, cluster + 1, 1);
    } else {
      next_.reset();
    }
  } else if (item > 1) {
    next_ = Pmid::Of(kDomain, cluster, item - 1);
  } else if (cluster > 0) {
    next_ = Pmid::Of(kDomain, cluster - 1, kLastItem);
  } else {
    next_.reset();
  }
}

tl::expected<DefinitionPointer, RegistrationError> Registry::Register(std::string_view name,
                                                                      std::string_view text) {
  if (auto error = CheckName(name)) return tl::unexpected(std::move(*error));
  auto parsed = Parse(text, dialect_);
  if (!parsed) {
    SyntaxError& error = parsed.error();
    const bool budget = error.kind == SyntaxError::Kind::kBudget;
    return tl::unexpected(RegistrationError{
        budget ? RegistrationError::Stage::kBudget : RegistrationError::Stage::kSyntax,
        error.position,
        std::move(error.message),
        error.clause,
        {}});
  }
  auto definition = std::make_shared<const Definition>(Definition{
      std::string(name), *next_, std::make_shared<const Expression>(std::move(*parsed))});
  AdvancePmid();
  ++count_;
  by_name_.emplace(definition->name, definition);
  by_pmid_.emplace(definition->pmid, definition);
  return definition;
}

void Registry::RegisterEventMetrics() {
  if (std::exchange(event_metrics_, true) || scope_ == Scope::kContext ||
      !dialect_.whole_language) {
    return;
  }
  const std::size_t users = count_;
  const std::optional<std::size_t> limit = std::exchange(limit_, std::nullopt);
  struct EventMetric {
    const char* name;
    const char* oneline;
    const char* helptext;
  };
  for (const auto& [name, oneline, helptext] :
       {EventMetric{"event.flags", "Flags for event records", "The flags of an event record."},
        EventMetric{"event.missed", "Count of missed event records",
                    "How many event records the agent or the client lost before this one."}}) {
    // An error is a definition by the user that has the name already.
    if (!Register(name, "anon(PM_TYPE_U32)")) continue;
    SetOneLine(name, oneline);
    SetHelpText(name, helptext);
  }
  count_ = users;
  limit_ = limit;
}

bool Registry::Unregister(std::string_view name) {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return false;
  by_pmid_.erase(found->second->pmid);
  by_name_.erase(found);
  if (count_ > 0) --count_;
  return true;
}

bool Registry::SetAttribute(std::string_view name,
                            std::optional<std::string> Definition::*attribute, std::string text) {
  const auto found = by_name_.find(name);
  if (found == by_name_.end() || ((*found->second).*attribute).has_value()) return false;
  Definition changed = *found->second;
  changed.*attribute = std::move(text);
  found->second = std::make_shared<const Definition>(std::move(changed));
  by_pmid_[found->second->pmid] = found->second;
  return true;
}

bool Registry::SetOneLine(std::string_view name, std::string text) {
  return SetAttribute(name, &Definition::oneline, std::move(text));
}

bool Registry::SetHelpText(std::string_view name, std::string text) {
  return SetAttribute(name, &Definition::helptext, std::move(text));
}

DefinitionPointer Registry::Find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

DefinitionPointer Registry::Find(Pmid pmid) const {
  const auto found = by_pmid_.find(pmid);
  return found == by_pmid_.end() ? nullptr : found->second;
}

bool IsConfigurationName(std::string_view name) {
  // [Q] One "." may end the name.
  if (name.ends_with('.')) name.remove_suffix(1);
  while (true) {
    const std::size_t dot = name.find('.');
    const std::string_view part = name.substr(0, dot);
    if (part.empty() || !IsAlpha(part[0])) return false;
    if (!std::all_of(part.begin(), part.end(), IsNameCharacter)) return false;
    if (dot == std::string_view::npos) return true;
    name.remove_prefix(dot + 1);
  }
}

std::string RegistrationMessage(RegistrationCall call, std::string_view name, std::string_view text,
                                const RegistrationError& error) {
  const bool add = call == RegistrationCall::kAdd;
  std::string message;
  if (add && error.stage == RegistrationError::Stage::kSyntax) message = "Syntax ";
  if (add && error.stage == RegistrationError::Stage::kBind) message = "Semantic ";
  message.append("Error: ").append(add ? "pmAddDerivedMetric" : "pmRegisterDerivedMetric");
  message.append("(\"").append(name).append("\", ...)");
  if (add && error.stage == RegistrationError::Stage::kName) {
    message.append(": returns -12409\n");
  } else {
    // [Q] One blank for the position -1 too.
    const auto blanks = static_cast<std::size_t>(std::abs(error.position));
    message.append("\n").append(text).append("\n").append(blanks, ' ').append("^\n");
  }
  if (!error.message.empty()) message.append(error.message).append("\n");
  return message;
}

}  // namespace pmproof::derived
