#include "validator/derived/definition_text.h"

#include <algorithm>
#include <cstddef>

#include "reference/derived/registry.h"

namespace pmproof::validator {
namespace {

constexpr std::string_view kBlanks = " \t\n\v\f\r";
constexpr std::size_t kAround = 60;  // characters that are shown before and behind a place

std::string_view WithoutLeadingBlanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text;
}

std::string_view WithoutBlanks(std::string_view text) {
  text = WithoutLeadingBlanks(text);
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

bool IsControl(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

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
  std::string lines = lead;
  lines.append(shown).append(end);
  std::replace_if(lines.begin(), lines.end(), IsControl, ' ');
  return lines + "\n" + std::string(caret, ' ') + "^\n";
}

}  // namespace pmproof::validator
