// SPDX-License-Identifier: Apache-2.0
#include "validator/derived_diff/compare_definitions.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <set>
#include <utility>

#include "validator/derived_diff/dialect_cause.h"
#include "validator/replay/open_archive.h"

namespace pmproof::validator {
namespace {

using derived::Dialect;
using Kind = DefinitionFinding::Kind;

class Comparing {
 public:
  Comparing(const DefinitionSource& source, DerivedSide& baseline, DerivedSide& candidate,
            const CompareDefinitionsOptions& options)
      : source_(source), sides_{&baseline, &candidate}, options_(options) {
    for (SourceDefinition& definition : DefinitionsIn(source)) {
      const SourceLine origin = source.Origin(definition.line);
      found_.definitions.push_back({std::move(definition), origin});
    }
    taken_.resize(found_.definitions.size(), false);
  }

  DerivedComparison Run(const std::vector<std::vector<std::string>>& archives) {
    for (const std::vector<std::string>& paths : archives) Compare(paths);
    std::ranges::stable_sort(found_.findings, {}, &DefinitionFinding::definition);
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      if (!taken_[i] && !found_.archives.empty()) found_.refused.push_back(i);
    }
    return std::move(found_);
  }

 private:
  void Compare(const std::vector<std::string>& paths) {
    const auto archive = OpenForReplay(options_.storage, paths);
    if (!archive) {
      found_.errors.push_back(archive.error());
      return;
    }
    archive_ = archive->get();
    name_.clear();
    for (const std::string& path : paths) name_ += (name_.empty() ? "" : ",") + path;
    question_ = {paths, source_.text, {}, archive_->origin().start(), options_.records};
    for (const ComparedDefinition& compared : found_.definitions) {
      question_.names.push_back(compared.definition.name);
    }
    for (std::size_t side : {0, 1}) {
      auto answer = sides_[side]->Ask(question_);
      if (!answer) {
        found_.unanswered[side].emplace_back(name_, std::move(answer.error()));
        return;
      }
      answers_[side] = *std::move(answer);
    }
    found_.archives.push_back(name_);
    for (std::size_t i = 0; i < found_.definitions.size(); ++i) CompareDefinition(i);
  }

  const DefinitionMeaning& MeaningOf(std::size_t side, std::size_t definition) const {
    return answers_[side].definitions[definition];
  }

  void CompareDefinition(std::size_t definition) {
    const DefinitionMeaning& a = MeaningOf(0, definition);
    const DefinitionMeaning& b = MeaningOf(1, definition);
    taken_[definition] = taken_[definition] || a.error.empty() || b.error.empty();
    if (a.error.empty() != b.error.empty()) {
      Add({.kind = Kind::kRefused,
           .definition = definition,
           .baseline = Said(0, definition),
           .candidate = Said(1, definition)});
      return;
    }
    if (!a.error.empty()) return;
    if (a.descriptor != b.descriptor) {
      Add({.kind = Kind::kDescriptor,
           .definition = definition,
           .baseline = a.descriptor,
           .candidate = b.descriptor});
    }
    CompareValues(definition, a, b);
  }

  void CompareValues(std::size_t definition, const DefinitionMeaning& a,
                     const DefinitionMeaning& b) {
    std::set<std::pair<std::uint64_t, std::int64_t>> places;
    for (const auto* meaning : {&a, &b}) {
      for (const auto& [place, value] : meaning->values) places.insert(place);
    }
    found_.values += places.size();
    DefinitionFinding finding{.kind = Kind::kValues, .definition = definition};
    const auto at = [](const DefinitionMeaning& meaning, const auto& place) {
      const auto known = meaning.values.find(place);
      return known == meaning.values.end() ? std::string() : known->second;
    };
    for (const auto& place : places) {
      const std::string of_a = at(a, place);
      const std::string of_b = at(b, place);
      if (of_a == of_b || finding.differing++ > 0) continue;
      finding.baseline = of_a;
      finding.candidate = of_b;
      const auto time = a.times.find(place.first);
      if (time != a.times.end()) finding.time = time->second;
      if (place.second >= 0) finding.instance = place.second;
    }
    if (finding.differing > 0) Add(std::move(finding));
  }

  // What a side says of a definition: its descriptor, or why it refuses it.
  std::string Said(std::size_t side, std::size_t definition) {
    const DefinitionMeaning& meaning = MeaningOf(side, definition);
    if (meaning.error.empty()) return meaning.descriptor;
    if (const Dialect* dialect = sides_[side]->dialect()) {
      const DialectRefusal refusal =
          RefusalOf(source_, question_.names[definition], *dialect, *archive_);
      if (!refusal.message.empty()) return meaning.error + ": " + refusal.message;
    }
    const std::string line =
        "[F:" + std::to_string(found_.definitions[definition].definition.line) + "] ";
    for (const std::string& diagnostic : answers_[side].diagnostics) {
      if (!diagnostic.starts_with(line)) continue;
      const std::string text = diagnostic.substr(line.size());
      return meaning.error + ": " + text.substr(0, text.find('\n'));
    }
    return meaning.error;
  }

