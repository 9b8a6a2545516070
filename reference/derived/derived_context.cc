// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/derived_context.h"

#include <utility>

namespace pmproof::derived {

DerivedContext::DerivedContext(const OperandSource& base, const Registry& global,
                               bool missing_is_novalue)
    : base_(base),
      global_(global),
      own_(Registry::Scope::kContext, global.dialect()),
      missing_is_novalue_(missing_is_novalue) {}

std::optional<RegistrationError> DerivedContext::Add(std::string_view name, std::string_view text) {
  const auto definition = own_.Register(name, text);
  if (!definition) return definition.error();
  const BoundMetric& bound = BindWithOperands(*definition);
  if (bound) return std::nullopt;
  const BindError& error = bound.error();
  if (!own_.dialect().lazy_binding && error.clause == "DER-701"_clause) return std::nullopt;
  return RegistrationError{RegistrationError::Stage::kBind, 0, error.message, error.clause,
                           error.where};
}

DefinitionPointer DerivedContext::Derived(std::string_view name) const {
  if (DefinitionPointer own = own_.Find(name)) return own;
  return global_.Find(name);
}

DefinitionPointer DerivedContext::Definition(std::string_view name) const {
  DefinitionPointer definition = Derived(name);
  if (definition && base_.Find(name).kind != OperandAnswer::Kind::kMissing) return nullptr;
  return definition;
}

DefinitionPointer DerivedContext::Definition(Pmid pmid) const {
  if (DefinitionPointer own = own_.Find(pmid)) return own;
  return global_.Find(pmid);
}

bool DerivedContext::IsOwn(const derived::Definition& definition) const {
  return own_.Find(definition.pmid) != nullptr;
}

const DerivedContext::BoundMetric* DerivedContext::Bind(std::string_view name) {
  const DefinitionPointer definition = Definition(name);
  return definition ? &BindWithOperands(definition) : nullptr;
}

const DerivedContext::BoundMetric& DerivedContext::BindWithOperands(
    const DefinitionPointer& definition) {
  std::vector<Frame> frames;
  const auto begin = [&](DefinitionPointer next) {
    begun_.insert(next->pmid);
    frames.push_back({std::move(next)});
  };
  if (!bound_.contains(definition->pmid)) begin(definition);
  while (!frames.empty()) {
    if (DefinitionPointer operand = NextUnbound(&frames.back())) {
      begin(std::move(operand));
      continue;
    }
    BindNow(*frames.back().definition);
    begun_.erase(frames.back().definition->pmid);
    frames.pop_back();
  }
  return bound_.at(definition->pmid);
}

DefinitionPointer DerivedContext::NextUnbound(Frame* frame) const {
  const Expression& expression = *frame->definition->expression;
  const auto& nodes = expression.nodes();
  while (frame->next < nodes.size()) {
    const Node& node = nodes[frame->next++];
    const std::string_view name = node.kind == NodeKind::kMetric
                                      ? expression.Text(node)
                                      : std::string_view(expression.parameters(node).meta);
    if (name.empty()) continue;
    DefinitionPointer operand = Definition(name);
    if (operand && !bound_.contains(operand->pmid) && !begun_.contains(operand->pmid)) {
      return operand;
    }
  }
  return nullptr;
}

void DerivedContext::BindNow(const derived::Definition& definition) {
  BindRequest request;
  request.name = definition.name;
  request.per_context = IsOwn(definition);
  request.missing_is_novalue = missing_is_novalue_;
  bound_.insert_or_assign(definition.pmid,
                          derived::Bind(definition.expression, global_.dialect(), *this, request));
}

OperandAnswer DerivedContext::Find(std::string_view name) const {
  using Kind = OperandAnswer::Kind;
  if (OperandAnswer answer = base_.Find(name); answer.kind != Kind::kMissing) return answer;
  const DefinitionPointer definition = Derived(name);
  if (!definition) return {};
  const auto bound = bound_.find(definition->pmid);
  if (bound == bound_.end()) return {Kind::kCircular, {}};
  if (!bound->second) return {Kind::kNoMetadata, {}};
  Descriptor descriptor = bound->second->descriptor();
  descriptor.pmid = definition->pmid;
  return {Kind::kDerived, descriptor};
}

}  // namespace pmproof::derived
