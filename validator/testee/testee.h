// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_TESTEE_H_
#define PMPROOF_VALIDATOR_TESTEE_TESTEE_H_

#include <cstddef>
#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/loss_watch.h"
#include "validator/testee/operation.h"

namespace pmproof::validator {

// One end of the testee protocol `pmproof-testee/1` (validator/schema/testee.schema.json): one JSON
// object a line in, one a line out, in order. What makes no sense is answered by an error.
class Testee {
 public:
  // What a line may be, so that memory is bounded whatever comes in.
  static constexpr std::size_t kLongestLine = std::size_t{16} << 20;
  static constexpr std::size_t kDeepest = 32;  // objects and arrays inside of each other

  // `rules`: the names of the interpolation profiles that operations know. `watch`: over the files
  // that they read, if they read any; outlives this.
  Testee(std::vector<std::unique_ptr<Operation>> operations, std::vector<std::string> rules,
         archive::LossWatch* watch = nullptr)
      : operations_(std::move(operations)), rules_(std::move(rules)), watch_(watch) {}

  // Until `bye` or the end of the input. False if an answer could not be written.
  bool Serve(std::istream& in, std::ostream& out);

 private:
  // The answer to one line, without its end; empty to `bye`.
  std::string Answer(const std::string& line);
  std::string Run(const Json& request);
  std::string Hello(const Json& request) const;

  std::vector<std::unique_ptr<Operation>> operations_;
  std::vector<std::string> rules_;
  archive::LossWatch* watch_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_TESTEE_H_
