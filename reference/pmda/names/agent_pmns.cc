// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/names/agent_pmns.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "reference/core/printable.h"
#include "reference/pmda/names/characters.h"

namespace pmproof::pmda {
namespace {

tl::unexpected<Diagnosis> Error(const std::string& file, std::size_t line, Clause clause,
                                std::string message) {
  return tl::unexpected(
      Diagnosis{Diagnosis::Severity::kError, file, line, clause, std::move(message)});
}

bool IsNumber(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsDigit);
}
bool IsSymbolPart(char c) { return IsLetter(c) || IsDigit(c) || c == '_'; }

std::string_view FolderOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? "." : path.substr(0, slash);
}

// PMD-330: the numbers that domain.h defines; none where there is no such file.
Macros NumbersOf(const std::string& path, std::vector<Diagnosis>* warnings) {
  const auto text = ReadTextFile(path);
  if (!text) return {};
  auto preprocessed = Preprocess(*text, path, NoIncludes());
  if (!preprocessed) {
    Diagnosis warning = preprocessed.error();
    warning.severity = Diagnosis::Severity::kWarning;
    AddDiagnosis(std::move(warning), *warnings);
    return {};
  }
  std::erase_if(preprocessed->macros, [](const auto& macro) { return !IsNumber(macro.second); });
  return std::move(preprocessed->macros);
}

// The word before the first colon of a line, where it is none of a PMID's numbers: "SIMPLE" of
// "color SIMPLE:0:1". Blanks may stand before the colon (PMD-302).
std::string_view SymbolOf(std::string_view line) {
  std::string_view before = line.substr(0, std::min(line.find(':'), line.size()));
  if (before.size() == line.size()) return {};
  while (!before.empty() && IsBlank(before.back())) before.remove_suffix(1);
  std::size_t begin = before.size();
  while (begin > 0 && IsSymbolPart(before[begin - 1])) --begin;
  const std::string_view word = before.substr(begin);
  return word.empty() || IsDigit(word[0]) ? std::string_view() : word;
}

}  // namespace

tl::expected<AgentPmns, Diagnosis> ReadAgentPmns(const std::string& path,
                                                 const AgentPmnsReading& reading) {
  const auto text = ReadTextFile(path);
  if (!text) return Error(path, 0, Clause(), text.error());
  AgentPmns agent;
  const std::string folder(FolderOf(path));
  PmnsReading how{.given = NumbersOf(folder + "/domain.h", &agent.warnings), .fragment = true};
  if (reading.domain) {
    for (auto& [symbol, number] : how.given) number = std::to_string(*reading.domain);
  }

  std::vector<std::string> folders = {folder};
  folders.insert(folders.end(), reading.folders.begin(), reading.folders.end());
  bool without_stdpmid = false;
  const IncludeReader includes =
      [&without_stdpmid, found = IncludesFrom(std::move(folders))](const std::string& name) {
        auto included = found(name);
        if (included || name.substr(name.rfind('/') + 1) != "stdpmid") return included;
        without_stdpmid = true;
        return tl::expected<std::string, std::string>("");
      };

  const auto preprocessed = Preprocess(*text, path, includes, how.given);
  if (!preprocessed) return tl::unexpected(preprocessed.error());
  for (const SourceLine& line : preprocessed->lines) {
    const std::string_view symbol = SymbolOf(line.text);
    if (symbol.empty() || symbol == agent.symbol) continue;
    if (!agent.symbol.empty()) {
      return Error(preprocessed->files[line.file], line.line, "PMD-332"_clause,
                   Printable(agent.symbol) + " and " + Printable(symbol) +
                       " stand for domains, and nothing defines them");
    }
    agent.symbol = symbol;
  }
  if (!agent.symbol.empty()) {
    how.given.emplace(agent.symbol, std::to_string(reading.domain.value_or(0)));
    if (reading.domain) agent.symbol.clear();
  }
  auto source = ReadPmns(*text, path, includes, how);
  if (!source) return tl::unexpected(source.error());
  if (without_stdpmid) {
    AddDiagnosis({Diagnosis::Severity::kWarning, path, 0, "PMD-306"_clause,
                  "stdpmid is not found: no domain is known by it"},
                 agent.warnings);
  }
  agent.names = std::move(source->names);
  for (Diagnosis& warning : source->warnings) AddDiagnosis(std::move(warning), agent.warnings);
  return agent;
}

}  // namespace pmproof::pmda
