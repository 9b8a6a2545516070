// SPDX-License-Identifier: Apache-2.0
#include "validator/derived_diff/definition_source.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "reference/core/metric_name.h"
#include "reference/derived/configuration.h"
#include "validator/derived/pmrep_configuration.h"

namespace pmproof::validator {
namespace {

constexpr std::size_t kLargest = std::size_t{16} << 20;

class Listing final : public derived::ConfigurationListener {
 public:
  void OnDefinition(const derived::Definition& definition, std::string_view,
                    std::uint64_t line) override {
    Add({definition.name, std::string(definition.expression->source()), line});
  }
  void OnProblem(const derived::ConfigurationProblem& problem) override {
    if (!problem.name.empty()) Add({problem.name, problem.expression, problem.line});
  }
  std::vector<SourceDefinition> definitions;

 private:
  void Add(SourceDefinition definition) {
    if (known_.insert(definition.name).second) definitions.push_back(std::move(definition));
  }
  std::set<std::string> known_;
};

Result<std::string> ReadText(const archive::Storage& storage, const std::string& path) {
  const auto file = storage.Open(path);
  if (!file) return tl::unexpected(file.error());
  const Bytes bytes = (*file)->bytes();
  if (bytes.size() > kLargest) {
    return tl::unexpected(Status{
        .kind = Status::Kind::kBudget, .file = path, .message = "more than 16 MiB of definitions"});
  }
  return std::string(AsText(bytes));
}

}  // namespace

void DefinitionSource::Add(const std::string& line, SourceLine from) {
  text += line;
  text += '\n';
  lines.push_back(std::move(from));
}

SourceLine DefinitionSource::Origin(std::uint64_t line) const {
  return line == 0 || line > lines.size() ? SourceLine() : lines[line - 1];
}

std::optional<Status> AddDefinitionFile(const archive::Storage& storage, const std::string& path,
                                        DefinitionSource* source) {
  const auto kind = storage.KindOf(path);
  if (!kind) return kind.error();
  if (*kind == archive::DirectoryEntry::Kind::kDirectory) {
    auto listed = storage.List(path);
    if (!listed) return listed.error();
    std::ranges::sort(*listed, {}, &archive::DirectoryEntry::name);
    for (const archive::DirectoryEntry& entry : *listed) {
      // Links to directories: the walk ends (DER-301).
      if (entry.kind == archive::DirectoryEntry::Kind::kOther) continue;
      if (auto error = AddDefinitionFile(storage, path + "/" + entry.name, source)) return error;
    }
    return std::nullopt;
  }
  const auto text = ReadText(storage, path);
  if (!text) return text.error();
  std::uint64_t number = 0;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    source->Add(text->substr(at, end - at), {path, ++number});
    at = end + 1;
  }
  return std::nullopt;
}

std::optional<Status> AddPmrepConfiguration(const archive::Storage& storage,
                                            const std::string& path,
                                            std::vector<DefinitionSource>* sources) {
  const auto sections = LoadPmrepConfigurations(storage, path);
  if (!sections) return sections.error();
  for (const PmrepSection& section : *sections) {
    DefinitionSource source;
    for (const std::string& file : section.configurations) {
      if (auto error = AddDefinitionFile(storage, file, &source)) return error;
    }
    for (const PmrepDefinition& definition : section.definitions) {
      // A newline ends a definition in a configuration file, and is a blank to pmrep.
      std::string expression = definition.expression;
      std::ranges::replace(expression, '\n', ' ');
      // Nor does it take every name that pmrep takes (DER-202).
      const bool legal = IsMetricName(definition.name);
      const std::string name =
          legal ? definition.name : "pmproof.n" + std::to_string(source.lines.size());
      source.Add(name + " = " + expression,
                 {section.file, definition.line, legal ? "" : definition.name});
    }
    sources->push_back(std::move(source));
  }
  return std::nullopt;
}

std::vector<SourceDefinition> DefinitionsIn(const DefinitionSource& source) {
  derived::Registry registry(derived::Registry::Scope::kGlobal, derived::kV72);
  derived::Controls controls;
  Listing listing;
  derived::LoadConfiguration(source.text, "F", {&registry, &controls}, listing);
  return std::move(listing.definitions);
}

}  // namespace pmproof::validator
