// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_EXPRESSION_SENTENCE_H_
#define PMPROOF_GENERATORS_EXPRESSION_SENTENCE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pmproof::generators {

// A sentence of the grammar of derived metrics (DER section 6) as it was made: words around parts.
// How the words group by precedence is not said. A value.
struct Sentence {
  std::vector<std::string> words;  // one more than parts
  std::vector<Sentence> parts;
  bool branch = false;  // novalue(): stands nowhere but as a branch

  friend bool operator==(const Sentence&, const Sentence&) = default;
};

inline Sentence Word(std::string word) { return {{std::move(word)}, {}, false}; }

std::string ToText(const Sentence& sentence);

// One way to make a sentence simpler: the node that has so many before it (the whole is 0, parts
// follow from left to right) becomes one of its own parts, or "1".
struct SentenceEdit {
  std::size_t node = 0;
  std::optional<std::size_t> part{};  // nothing: "1"
};

// All of them, those that leave the least first. What they make are sentences again.
std::vector<SentenceEdit> SentenceEdits(const Sentence& sentence);
Sentence Edited(Sentence sentence, const SentenceEdit& edit);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_EXPRESSION_SENTENCE_H_
