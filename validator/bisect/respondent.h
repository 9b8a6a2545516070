// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_BISECT_RESPONDENT_H_
#define PMPROOF_VALIDATOR_BISECT_RESPONDENT_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tl/expected.hpp>

#include "reference/archive/output_storage.h"
#include "validator/bisect/question.h"
#include "validator/rules_diff/comparison.h"
#include "validator/testee/client/adapter.h"

namespace pmproof::validator {

// What is asked. A resource, used by one thread.
class Respondent {
 public:
  Respondent() = default;
  Respondent(const Respondent&) = delete;
  Respondent& operator=(const Respondent&) = delete;
  virtual ~Respondent() = default;

  // Error: why there is no answer.
  virtual tl::expected<AnswerCells, NotAnswered> Ask(const Question& question) = 0;
};

// An implementation behind an adapter, asked by replay.interp. Generated archives are written into
// a folder, which is there and outlives this; what was written goes with this.
class TesteeRespondent final : public Respondent {
 public:
  TesteeRespondent(Adapter adapter, std::string folder);
  ~TesteeRespondent() override;

  tl::expected<AnswerCells, NotAnswered> Ask(const Question& question) override;

  // The request as it is sent, without its end; the archive is called `path`.
  static std::string RequestOf(const Question& question, const std::string& path,
                               const std::string& seq);

 private:
  // Error: the archive cannot be written.
  Result<std::string> PathOf(const Question& question);
  void RemoveWritten();

  Adapter adapter_;
  std::string folder_;
  std::unique_ptr<archive::OutputStorage> output_;
  std::shared_ptr<const QuestionArchive> written_;  // the one that is in the folder now
  std::uint64_t archives_ = 0;
  std::uint64_t seq_ = 0;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_BISECT_RESPONDENT_H_
