// SPDX-License-Identifier: Apache-2.0
#include "validator/replay/asked.h"

#include <algorithm>

#include "reference/core/error_codes.h"
#include "validator/replay/derived_metrics.h"

namespace pmproof::validator {

using replay::MetricAnswer;

Asked::Asked(const replay::ReplayArchive& archive, derived::DerivedContext* derived,
             const std::vector<std::string>& metrics, const std::vector<std::string>& instances) {
  for (const std::string& name : metrics) {
    AskedMetric& asked = metrics_.emplace_back();
    asked.name = name;
    positions_.emplace_back();
    MetricAnswer& refusal = refusals_.emplace_back();
    std::optional<Pmid> pmid = archive.Find(name);
    if (pmid) {
      asked.descriptor = archive.metrics().at(*pmid).descriptor;
    } else if (derived != nullptr) {
      pmid = FindDerived(name, derived, &asked, &refusal);
    }
    if (!pmid) {
      if (refusal.status != ErrorCode::kOk) continue;
      refusal.status = ErrorCode::kName;
      refusal.message = "the archive has no metric of this name";
      continue;
    }
    refusal.pmid = *pmid;
    const Indom indom = asked.descriptor.indom;
    if (!indom.IsNull()) asked.names = NamesOf(archive, indom);
    if (!instances.empty() && asked.names != nullptr) {
      Narrow(indom, instances);
      if (!narrowed_.at(indom)) {
        refusal.status = ErrorCode::kInstance;
        refusal.message = "no instance of it has one of the names given";
        continue;
      }
    }
    const auto known = std::ranges::find(known_, *pmid);
    positions_.back() = static_cast<std::size_t>(known - known_.begin());
    if (known != known_.end()) continue;
    known_.push_back(*pmid);
    std::vector<Pmid>& operands = operands_.emplace_back();
    if (!asked.derivation) continue;
    has_derived_ = true;
    operands = asked.derivation->operands;
  }
  if (has_derived_) return;
  // DER-710: a list in which nothing derived binds goes to the archive as it is.
  for (MetricAnswer& refusal : refusals_) {
    if (refusal.status == ErrorCode::kPmid) refusal.status = kErrPmidLog;
  }
}

std::optional<Pmid> Asked::FindDerived(const std::string& name, derived::DerivedContext* derived,
                                       AskedMetric* asked, MetricAnswer* refusal) const {
  const derived::DefinitionPointer definition = derived->Definition(name);
  if (definition == nullptr) return std::nullopt;
  const derived::DerivedContext::BoundMetric& bound = *derived->Bind(name);
  if (!bound) {
    const derived::BindError& error = bound.error();
    refusal->pmid = definition->pmid;
    refusal->status = ErrorCode::kPmid;
    refusal->message = "its definition does not bind: " + error.where +
                       (error.where.empty() ? "" : ": ") + error.message + " [" +
                       error.clause.ToString() + "]";
    return std::nullopt;
  }
  asked->descriptor = bound->descriptor();
  Derivation& derivation = asked->derivation.emplace();
  derivation.clause = EvaluationClause(*definition->expression);
  for (const derived::Operand& operand : bound->operands()) {
    derivation.operands.push_back(operand.descriptor.pmid);
    derivation.names.emplace_back(operand.name);
  }
  return definition->pmid;
}

const replay::InstanceNames* Asked::NamesOf(const replay::ReplayArchive& archive, Indom indom) {
  static const replay::ReplayDomain kNoRecord;
  const replay::ReplayDomain* domain = archive.DomainOf(indom);
  return &names_.try_emplace(indom, domain != nullptr ? *domain : kNoRecord).first->second;
}

void Asked::Narrow(Indom indom, const std::vector<std::string>& instances) {
  if (narrowed_.contains(indom)) return;
  std::vector<std::int32_t> found;
  for (const std::string& name : instances) {
    for (const std::int32_t id : names_.at(indom).Find(name)) found.push_back(id);
  }
  narrowed_[indom] = !found.empty();
  if (!found.empty()) instances_.Add(indom, found);  // the first mention excludes the others
}

std::vector<std::string> Asked::RefusalTexts() const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    if (positions_[i]) continue;
    const MetricAnswer& refusal = refusals_[i];
    const bool unbound = refusal.status == ErrorCode::kPmid || refusal.status == kErrPmidLog;
    const std::string why = unbound ? refusal.message : "no such metric, or no such instance of it";
    texts.push_back(metrics_[i].name + ": " + why);
  }
  return texts;
}

bool Asked::IsAnsweredByKnown() const {
  for (std::size_t i = 0; i < positions_.size(); ++i) {
    if (positions_[i] != i) return false;
  }
  return true;
}

replay::FetchAnswer Asked::Complete(const replay::FetchAnswer& fetch) const {
  replay::FetchAnswer complete{fetch.time, fetch.status, {}, fetch.message};
  if (fetch.status != ErrorCode::kOk) return complete;
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    complete.metrics.push_back(positions_[i] ? fetch.metrics[*positions_[i]] : refusals_[i]);
  }
  return complete;
}

Deviations Asked::Complete(const Deviations& deviations) const {
  Deviations complete;
  if (deviations.empty()) return complete;
  for (const std::optional<std::size_t> position : positions_) {
    complete.push_back(position ? deviations[*position] : std::vector<DeviatingValue>());
  }
  return complete;
}

}  // namespace pmproof::validator
