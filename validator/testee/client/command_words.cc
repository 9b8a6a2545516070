// SPDX-License-Identifier: Apache-2.0
#include "validator/testee/client/command_words.h"

#include <utility>

namespace pmproof::validator {

std::optional<std::vector<std::string>> CommandWords(std::string_view text) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
      if (word) words.push_back(*std::exchange(word, std::nullopt));
      continue;
    }
    if (!word) word.emplace();
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '\\' && quote != '\'') {
      if (++i == text.size()) return std::nullopt;
      c = text[i];
      if (quote == '"' && c != '"' && c != '\\') *word += '\\';
      *word += c;
    } else {
      *word += c;
    }
  }
  if (quote != 0) return std::nullopt;
  if (word) words.push_back(*word);
  return words;
}

}  // namespace pmproof::validator
