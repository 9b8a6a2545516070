// SPDX-License-Identifier: Apache-2.0
#include "generators/expression/sentence.h"

#include <string_view>

namespace pmproof::generators {
namespace {

constexpr std::string_view kSimplest = "1";

void Append(const Sentence& sentence, std::string* text) {
  for (std::size_t i = 0; i < sentence.words.size(); ++i) {
    *text += sentence.words[i];
    if (i < sentence.parts.size()) Append(sentence.parts[i], text);
  }
}

void Collect(const Sentence& sentence, std::size_t* next, std::vector<SentenceEdit>* edits) {
  const std::size_t node = (*next)++;
  if (!sentence.branch) {
    if (!sentence.parts.empty() || sentence.words[0] != kSimplest) edits->push_back({node});
    for (std::size_t i = 0; i < sentence.parts.size(); ++i) {
      if (!sentence.parts[i].branch) edits->push_back({node, i});
    }
  }
  for (const Sentence& part : sentence.parts) Collect(part, next, edits);
}

Sentence* FindNode(Sentence* sentence, std::size_t* left) {
  if (*left == 0) return sentence;
  --*left;
  for (Sentence& part : sentence->parts) {
    if (Sentence* const found = FindNode(&part, left)) return found;
  }
  return nullptr;
}

}  // namespace

std::string ToText(const Sentence& sentence) {
  std::string text;
  Append(sentence, &text);
  return text;
}

std::vector<SentenceEdit> SentenceEdits(const Sentence& sentence) {
  std::vector<SentenceEdit> edits;
  std::size_t next = 0;
  Collect(sentence, &next, &edits);
  return edits;
}

Sentence Edited(Sentence sentence, const SentenceEdit& edit) {
  std::size_t left = edit.node;
  Sentence& node = *FindNode(&sentence, &left);
  Sentence simpler = edit.part ? std::move(node.parts[*edit.part]) : Word(std::string(kSimplest));
  node = std::move(simpler);
  return sentence;
}

}  // namespace pmproof::generators
