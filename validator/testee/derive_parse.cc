// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "reference/core/units_text.h"
#include "reference/derived/archive_operands.h"
#include "validator/replay/open_archive.h"
#include "validator/testee/derive_operations.h"
#include "validator/testee/derived_arguments.h"
#include "validator/testee/operation.h"
#include "validator/testee/reject_class.h"

// Operation derive.parse: what becomes of definitions of derived metrics, in an archive or without.

namespace pmproof::validator {
namespace {

using derived::DerivedContext;
using derived::RegistrationError;
using Stage = RegistrationError::Stage;

constexpr ErrorCode kErrBadDerive{-12409};  // DER-710

class NoMetrics final : public derived::OperandSource {
 public:
  derived::OperandAnswer Find(std::string_view) const override { return {}; }
};

Json TextOrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

class DeriveParseRun {
 public:
  // `archive`: null if definitions are not bound.
  DeriveParseRun(const DerivedArguments& arguments, std::vector<std::string> metrics, bool pmids,
                 const replay::ReplayArchive* archive)
      : arguments_(arguments), metrics_(std::move(metrics)), pmids_(pmids), archive_(archive) {}

  Outcome Run() {
    if (archive_ == nullptr) return Parse(NoMetrics());
    return Parse(derived::ArchiveOperands(*archive_));
  }

 private:
  Outcome Parse(const derived::OperandSource& source) {
    DefinedMetrics defined(arguments_, source, archive_ != nullptr);
    DerivedContext* const context = &defined.context();
    const auto& refusals = defined.refusals();
    for (const auto& refusal : refusals) {
      if (refusal && refusal->stage == Stage::kBudget) return Failure{refusal->message};
    }
    Json json = Json::object();
    if (arguments_.config) {
      Json diagnostics = Json::array();
      for (const std::string& line : defined.diagnostics()) diagnostics.push_back(line);
      json["config"] = {{"registered", defined.registered()},
                        {"diagnostics", std::move(diagnostics)}};
    }
    for (std::size_t i = 0; i < refusals.size(); ++i) {
      json["definitions"].push_back(Definition(arguments_.definitions[i], refusals[i], context));
    }
    for (const std::string& name : metrics_) json["metrics"].push_back(Metric(name, context));
    return Answered{DumpJson(json, -1)};
  }

  Json Definition(const DefinitionArgument& definition,
                  const std::optional<RegistrationError>& refusal, DerivedContext* context) const {
    Json json = {{"name", definition.name}, {"ok", false}};
    if (refusal && refusal->stage != Stage::kBind) {
      json["stage"] = refusal->stage == Stage::kName ? "name" : "syntax";
      json["position"] = refusal->position;
      json["message"] = TextOrNull(refusal->message);
      return json;
    }
    if (archive_ == nullptr) return {{"name", definition.name}, {"ok", true}};
    const Json pmid = PmidOf(definition.name, *context);
    const DerivedContext::BoundMetric* const bound = context->Bind(definition.name);
    // A metric of the archive hides it (DER-204).
    if (!refusal && (bound == nullptr || *bound)) {
      json["ok"] = true;
      if (pmids_) json["pmid"] = pmid;
      json["descriptor"] = DescriptorOf(
          bound == nullptr ? archive_->metrics().at(*archive_->Find(definition.name)).descriptor
                           : (*bound)->descriptor());
      return json;
    }
    json["stage"] = "bind";
    if (pmids_) json["pmid"] = pmid;
    json["position"] = nullptr;
    // The call that adds says nothing of the operands.
    const bool silent = refusal || IsSilent(bound->error());
    json["where"] = silent ? Json(nullptr) : TextOrNull(bound->error().where);
    json["message"] = refusal  ? TextOrNull(refusal->message)
                      : silent ? Json(nullptr)
                               : TextOrNull(bound->error().message);
    return json;
  }

  // DER-107, 701, 703: before 7.1 nothing is said of operands that cannot be looked up.
  bool IsSilent(const derived::BindError& error) const {
    return !arguments_.dialect->indom_parameter &&
           (error.clause == "DER-701"_clause || error.clause == "DER-703"_clause);
  }

