// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_EXPRESSION_BATCH_H_
#define PMPROOF_GENERATORS_EXPRESSION_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generators/expression/fetch_plan.h"
#include "generators/expression/fetched_values.h"
#include "generators/expression/operand_set.h"
#include "generators/expression/undefined.h"
#include "reference/core/status.h"
#include "reference/derived/derived_context.h"
#include "reference/derived/registry.h"

// Expressions that are put to a library together, with the reference's answers.

namespace pmproof::generators {

// What a definition is, registered for all contexts or added to one.
struct DefinitionAnswer {
  std::optional<Undefined> undefined{};  // from binding on
  std::optional<derived::RegistrationError> error{};
  std::string message{};  // of the call that adds (DER-216)
  std::optional<Descriptor> descriptor{};
  std::string where{};   // DER-709, where there is neither an error nor a descriptor
  std::string reason{};  // DER-709
  Clause clause{};
};

struct ExpressionAnswer {
  std::string text;
  bool nearly = false;                   // made by mutation
  std::optional<Undefined> undefined{};  // of the text, then of the values
  DefinitionAnswer global{};
  DefinitionAnswer added{};
  std::optional<FetchedText> values{};
};

struct Batch {
  FetchPlan plan;
  bool fetch_added = false;  // the definitions that are fetched are those added to the context
  std::size_t fetches = 0;   // FetchedTexts::fetches
  std::vector<ExpressionAnswer> expressions;  // called "d.e0", "d.e1", ...
};

// Of one dialect, over one archive. What it is given outlives it.
class BatchMaker {
 public:
  BatchMaker(const replay::ReplayArchive& archive, const replay::emulation::RecordLog& log,
             const derived::Dialect& dialect);

  const OperandSet& operands() const { return operands_; }

  // The same for the same numbers on every machine.
  Result<Batch> Make(std::uint64_t seed, std::uint64_t number, std::size_t size) const;

  // The same of texts that are given.
  Result<Batch> Answer(Random& random, const std::vector<std::string>& texts) const;

 private:
  Result<Batch> Answer(Random& random, Batch batch) const;
  void Define(const std::string& name, ExpressionAnswer* answer, derived::Registry* global,
              derived::DerivedContext* of_all, derived::DerivedContext* of_one) const;
  std::optional<Status> FetchAll(derived::DerivedContext* context, Batch* batch) const;

  const replay::ReplayArchive& archive_;
  const replay::emulation::RecordLog& log_;
  const derived::Dialect& dialect_;
  OperandSet operands_;
};

// One line of JSON, which ends with a newline.
std::string ToJson(const Batch& batch);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_EXPRESSION_BATCH_H_
