// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_EXPRESSION_ARBITRARY_EXPRESSION_H_
#define PMPROOF_GENERATORS_EXPRESSION_ARBITRARY_EXPRESSION_H_

#include <rapidcheck.h>

#include <cstddef>
#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "generators/expression/mutated_text.h"
#include "generators/expression/random_sentence.h"
#include "generators/expression/sentence.h"
#include "generators/expression/undefined.h"
#include "generators/random.h"
#include "reference/derived/dialect.h"

// Expressions for RapidCheck. They grow with its size, and shrink to fewer operations, then to
// constants; texts that are only nearly expressions to fewer tokens, then to fewer characters.
//
// `operands` and `dialect` must outlive the generators and what they make.

namespace pmproof::generators {

inline void showValue(const Sentence& sentence, std::ostream& out) { out << ToText(sentence); }

inline rc::Seq<Sentence> ShrinkSentence(const Sentence& sentence) {
  const auto shared = std::make_shared<const Sentence>(sentence);
  return rc::seq::map(rc::seq::fromContainer(SentenceEdits(*shared)),
                      [shared](const SentenceEdit& edit) { return Edited(*shared, edit); });
}

// Of the grammar of the dialect.
inline rc::Gen<Sentence> AnySentence(const OperandSet& operands, const derived::Dialect& dialect) {
  return [&operands, &dialect](const rc::Random& random, int size) {
    rc::Random seed = random;
    Random ours(seed.next());
    const SentenceTaste taste = RandomTaste(ours, static_cast<std::size_t>(size < 0 ? 0 : size));
    return rc::shrinkable::shrinkRecur(RandomSentence(ours, taste, operands, dialect),
                                       &ShrinkSentence);
  };
}

// Of those, what the specification defines, as far as that can be told without values.
inline rc::Gen<Sentence> DefinedSentence(const OperandSet& operands,
                                         const derived::Dialect& dialect) {
  return rc::gen::suchThat(
      AnySentence(operands, dialect), [&operands, &dialect](const Sentence& sentence) {
        return !UndefinedIn(ToText(sentence), dialect, operands, {}).has_value();
      });
}

// Nearly expressions of the dialect.
inline rc::Gen<std::string> NearlyExpression(const OperandSet& operands,
                                             const derived::Dialect& dialect) {
  return [&operands, &dialect](const rc::Random& random, int size) {
    rc::Random seed = random;
    Random ours(seed.next());
    const SentenceTaste taste = RandomTaste(ours, static_cast<std::size_t>(size < 0 ? 0 : size));
    return rc::shrinkable::shrinkRecur(
        MutatedText(ours, ToText(RandomSentence(ours, taste, operands, dialect))),
        [](const std::string& text) { return rc::seq::fromContainer(SimplerTexts(text)); });
  };
}

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_EXPRESSION_ARBITRARY_EXPRESSION_H_
