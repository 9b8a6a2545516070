// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_EXPRESSION_RANDOM_SENTENCE_H_
#define PMPROOF_GENERATORS_EXPRESSION_RANDOM_SENTENCE_H_

#include <cstddef>

#include "generators/expression/operand_set.h"
#include "generators/expression/sentence.h"
#include "generators/random.h"
#include "reference/derived/dialect.h"

namespace pmproof::generators {

struct SentenceTaste {
  // Operands and operations together, at most; functions of names count as one. Three make 40
  // characters or so.
  std::size_t nodes = 3;
  // All of it below one another: functions, prefixes, parentheses.
  bool deep = false;
};

// A sentence of a dialect by chance, the same for the same state of `random` on every machine. Most
// of its operands can be combined; whether it binds is another matter.
Sentence RandomSentence(Random& random, const SentenceTaste& taste, const OperandSet& operands,
                        const derived::Dialect& dialect);

// Of a size by chance: mostly 40 characters or so, some long, some deep. `size` as RapidCheck's, 0
// to 100.
SentenceTaste RandomTaste(Random& random, std::size_t size);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_EXPRESSION_RANDOM_SENTENCE_H_