  void Add(DefinitionFinding finding) {
    const auto known = std::ranges::find_if(found_.findings, [&](const DefinitionFinding& other) {
      return other.definition == finding.definition && other.kind == finding.kind;
    });
    if (known != found_.findings.end()) {
      ++known->archives;
      known->differing += finding.differing;
      return;
    }
    finding.archive = name_;
    finding.clause = ClauseOf(finding);
    found_.findings.push_back(std::move(finding));
  }

  std::string ClauseOf(const DefinitionFinding& finding) {
    const std::size_t definition = finding.definition;
    const Dialect* const one = DialectOf(0, definition);
    const Dialect* const other = DialectOf(1, definition);
    if (one == nullptr || other == nullptr) return "";
    const auto meaning_in = [&](const Dialect& dialect) { return Meaning(dialect, definition); };
    std::string clause =
        ClauseBetween(*one, MeaningOf(0, definition), *other, MeaningOf(1, definition), meaning_in);
    for (std::size_t side = 0; side < 2 && clause.empty(); ++side) {
      if (MeaningOf(side, definition).error.empty()) continue;
      clause = RefusalOf(source_, question_.names[definition], side == 0 ? *one : *other, *archive_)
                   .clause;
    }
    return clause;
  }

  std::optional<DefinitionMeaning> Meaning(const Dialect& dialect, std::size_t definition) const {
    DerivedQuestion question = question_;
    question.names = {question_.names[definition]};
    auto answer = MakeDialectSide(dialect, options_.storage, options_.profiles)->Ask(question);
    if (!answer) return std::nullopt;
    return std::move(answer->definitions.front());
  }

  // Of an implementation the dialect in which the definition means the same; null if in none.
  const Dialect* DialectOf(std::size_t side, std::size_t definition) const {
    if (sides_[side]->dialect() != nullptr) return sides_[side]->dialect();
    for (const Dialect* dialect : {&derived::kV72, &derived::kV63, &derived::kV60}) {
      const auto meaning = Meaning(*dialect, definition);
      if (meaning && meaning->Equals(MeaningOf(side, definition))) return dialect;
    }
    return nullptr;
  }

  const DefinitionSource& source_;
  DerivedSide* sides_[2];
  const CompareDefinitionsOptions& options_;
  DerivedComparison found_;
  std::vector<bool> taken_;  // of each definition: a side takes it somewhere
  const replay::ReplayArchive* archive_ = nullptr;
  std::string name_;
  DerivedQuestion question_;
  DerivedAnswer answers_[2];
};

bool IsSame(const Status& a, const Status& b) { return a.ToText() == b.ToText(); }

// What was found of another source, over the same archives.
void AddTo(DerivedComparison* all, DerivedComparison more) {
  const std::size_t before = all->definitions.size();
  for (ComparedDefinition& definition : more.definitions) {
    if (!definition.origin.name.empty()) definition.definition.name = definition.origin.name;
  }
  std::ranges::move(more.definitions, std::back_inserter(all->definitions));
  for (DefinitionFinding& finding : more.findings) {
    finding.definition += before;
    all->findings.push_back(std::move(finding));
  }
  for (const std::size_t refused : more.refused) all->refused.push_back(before + refused);
  all->values += more.values;
  const auto add_new = [](auto& known, auto& others, const auto& is_same) {
    for (auto& one : others) {
      const bool there =
          std::ranges::any_of(known, [&](const auto& other) { return is_same(one, other); });
      if (!there) known.push_back(std::move(one));
    }
  };
  add_new(all->archives, more.archives, std::equal_to<>());
  add_new(all->errors, more.errors, IsSame);
  for (const std::size_t side : {0, 1}) {
    add_new(all->unanswered[side], more.unanswered[side],
            [](const auto& a, const auto& b) { return a.first == b.first; });
  }
}

}  // namespace

DerivedComparison CompareDefinitions(const std::vector<DefinitionSource>& sources,
                                     DerivedSide& baseline, DerivedSide& candidate,
                                     const std::vector<std::vector<std::string>>& archives,
                                     const CompareDefinitionsOptions& options) {
  DerivedComparison all;
  for (const DefinitionSource& source : sources) {
    AddTo(&all, Comparing(source, baseline, candidate, options).Run(archives));
  }
  return all;
}

}  // namespace pmproof::validator
