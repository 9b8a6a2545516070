// SPDX-License-Identifier: Apache-2.0
#include "validator/testee/derived_arguments.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "reference/derived/configuration.h"

namespace pmproof::validator {
namespace {

constexpr std::int64_t kNotFound = -2;  // ENOENT, nothing else can be wrong here (DER-302)

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

// A name that leads nowhere else: parts that are no dots alone, with slashes between.
bool IsBelow(const std::string& name) {
  std::string_view rest = name;
  while (true) {
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    if (rest.substr(0, slash).find_first_not_of('.') >= slash) return false;
    if (slash == rest.size()) return true;
    rest.remove_prefix(slash + 1);
  }
}

std::optional<ConfigurationArgument> TakeConfiguration(RequestReader* reader) {
  const auto found = reader->args().find("config");
  if (found == reader->args().end()) return std::nullopt;
  ConfigurationArgument config;
  if (!found->is_object()) {
    config.text = reader->NeededText(reader->args(), "config", "args");
    if (config.text.find('\0') != std::string::npos) reader->Fail("args.config: a NUL in it");
    return config;
  }
  reader->KnowKeys(*found, "args.config", {"path", "files"});
  config.path = reader->NeededText(*found, "path", "args.config");
  const auto files = found->find("files");
  if (files == found->end() || !files->is_object()) {
    reader->Fail("args.config.files: missing, or no object");
    return config;
  }
  for (const auto& [name, unused] : files->items()) {
    const std::string text = reader->NeededText(*files, name.c_str(), "args.config.files");
    if (!IsBelow(name) || (name + text).find('\0') != std::string::npos) {
      reader->Fail("args.config.files: a name that leads elsewhere, or a NUL");
    }
    config.files.files[name].assign(text.begin(), text.end());
  }
  return config;
}

}  // namespace

DerivedArguments TakeDerived(RequestReader* reader, const char* key,
                             const derived::Dialect* usual) {
  const Json& args = reader->args();
  DerivedArguments arguments;
  arguments.dialect =
      usual != nullptr && !reader->args().contains("dialect") ? usual : &reader->Dialect();
  arguments.config = TakeConfiguration(reader);
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
  derived::Controls controls(opened);
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

void DefinedMetrics::Load(const ConfigurationArgument& config, derived::Controls* controls) {
  Diagnostics listener;
  const derived::Configured target{&registry_, controls};
  if (!config.path) {
    registered_ =
        static_cast<std::int64_t>(derived::LoadConfiguration(config.text, "F", target, listener));
  } else {
    const auto loaded =
        derived::LoadConfigurationPath(config.files, *config.path, target, listener);
    registered_ = loaded ? static_cast<std::int64_t>(*loaded) : kNotFound;
  }
  diagnostics_ = std::move(listener.lines);
}

}  // namespace pmproof::validator