  Json Metric(const std::string& name, DerivedContext* context) const {
    Json json = {{"name", name}, {"status", 0}};
    const auto fail = [&](ErrorCode code) {
      json["status"] = static_cast<std::int32_t>(code);
      json["error"] = ToText(code);
      return json;
    };
    const std::optional<Pmid> in_archive = archive_->Find(name);
    const derived::DefinitionPointer definition = context->Definition(name);
    if (!in_archive && !definition) return fail(ErrorCode::kName);
    if (in_archive) {
      if (pmids_) json["pmid"] = ToText(*in_archive);
      json["descriptor"] = DescriptorOf(archive_->metrics().at(*in_archive).descriptor);
      return json;
    }
    const DerivedContext::BoundMetric* const bound = context->Bind(name);
    if (bound == nullptr || !*bound) {
      fail(kErrBadDerive);
      if (pmids_) json["pmid"] = ToText(definition->pmid);
      return json;
    }
    if (pmids_) json["pmid"] = ToText(definition->pmid);
    json["descriptor"] = DescriptorOf((*bound)->descriptor());
    const auto& line = definition->oneline;
    const auto& full = definition->helptext ? definition->helptext : line;  // DER-309
    json["oneline"] = line ? Json(*line) : Json(nullptr);
    json["helptext"] = full ? Json(*full) : Json(nullptr);
    return json;
  }

  Json PmidOf(const std::string& name, const DerivedContext& context) const {
    if (const auto in_archive = archive_->Find(name)) return ToText(*in_archive);
    return ToText(context.Definition(name)->pmid);
  }

  Json DescriptorOf(const Descriptor& descriptor) const {
    return {{"type", ToText(descriptor.type)},
            {"semantics", ToText(descriptor.semantics)},
            {"indom", descriptor.indom.IsNull() ? Json(nullptr) : Json(ToText(descriptor.indom))},
            {"units", UnitsText(descriptor.units, arguments_.dialect->version)}};
  }

  const DerivedArguments& arguments_;
  const std::vector<std::string> metrics_;
  const bool pmids_;
  const replay::ReplayArchive* const archive_;
};

class DeriveParse final : public Operation {
 public:
  explicit DeriveParse(const archive::Storage& storage, const derived::Dialect* dialect = nullptr)
      : storage_(storage), dialect_(dialect) {}

  std::string_view name() const override { return "derive.parse"; }

  Outcome Run(const Json& request) override {
    RequestReader reader(request);
    const Json& args = reader.args();
    reader.KnowKeys(args, "args",
                    {"definitions", "config", "metrics", "pmids", "missing_is_novalue", "dialect"});
    const DerivedArguments arguments = TakeDerived(&reader, "definitions", dialect_);
    const bool pmids = reader.Flag(args, "pmids", "args").value_or(false);
    std::vector<std::string> metrics;
    if (args.contains("metrics")) metrics = reader.Texts(args["metrics"], "args.metrics");
    if (arguments.definitions.empty() && !arguments.config) {
      reader.Fail("args: needs definitions or config");
    }
    const bool has_archive = !reader.input().empty();
    const std::vector<std::string> paths =
        has_archive ? reader.Archives() : std::vector<std::string>();
    for (const DefinitionArgument& definition : arguments.definitions) {
      if (definition.per_context && !has_archive) reader.Fail("per_context needs an archive");
    }
    if (!metrics.empty() && !has_archive) reader.Fail("args.metrics needs an archive");
    if (reader.stopped()) return reader.Stop();
    if (!has_archive) return DeriveParseRun(arguments, {}, pmids, nullptr).Run();
    const auto archive =
        OpenForReplay(storage_, paths, archive::MemoryBudget(), arguments.dialect->version);
    if (!archive) return OutcomeOf(archive.error());
    return DeriveParseRun(arguments, std::move(metrics), pmids, archive->get()).Run();
  }

 private:
  const archive::Storage& storage_;
  const derived::Dialect* dialect_;
};

}  // namespace

std::unique_ptr<Operation> MakeDeriveParse(const archive::Storage& storage) {
  return std::make_unique<DeriveParse>(storage);
}

std::unique_ptr<Operation> MakeDeriveParse(const archive::Storage& storage,
                                           const derived::Dialect& dialect) {
  return std::make_unique<DeriveParse>(storage, &dialect);
}

}  // namespace pmproof::validator
