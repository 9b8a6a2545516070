// SPDX-License-Identifier: Apache-2.0
#include "validator/derived/definition_text.h"

#include <algorithm>
#include <cstddef>

#include "reference/derived/blanks.h"
#include "reference/derived/registry.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

using derived::WithoutBlanks;
using derived::WithoutLeadingBlanks;

constexpr std::size_t kAround = 60;  // characters that are shown before and after a place

bool BreaksLine(char c) { return c == '\n' || c == '\t' || c == '\r'; }

}  // namespace

DefinitionText SplitDefinition(std::string_view text) {
  const std::size_t equals = text.find('=');
  DefinitionText definition{WithoutBlanks(text.substr(0, equals)), {}, {}, {}};
  if (equals == std::string_view::npos) {
    definition.problem = "missing '=' after derived metric name";
    definition.clause = "DER-321"_clause;
    return definition;
  }
  definition.expression = WithoutLeadingBlanks(text.substr(equals + 1));
  if (definition.name.empty()) {
    definition.problem = "derived metric name missing";
    definition.clause = "DER-322"_clause;
  } else if (!derived::IsConfigurationName(definition.name)) {
    definition.problem = "illegal derived metric name";
    definition.clause = "DER-323"_clause;
  } else if (definition.expression.empty()) {
    definition.problem = "expression missing";
    definition.clause = "DER-324"_clause;
  }
  return definition;
}

std::string WithCaret(std::string_view text, std::int64_t position) {
  std::size_t caret = static_cast<std::size_t>(std::max<std::int64_t>(position, 0));
  std::string lead;
  std::string_view shown = text;
  std::string_view end;
  if (shown.size() > 2 * kAround) {
    if (caret > kAround) {
      const std::size_t cut = std::min(caret - kAround, shown.size());
      shown.remove_prefix(cut);
      lead = "...";
      caret = caret - cut + lead.size();
    }
    if (shown.size() > 2 * kAround) {
      shown = shown.substr(0, 2 * kAround);
      end = "...";
    }
  }
  std::string flat = lead;
  flat.append(shown);
  std::replace_if(flat.begin(), flat.end(), BreaksLine, ' ');
  const std::size_t place = std::min(caret, flat.size());
  const std::string before = Displayable(std::string_view(flat).substr(0, place));
  const std::string after = Displayable(std::string_view(flat).substr(place));
  const std::size_t column = Columns(before) + (caret - place);
  return before + after + std::string(end) + "\n" + std::string(column, ' ') + "^\n";
}

}  // namespace pmproof::validator
