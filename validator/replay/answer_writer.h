#ifndef PMPROOF_VALIDATOR_REPLAY_ANSWER_WRITER_H_
#define PMPROOF_VALIDATOR_REPLAY_ANSWER_WRITER_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/core/metric.h"
#include "reference/replay/instance_names.h"
#include "reference/replay/replay.h"
#include "validator/dump/text_buffer.h"
#include "validator/replay/value_text.h"

namespace pmproof::validator {

// One metric as it was asked for.
struct AskedMetric {
  std::string name;
  Descriptor descriptor;
  const replay::InstanceNames* names = nullptr;  // of a metric with instances
};

// Writes answers, in one of the formats of `replay`. An answer's metrics stand in the order of the
// metrics asked for.
class AnswerWriter {
 public:
  virtual ~AnswerWriter() = default;
  virtual void Write(const replay::FetchAnswer& fetch) = 0;
};

// `reasons`: with the clause and the two bounds of each value. `asked` outlives the writer.
std::unique_ptr<AnswerWriter> MakeTextAnswers(const std::vector<AskedMetric>& asked, bool reasons,
                                              TextBuffer& out);
std::unique_ptr<AnswerWriter> MakeCsvAnswers(const std::vector<AskedMetric>& asked, bool reasons,
                                             TextBuffer& out);
std::unique_ptr<AnswerWriter> MakeJsonAnswers(const std::vector<AskedMetric>& asked, bool reasons,
                                              TextBuffer& out);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_REPLAY_ANSWER_WRITER_H_
