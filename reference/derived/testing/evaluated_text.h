// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_TESTING_EVALUATED_TEXT_H_
#define PMPROOF_REFERENCE_DERIVED_TESTING_EVALUATED_TEXT_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/derived/evaluate.h"
#include "reference/derived/testing/bound_text.h"
#include "reference/derived/testing/operand_table.h"

// What an expression over NamedMetrics gives, fetch by fetch, as lines of text.

namespace pmproof::derived {

using Lines = std::vector<std::string>;

inline Lines EvaluatedText(std::string_view text, const Lines& fetches,
                           const Dialect& dialect = kV72, const BindRequest& request = {}) {
  auto bound = BindText(text, dialect, request);
  if (!bound) return {bound.error().message};
  const auto shared = std::make_shared<const BoundExpression>(std::move(*bound));
  Evaluator evaluator(shared, dialect);
  Lines results;
  for (const std::string& fetch : fetches) {
    const ValueSet& set = evaluator.Evaluate(OperandTable(fetch, shared->operands()));
    for (const Pair& pair : set.pairs) {
      EXPECT_EQ(pair.value.type, shared->descriptor().type) << text;
      EXPECT_TRUE(pair.instance == -1 || !shared->descriptor().indom.IsNull()) << text;
    }
    results.push_back(ValueSetText(set));
  }
  return results;
}

struct EvaluationCase {
  std::string text;
  Lines fetches;
  Lines results;
};

inline void ExpectEvaluated(const std::vector<EvaluationCase>& cases,
                            const Dialect& dialect = kV72) {
  for (const EvaluationCase& each : cases) {
    EXPECT_EQ(EvaluatedText(each.text, each.fetches, dialect), each.results)
        << each.text << " in " << dialect.name;
  }
}

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_TESTING_EVALUATED_TEXT_H_
