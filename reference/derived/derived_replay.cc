// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/derived_replay.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace pmproof::derived {

// The operands of one derived metric in the current fetch.
class DerivedReplay::Operands final : public FetchedOperands {
 public:
  Operands(Timestamp time, const std::vector<ValueSet>& values,
           const std::vector<std::size_t>& positions, ArchiveInstances* instances,
           ArchiveInstances* names)
      : time_(time), values_(values), positions_(positions), instances_(instances), names_(names) {}

  Timestamp time() const override { return time_; }
  const ValueSet& Values(std::uint32_t operand) const override {
    return values_[positions_[operand]];
  }
  std::optional<std::int32_t> FindInstance(Indom indom, std::string_view name) const override {
    return instances_->FindInstance(indom, name);
  }
  std::optional<std::string> InstanceName(Indom indom, std::int32_t instance) const override {
    return names_->InstanceName(indom, instance);
  }
  tl::expected<std::vector<std::int32_t>, ErrorCode> Instances(Indom indom) const override {
    return instances_->Instances(indom);
  }

 private:
  const Timestamp time_;
  const std::vector<ValueSet>& values_;
  const std::vector<std::size_t>& positions_;
  ArchiveInstances* const instances_;
  ArchiveInstances* const names_;
};

DerivedReplay::DerivedReplay(const replay::ReplayArchive& archive, DerivedContext* context,
                             const Dialect& dialect, Request request)
    : archive_(archive),
      metrics_(std::move(request.metrics)),
      step_(request.step),
      recorded_(request.recorded),
      instances_(archive, std::move(request.instances)),
      names_(archive, {}) {
  // What is not derived stands first.
  std::vector<DefinitionPointer> definitions;
  for (const Pmid pmid : metrics_) {
    DefinitionPointer definition;
    if (!archive_.metrics().contains(pmid)) definition = context->Definition(pmid);
    listed_.push_back({definition ? 0 : Fetched(pmid)});
    definitions.push_back(std::move(definition));
  }
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    if (definitions[i]) listed_[i] = ListDerived(*definitions[i], context, dialect);
  }
  // A fetch of nothing is an error (INT-405); a null identifier has no values.
  if (fetched_.empty()) Fetched(Pmid::Null());
  OrderOperands();
}

DerivedReplay::Listed DerivedReplay::ListDerived(const Definition& definition,
                                                 DerivedContext* context, const Dialect& dialect) {
  const auto known = derived_positions_.find(definition.pmid);
  if (known != derived_positions_.end()) return {0, known->second, Listed::Kind::kDerived};
  const DerivedContext::BoundMetric* const bound = context->Bind(definition.name);
  if (bound == nullptr || !*bound) return {0, 0, Listed::Kind::kUnbound};
  auto expression = std::make_shared<const BoundExpression>(**bound);
  std::vector<std::size_t> operands;
  for (const Operand& operand : expression->operands()) {
    operands.push_back(Fetched(operand.descriptor.pmid));
  }
  const std::size_t position = derived_.size();
  derived_.push_back({Evaluator(std::move(expression), dialect), std::move(operands)});
  derived_positions_.emplace(definition.pmid, position);
  return {0, position, Listed::Kind::kDerived};
}

std::size_t DerivedReplay::Fetched(Pmid pmid) {
  const auto [found, added] = fetched_positions_.try_emplace(pmid, fetched_.size());
  if (added) fetched_.push_back(pmid);
  return found->second;
}

void DerivedReplay::OrderOperands() {
  values_.resize(fetched_.size());
  is_operand_.resize(fetched_.size());
  order_.resize(fetched_.size());
  for (const Derived& derived : derived_) {
    for (const std::size_t operand : derived.operands) {
      is_operand_[operand] = true;
      const auto metric = archive_.metrics().find(fetched_[operand]);
      if (metric == archive_.metrics().end()) continue;  // a derived one (DER-702)
      const Indom indom = metric->second.descriptor.indom;
      const replay::ReplayDomain* const domain =
          indom.IsNull() || recorded_ ? nullptr : archive_.DomainOf(indom);
      if (domain != nullptr) order_[operand] = &orders_.try_emplace(indom, *domain).first->second;
    }
  }
}

const replay::FetchAnswer& DerivedReplay::Take(const replay::FetchAnswer& fetch) {
  answer_.time = fetch.time;
  answer_.status = fetch.status;
  if (fetch.status != ErrorCode::kOk) {
    answer_.metrics.clear();
    answer_.message = fetch.message;
    return answer_;
  }
  answer_.metrics.resize(metrics_.size());
  instances_.MoveTo(fetch.time + step_);
  names_.MoveTo(fetch.time);
  for (std::size_t i = 0; i < fetched_.size(); ++i) {
    if (!is_operand_[i]) continue;
    values_[i].status = fetch.metrics[i].status;
    values_[i].pairs.clear();
    if (order_[i] != nullptr) {
      order_[i]->Append(fetch.metrics[i].values, &values_[i].pairs);
      continue;
    }
    for (const replay::InstanceAnswer& value : fetch.metrics[i].values) {
      values_[i].pairs.push_back({value.instance, value.value});
    }
  }
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    replay::MetricAnswer& answer = answer_.metrics[i];
    switch (listed_[i].kind) {
      case Listed::Kind::kFetched:
        answer = fetch.metrics[listed_[i].fetched];
        if (recorded_) {
          std::ranges::stable_sort(answer.values, {}, &replay::InstanceAnswer::instance);
        }
        break;
      case Listed::Kind::kDerived:
        answer.pmid = metrics_[i];
        Evaluate(&derived_[listed_[i].derived], fetch, &answer);
        break;
      case Listed::Kind::kUnbound:
        answer = {metrics_[i], ErrorCode::kPmid, "the definition does not bind [DER-710]", {}};
        break;
    }
  }
  return answer_;
}

void DerivedReplay::Evaluate(Derived* derived, const replay::FetchAnswer& fetch,
                             replay::MetricAnswer* answer) {
  const ValueSet& values = derived->evaluator.Evaluate(
      Operands(fetch.time, values_, derived->operands, &instances_, &names_));
  answer->status = values.status;
  answer->message = values.status == ErrorCode::kOk ? "" : "an operand has this error [DER-1103]";
  answer->values.clear();
  derived->index.Set(values.pairs);
  for (const std::uint32_t position : derived->index.order()) {
    const Pair& pair = values.pairs[position];
    answer->values.push_back({pair.instance, pair.value, "DER-1101"_clause, std::nullopt});
  }
}

}  // namespace pmproof::derived
