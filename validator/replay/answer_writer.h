// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_REPLAY_ANSWER_WRITER_H_
#define PMPROOF_VALIDATOR_REPLAY_ANSWER_WRITER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference/core/metric.h"
#include "reference/replay/instance_names.h"
#include "reference/replay/replay.h"
#include "validator/replay/value_text.h"
#include "validator/text/csv.h"
#include "validator/text/text_buffer.h"

namespace pmproof::validator {

// How a derived metric has its values.
struct Derivation {
  Clause clause;  // of the outermost operation
  std::vector<Pmid> operands;
  std::vector<std::string> names;  // of the operands
};

// One metric as it was asked for.
struct AskedMetric {
  std::string name;
  Descriptor descriptor;
  const replay::InstanceNames* names = nullptr;  // of a metric with instances
  std::optional<Derivation> derivation{};        // of one that is derived
};

// A value that PCP does not answer as the reference does, or answers only one of them.
struct DeviatingValue {
  std::optional<std::int32_t> instance;  // nothing: the metric's error
  std::vector<std::string> by;           // "DEV-03"
};

// By the metrics of an answer; empty: nothing deviates, or nobody asked.
using Deviations = std::vector<std::vector<DeviatingValue>>;

// Writes answers, in one of the formats of `replay`. An answer's metrics stand in the order of the
// metrics asked for.
class AnswerWriter {
 public:
  virtual ~AnswerWriter() = default;
  virtual void Write(const replay::FetchAnswer& fetch, const Deviations& deviations) = 0;
};

// What the metric at this place deviates by.
class MetricDeviations {
 public:
  MetricDeviations(const Deviations& deviations, std::size_t metric)
      : values_(deviations.empty() ? std::span<const DeviatingValue>() : deviations[metric]) {}

  // Of a value, or of the metric's error (no instance); empty if it does not deviate.
  std::span<const std::string> Of(std::optional<std::int32_t> instance) const;
  // The instances that the reference has a value of and the answer has not.
  std::vector<std::int32_t> Missing(const replay::MetricAnswer& answer) const;

 private:
  std::span<const DeviatingValue> values_;
};

// `reasons`: with the clause and the two bounds of each value, of derived ones with the operands,
// and with the deviations. `asked` outlives the writer.
std::unique_ptr<AnswerWriter> MakeTextAnswers(const std::vector<AskedMetric>& asked, bool reasons,
                                              TextBuffer& out);
std::unique_ptr<AnswerWriter> MakeCsvAnswers(const std::vector<AskedMetric>& asked, bool reasons,
                                             Formulas formulas, TextBuffer& out);
std::unique_ptr<AnswerWriter> MakeJsonAnswers(const std::vector<AskedMetric>& asked, bool reasons,
                                              TextBuffer& out);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_REPLAY_ANSWER_WRITER_H_
