// SPDX-License-Identifier: Apache-2.0
#include "validator/testee/derived_arguments.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "reference/derived/configuration.h"

namespace pmproof::validator {
namespace {

// What PCP prints, line by line.
class Diagnostics final : public derived::ConfigurationListener {
 public:
  void OnDefinition(const derived::Definition&, std::string_view, std::uint64_t) override {}
  void OnProblem(const derived::ConfigurationProblem& problem) override {
    const std::string text = ToText(problem);
    std::string_view left = text;
    while (!left.empty()) {
      const std::size_t end = std::min(left.find('\n'), left.size());
      lines.emplace_back(left.substr(0, end));
      left.remove_prefix(std::min(end + 1, left.size()));
    }
  }

  std::vector<std::string> lines;
};

}  // namespace

DerivedArguments TakeDerived(RequestReader* reader, const char* key,
                             const derived::Dialect* usual) {
  const Json& args = reader->args();
  DerivedArguments arguments;
  arguments.dialect =
      usual != nullptr && !reader->args().contains("dialect") ? usual : &reader->Dialect();
  arguments.config = reader->Text(args, "config", "args");
  if (arguments.config && arguments.config->find('\0') != std::string::npos) {
    reader->Fail("args.config: a NUL in it");
  }
  arguments.missing_is_novalue = reader->Flag(args, "missing_is_novalue", "args").value_or(false);
  if (arguments.missing_is_novalue && !arguments.dialect->controls) {
    reader->StopBy(Skip{"args.missing_is_novalue: this dialect has no controls"});
  }
  const auto list = args.find(key);
  if (list == args.end()) return arguments;
  const std::string path = std::string("args.") + key;
  if (!list->is_array()) reader->Fail(path + ": no list of definitions");
  for (std::size_t i = 0; i < list->size() && !reader->stopped(); ++i) {
    const Json& one = (*list)[i];
    const std::string where = path + "[" + std::to_string(i) + "]";
    if (!one.is_object()) {
      reader->Fail(where + ": no object");
      break;
    }
    reader->KnowKeys(one, where, {"name", "expression", "per_context"});
    DefinitionArgument definition;
    definition.name = reader->NeededText(one, "name", where);
    definition.expression = reader->NeededText(one, "expression", where);
    definition.per_context = reader->Flag(one, "per_context", where).value_or(false);
    // For PCP both end there; here nothing is cut.
    if ((definition.name + definition.expression).find('\0') != std::string::npos) {
      reader->Fail(where + ": a NUL in a name or an expression");
    }
    arguments.definitions.push_back(std::move(definition));
  }
  return arguments;
}

DefinedMetrics::DefinedMetrics(const DerivedArguments& arguments,
                               const derived::OperandSource& metrics, bool opened)
    : registry_(derived::Registry::Scope::kGlobal, *arguments.dialect),
      refusals_(arguments.definitions.size()) {
  if (opened) registry_.RegisterEventMetrics();
  derived::Controls controls;
  if (arguments.missing_is_novalue) {
    controls.Take("option_novalue=1", derived::Controls::Source::kEnvironment);
  }
  if (arguments.config) Load(*arguments.config, &controls);
  context_.emplace(metrics, registry_, controls.option_novalue());
  context_->set_limit(controls.global_limit());  // [Q] (DER-405)
  for (const bool per_context : {false, true}) {
    for (std::size_t i = 0; i < refusals_.size(); ++i) {
      const DefinitionArgument& definition = arguments.definitions[i];
      if (definition.per_context != per_context) continue;
      if (per_context) {
        refusals_[i] = context_->Add(definition.name, definition.expression);
      } else if (auto taken = registry_.Register(definition.name, definition.expression); !taken) {
        refusals_[i] = std::move(taken.error());
      }
    }
  }
}

void DefinedMetrics::Load(const std::string& config, derived::Controls* controls) {
  Diagnostics listener;
  registered_ = derived::LoadConfiguration(config, "F", {&registry_, controls}, listener);
  diagnostics_ = std::move(listener.lines);
}

}  // namespace pmproof::validator
