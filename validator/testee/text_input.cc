// SPDX-License-Identifier: Apache-2.0
#include "validator/testee/text_input.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "reference/pmda/names/text_file.h"

namespace pmproof::validator {
namespace {

struct OfClause {
  Clause clause;
  std::string_view error_class;
};

constexpr std::array kByClause = {
    OfClause{"PMD-300"_clause, "names.root"},         OfClause{"PMD-301"_clause, "names.tree"},
    OfClause{"PMD-302"_clause, "names.grammar"},      OfClause{"PMD-303"_clause, "names.pmid"},
    OfClause{"PMD-304"_clause, "names.duplicate"},    OfClause{"PMD-305"_clause, "names.name"},
    OfClause{"PMD-306"_clause, "names.preprocessor"}, OfClause{"PMD-330"_clause, "domain.header"},
    OfClause{"PMD-332"_clause, "names.domain"},
};

}  // namespace

TextInput TakeTextInput(RequestReader* reader, const char* key) {
  TextInput input{.path = reader->NeededText(reader->input(), key, "input")};
  if (reader->stopped()) return input;
  auto text = pmda::ReadTextFile(input.path);
  if (text) {
    input.text = std::move(*text);
  } else {
    reader->StopBy(
        Reject{.error_class = "files.unreadable", .message = text.error(), .file = input.path});
  }
  return input;
}

Reject RejectOf(const pmda::Diagnosis& diagnosis) {
  const auto known = std::ranges::find(kByClause, diagnosis.clause, &OfClause::clause);
  return {.error_class = std::string(known != kByClause.end() ? known->error_class : "damaged"),
          .message = diagnosis.message,
          .file = diagnosis.file,
          .line = diagnosis.line};
}

std::string DottedText(Pmid pmid) {
  return std::to_string(pmid.domain()) + "." + std::to_string(pmid.cluster()) + "." +
         std::to_string(pmid.item());
}

Json RefusedLines(std::span<const pmda::Diagnosis> problems) {
  std::set<std::size_t> lines;
  for (const pmda::Diagnosis& problem : problems) {
    if (problem.severity == pmda::Diagnosis::Severity::kError) lines.insert(problem.line);
  }
  Json list = Json::array();
  for (const std::size_t line : lines) list.push_back(line);
  return list;
}

}  // namespace pmproof::validator
